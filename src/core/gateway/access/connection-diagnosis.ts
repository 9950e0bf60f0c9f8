import type { AnyChainError } from "../../errors/chain-error.ts";
import type { Probe } from "../gateway.ts";
import { CLOSED } from "../http/http-exchange.ts";
import type { ClockSample } from "../http/http-sender.ts";
import { isLoopback, type NetworkProfile } from "../network-profile.ts";
import { TOKEN_LIFETIME_MS } from "./access-token.ts";
import type { Finding } from "./finding.ts";
import { checkAudience, checkKeyId, checkPrivateKey, checkToken } from "./jwt-checks.ts";

/** What came of the probe. */
export type ProbeOutcome =
  | { readonly kind: "answered"; readonly probe: Probe }
  | { readonly kind: "failed"; readonly error: AnyChainError };

/** What a connection test knows. Every time is Unix ms. */
export interface ConnectionFacts {
  readonly profile: NetworkProfile;
  readonly outcome: ProbeOutcome;
  /** Local time at the end of the probe. */
  readonly localTime: number;
  readonly hasApiKey: boolean;
  readonly privateKeyPem?: string | undefined;
  /** The `Authorization` header of the probe; absent when none was sent. */
  readonly authorization?: string | undefined;
  /** Both clocks, from an answer of any gateway of this network. */
  readonly clockSample?: ClockSample | undefined;
  /** A token of the same key and settings that ends a day later was accepted: only the clock can be wrong. */
  readonly acceptedWithLongLife?: boolean | undefined;
  /** A token for another audience was accepted. */
  readonly acceptedAudience?: string | undefined;
}

/** A difference of the clocks that matters; a token lives twice as long. */
const SKEW_MS = 30_000;

/**
 * Explains a probe. The first finding is the most likely cause when the probe failed, or the most pressing warning.
 *
 * This is the one place where local time is compared with that of the chain, and only as a hint.
 */
export function diagnoseConnection(facts: ConnectionFacts): readonly Finding[] {
  const checks = [...checkJwt(facts), checkApiKey(facts), ...checkClock(facts)];
  const gateway = checkGateway(facts);
  const failed = checks.filter((it) => it.status === "failed");
  const causes = failed.length > 0 || facts.outcome.kind === "answered" ? failed : suspects(facts);
  const named = new Set(causes.map((it) => it.check));
  const warnings = checks.filter((it) => it.status === "warning" && !named.has(it.check));
  const fine = checks.filter((it) => it.status === "ok" && !named.has(it.check));
  return gateway.status === "ok"
    ? [...causes, ...warnings, gateway, ...fine]
    : [...causes, gateway, ...warnings, ...fine];
}

function checkJwt({ profile, privateKeyPem, acceptedAudience, outcome }: ConnectionFacts): readonly Finding[] {
  if (!profile.jwt) return [];
  const audience = acceptedAudience === undefined ? checkAudience(profile) : wrongAudience(profile, acceptedAudience);
  const settings = [checkPrivateKey(privateKeyPem), checkKeyId(profile), audience];
  return outcome.kind === "answered" ? [...settings, tokenAccepted] : settings;
}

const tokenAccepted: Finding = { check: "token", status: "ok", sentence: "The token was accepted." };

function wrongAudience({ audience = "" }: NetworkProfile, right: string): Finding {
  return {
    check: "audience",
    status: "failed",
    sentence: `The audience "${audience}" is wrong: the gateway accepted a token for "${right}".`,
    nextStep: `Set the audience of this network to ${right}.`,
  };
}

/** What may be behind a failure when everything that can be checked here is fine, the likeliest first. */
function suspects(facts: ConnectionFacts): readonly Finding[] {
  const { profile, outcome, authorization } = facts;
  if (outcome.kind === "answered") return [];
  if (!profile.jwt) return wasDropped(outcome.error) ? [tokenWanted] : [];
  if (outcome.error.code !== "GATEWAY_SILENT") return [];
  const faults = checkToken(authorization, profile, serverTime(facts)).filter((it) => it.status === "failed");
  if (faults.length > 0) return faults;
  const keyId = checkKeyId(profile);
  const others = registrations(profile);
  return keyId.status === "warning"
    ? [{ ...keyId, status: "failed" }, ...others.filter(({ check }) => check !== keyId.check)]
    : others;
}

const tokenWanted: Finding = {
  check: "token",
  status: "failed",
  sentence: "The connection was closed without an answer to a request that had no token, as gateways with JWT on do.",
  nextStep: "Turn JWT on for this network, with the key, its ID and the audience of your account.",
};

/** A gateway that is silent to a well-formed token says no more: one of these three does not fit the account. */
function registrations(profile: NetworkProfile): readonly Finding[] {
  const [keyId, audience] = [profile.keyId?.trim() ?? "", profile.audience?.trim() ?? ""];
  const odd = checkAudience(profile).status === "warning";
  const names = [`the key ID (kid) "${keyId}"`, `the audience "${audience}"`];
  const [first, second] = odd ? names.reverse() : names;
  const summary: Finding = {
    check: "token",
    status: "failed",
    sentence: `The service dropped a well-formed token: ${first}, ${second} or the registered public key does not fit it.`,
    nextStep: "Compare all three with the JWT page of the account, in this order.",
  };
  const details = odd ? [otherAudience(audience), otherKeyId(keyId)] : [otherKeyId(keyId), otherAudience(audience)];
  return [summary, ...details, otherPublicKey];
}

