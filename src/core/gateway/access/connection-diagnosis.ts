import {
  apiKeyWords,
  audienceWords,
  clockWords,
  gatewayWords,
  jwtKeyWords,
  keyIdWords,
  tokenWords,
} from "../../../words/reasons/connections.ts";
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

const tokenAccepted: Finding = { check: "token", status: "ok", ...tokenWords.accepted };

function wrongAudience({ audience = "" }: NetworkProfile, right: string): Finding {
  return { check: "audience", status: "failed", ...audienceWords.wrong(audience, right) };
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

const tokenWanted: Finding = { check: "token", status: "failed", ...tokenWords.wanted };

/** A gateway that is silent to a well-formed token says no more: one of these three does not fit the account. */
function registrations(profile: NetworkProfile): readonly Finding[] {
  const [keyId, audience] = [profile.keyId?.trim() ?? "", profile.audience?.trim() ?? ""];
  const odd = checkAudience(profile).status === "warning";
  const summary: Finding = {
    check: "token",
    status: "failed",
    ...tokenWords.dropped(keyId, audience, odd ? "audience" : "key-id"),
  };
  const otherKeyId: Finding = { check: "key-id", status: "warning", ...keyIdWords.other(keyId) };
  const otherAudience: Finding = { check: "audience", status: "warning", ...audienceWords.other(audience) };
  return [summary, ...(odd ? [otherAudience, otherKeyId] : [otherKeyId, otherAudience]), otherPublicKey];
}

const otherPublicKey: Finding = { check: "public-key", status: "warning", ...jwtKeyWords.otherPublicKey };

function checkApiKey({ profile, hasApiKey, outcome }: ConnectionFacts): Finding {
  const check = "api-key";
  const { apiKeyHeader } = profile;
  if (outcome.kind === "failed" && outcome.error.code === "GATEWAY_UNAUTHORIZED") {
    const { status } = outcome.error.details;
    return { check, status: "failed", ...apiKeyWords.refused(status, apiKeyHeader, hasApiKey) };
  }
  return { check, status: "ok", ...(hasApiKey ? apiKeyWords.sent(apiKeyHeader) : apiKeyWords.none) };
}

function checkClock(facts: ConnectionFacts): readonly Finding[] {
  const skew = skewOf(facts);
  if (skew === undefined) return facts.acceptedWithLongLife === true ? [slowClock(undefined)] : [];
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (facts.acceptedWithLongLife === true || isExpired(facts)) return [slowClock(seconds)];
  if (Math.abs(skew) <= SKEW_MS) return [{ check: "clock", status: "ok", ...clockWords.fine(seconds) }];
  return [{ check: "clock", status: "warning", ...clockWords.apart(seconds, skew > 0 ? "behind" : "ahead") }];
}

function slowClock(seconds: number | undefined): Finding {
  return { check: "clock", status: "failed", ...clockWords.slow(seconds) };
}

function checkGateway({ outcome, profile }: ConnectionFacts): Finding {
  const check = "gateway";
  if (outcome.kind === "answered") {
    const { head, durationMs } = outcome.probe;
    return { check, status: "ok", ...gatewayWords.answered(profile.baseUrl, durationMs, head.number) };
  }
  const { code, message } = outcome.error;
  const said = code === "GATEWAY_UNREACHABLE" ? gatewayWords.unreachable(message) : { sentence: message };
  return { check, status: "failed", ...said };
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