function otherKeyId(keyId: string): Finding {
  return {
    check: "key-id",
    status: "warning",
    sentence: `The key ID (kid) "${keyId}" may not be that of a key of this account.`,
    nextStep: "Compare it with the ID beside your key on the JWT page of the account, and edit the network.",
  };
}

function otherAudience(audience: string): Finding {
  return {
    check: "audience",
    status: "warning",
    sentence: `The audience "${audience}" may not be the one that the service expects.`,
    nextStep: "Take the audience from the service's own documentation: it is usually its domain name.",
  };
}

const otherPublicKey: Finding = {
  check: "public-key",
  status: "warning",
  sentence: "The public key in the account may not be the other half of the private key that is used here.",
  nextStep: "Run Create JWT Key, paste its public key into the account, and set the new ID.",
};

function checkApiKey({ profile, hasApiKey, outcome }: ConnectionFacts): Finding {
  const check = "api-key";
  const { apiKeyHeader } = profile;
  if (outcome.kind === "failed" && outcome.error.code === "GATEWAY_UNAUTHORIZED") {
    const sentence = `The gateway answered ${outcome.error.details.status}: the API key in the header ${apiKeyHeader} is ${hasApiKey ? "wrong" : "missing"}.`;
    return { check, status: "failed", sentence, nextStep: "Run Set API Key with the key from your account." };
  }
  if (hasApiKey) return { check, status: "ok", sentence: `An API key is sent in the header ${apiKeyHeader}.` };
  return { check, status: "ok", sentence: "No API key is set, and none was asked for." };
}

function checkClock(facts: ConnectionFacts): readonly Finding[] {
  const skew = skewOf(facts);
  if (skew === undefined) return facts.acceptedWithLongLife === true ? [slowClock(undefined)] : [];
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (facts.acceptedWithLongLife === true || isExpired(facts)) return [slowClock(seconds)];
  if (Math.abs(skew) <= SKEW_MS) {
    return [{ check: "clock", status: "ok", sentence: `The clock of this computer fits (${seconds} s apart).` }];
  }
  const sentence = `The clock of this computer is ${seconds} s ${skew > 0 ? "behind" : "ahead of"} that of the gateway.`;
  return [
    { check: "clock", status: "warning", sentence, nextStep: "Set the clock of this computer, then test again." },
  ];
}

function slowClock(seconds: number | undefined): Finding {
  const much = seconds === undefined ? "" : ` by ${seconds} s`;
  return {
    check: "clock",
    status: "failed",
    sentence: `The clock of this computer is behind${much}, so every token has expired when it arrives.`,
    nextStep: "Set the clock of this computer (time zone and daylight saving too), then test again.",
  };
}

function checkGateway({ outcome, profile }: ConnectionFacts): Finding {
  const check = "gateway";
  if (outcome.kind === "answered") {
    const { head, durationMs } = outcome.probe;
    return {
      check,
      status: "ok",
      sentence: `${profile.baseUrl} answered in ${durationMs} ms with block ${head.number}.`,
    };
  }
  const { error } = outcome;
  const nextStep =
    error.code === "GATEWAY_UNREACHABLE"
      ? "Check the URL of the network, the proxy settings, and that the node runs."
      : undefined;
  return { check, status: "failed", sentence: error.message, ...(nextStep === undefined ? {} : { nextStep }) };
}

function wasDropped(error: AnyChainError): boolean {
  return error.code === "GATEWAY_UNREACHABLE" && error.details.reason === CLOSED;
}

/** How much the gateway's clock is ahead of ours; ms. A block shows it only when it comes from our future. */
function skewOf({ profile, outcome, clockSample, localTime }: ConnectionFacts): number | undefined {
  if (outcome.kind === "answered" && outcome.probe.serverTime !== undefined)
    return outcome.probe.serverTime - localTime;
  if (clockSample !== undefined) return clockSample.server - clockSample.local;
  if (outcome.kind === "failed" || profile.local) return undefined;
  const ahead = outcome.probe.head.timestamp - localTime;
  return ahead > SKEW_MS ? ahead : undefined;
}

function serverTime(facts: ConnectionFacts): number {
  return facts.localTime + (skewOf(facts) ?? 0);
}

/** Whether the measured difference alone makes every token arrive too late. */
function isExpired(facts: ConnectionFacts): boolean {
  const skew = skewOf(facts);
  return facts.profile.jwt && facts.outcome.kind === "failed" && skew !== undefined && skew >= TOKEN_LIFETIME_MS;
}

/** Audiences that a service may expect by its URL: its host, and the domains above it. */
export function likelyAudiences({ baseUrl, audience }: NetworkProfile): readonly string[] {
  const url = URL.parse(baseUrl);
  if (url === null || isLoopback(url)) return [];
  const labels = url.hostname.split(".");
  const domains = labels.map((_, index) => labels.slice(index).join(".")).slice(0, Math.max(1, labels.length - 1));
  return domains.reverse().filter((it) => it !== audience?.trim());
}
