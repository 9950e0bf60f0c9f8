import { isChainError } from "@finality/tron/errors";
import { isJsonObject, type JsonObject, parseJson } from "@finality/tron/primitives";
import type { HttpExchange } from "../http/http-exchange.ts";
import type { ClockSample } from "../http/http-sender.ts";
import { isLoopback, type NetworkProfile } from "../network.ts";
import { type CheckResult, FIRST_REQUEST } from "./connection-checks.ts";
import { ANSWER_MS, ConnectionClient, type ConnectionClientOptions, type TestResponse } from "./connection-client.ts";
import {
  apiKeyMessages,
  audienceMessages,
  type CheckMessage,
  clockMessages,
  gatewayMessages,
  jwtKeyMessages,
  keyIdMessages,
  proxyMessages,
  rateLimitMessages,
  tokenFaults,
  tokenMessages,
} from "./connection-messages.ts";
import type { ServerProtocol } from "./connection-route.ts";
import { ALGORITHM, claimsOf, expiry, parseJwtKey, signToken, TOKEN_LIFETIME_MS, type TokenClaims } from "./jwt.ts";

/** Checks that there is a private key that can sign RS256. */
export function checkPrivateKey(privateKeyPem: string | undefined): CheckResult {
  const check = "jwt-key";
  if (privateKeyPem === undefined) return { check, status: "failed", ...jwtKeyMessages.missing };
  try {
    const { bits } = parseJwtKey(privateKeyPem);
    return { check, status: "ok", ...jwtKeyMessages.fine(bits) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { check, status: "failed", ...jwtKeyMessages.unusable(error.message) };
  }
}

const FINGERPRINT = /^(?:SHA256:|MD5:|(?:[0-9a-f]{2}:){7,}[0-9a-f]{2}$)/i;

/** The ID is opaque: only text that cannot be an ID is refused. */
export function checkKeyId({ keyId = "" }: NetworkProfile): CheckResult {
  const check = "key-id";
  const id = keyId.trim();
  if (id === "") return { check, status: "failed", ...keyIdMessages.missing };
  if (id.includes("-----BEGIN")) return { check, status: "failed", ...keyIdMessages.holdsKey };
  if (FINGERPRINT.test(id)) return { check, status: "warning", ...keyIdMessages.fingerprint(id) };
  return { check, status: "ok", ...keyIdMessages.fine(id) };
}

/** An audience is the service's own domain name (gateway document, JWT token). */
export function checkAudience({ audience = "", baseUrl }: NetworkProfile): CheckResult {
  const check = "audience";
  const text = audience.trim();
  if (text === "") return { check, status: "failed", ...audienceMessages.missing };
  if (/[\s/]|:\/\//.test(text)) return { check, status: "failed", ...audienceMessages.noDomain(text) };
  const url = URL.parse(baseUrl);
  if (url !== null && !isLoopback(url) && !belongsTo(url.hostname, text)) {
    return { check, status: "warning", ...audienceMessages.otherDomain(text, url.hostname) };
  }
  return { check, status: "ok", ...audienceMessages.fine(text) };
}

function belongsTo(host: string, domain: string): boolean {
  return host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`);
}

const HEADER = /^Bearer [A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Checks an `Authorization` header as the service does, except for the signature.
 *
 * @param now - Unix ms; the gateway's time if known
 */
export function checkToken(
  authorization: string | undefined,
  profile: NetworkProfile,
  now: number,
): readonly CheckResult[] {
  const message = faultOf(authorization, profile, now);
  if (message === undefined) return [{ check: "token", status: "ok", ...tokenMessages.wellFormed }];
  return [{ check: "token", status: "failed", ...tokenMessages.faulty(message) }];
}

function faultOf(authorization: string | undefined, profile: NetworkProfile, now: number): string | undefined {
  if (authorization === undefined) return tokenFaults.notSent;
  if (/^Bearer {2,}/i.test(authorization)) return tokenFaults.twoSpaces;
  if (!HEADER.test(authorization)) return tokenFaults.otherForm;
  const [header, payload] = authorization.slice("Bearer ".length).split(".").map(decodePart);
  if (header === undefined || payload === undefined) return tokenFaults.undecodable;
  return headerFault(header, profile) ?? payloadFault(payload, profile, now);
}

function headerFault(header: JsonObject, { keyId = "" }: NetworkProfile): string | undefined {
  if (header.alg !== ALGORITHM) return tokenFaults.algorithm(String(header.alg), ALGORITHM);
  if (header.typ !== "JWT") return tokenFaults.noJwt;
  if (header.kid !== keyId.trim()) return tokenFaults.keyId(String(header.kid), keyId);
  return undefined;
}

function payloadFault(payload: JsonObject, { audience = "" }: NetworkProfile, now: number): string | undefined {
  if (payload.aud !== audience.trim()) {
    return tokenFaults.audience(String(payload.aud), audience);
  }
  if (payload.exp === undefined) return undefined;
  if (!Number.isSafeInteger(payload.exp)) return tokenFaults.endNoNumber;
  const lateMs = now - Number(payload.exp) * 1000;
  if (lateMs < 0) return undefined;
  return tokenFaults.expired(Math.round(lateMs / 1000));
}

function decodePart(part: string): JsonObject | undefined {
  try {
    const json = parseJson(Buffer.from(part, "base64url").toString("utf8"));
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** First response of a server that does not behave like a gateway, with further observations. */
export interface FirstAnswer {
  readonly profile: NetworkProfile;
  readonly answered: TestResponse;
  readonly hasApiKey: boolean;
  /** Protocol of the server if it returned no HTTP. */
  readonly dialect?: ServerProtocol | undefined;
  /** True if the same URL serves solidified data. */
  readonly servesSolid?: boolean;
  readonly token?: TokenTrials | undefined;
}

/** Results of requests with varied tokens. */
export interface TokenTrials {
  /** Defects in the form of the sent token. */
  readonly faults: readonly CheckResult[];
  /** A token that expires a day later was accepted, so only the clock can be wrong. */
  readonly longLife: boolean;
  /** Audience of the accepted token. */
  readonly audience: string | undefined;
  readonly clockSample: ClockSample | undefined;
}

/** Returns true for a response in the form of gateways and nodes. */
export function isGatewayAnswer({ exchange, verdict }: TestResponse): boolean {
  return verdict.kind === "body" && exchange.kind === "answer" && isJson(exchange.body);
}

/** Explains a missing answer, or one that no gateway gives. The first failed check is the likeliest cause. */
export function explainFirstAnswer(first: FirstAnswer): readonly CheckResult[] {
  const { exchange } = first.answered;
  switch (exchange.kind) {
    case "no-answer":
      return explainSilence(first, exchange.how);
    case "cut":
      return [failed(gatewayMessages.truncated(exchange.reason))];
    case "answer":
      return explainStatus(first, exchange);
  }
}

function failed(message: CheckMessage): CheckResult {
  return { check: "gateway", status: "failed", ...message };
}

function explainSilence(first: FirstAnswer, how: "closed" | "timeout" | "unreachable"): readonly CheckResult[] {
  const { profile, answered, dialect, token } = first;
  const port = portOf(profile.baseUrl);
  if (dialect === "http2") return [failed(gatewayMessages.onlyHttp2(port))];
  if (dialect === "tls") return [failed(gatewayMessages.wantsTls(port))];
  if (answered.code?.startsWith("HPE_") === true) return [failed(gatewayMessages.notHttp)];
  if (how === "unreachable") return [failed(gatewayMessages.unreachable(messageOf(answered)))];
  const waited = how === "timeout" ? ANSWER_MS : undefined;
  const silent: CheckResult = { check: "gateway", status: "warning", ...gatewayMessages.silent(waited) };
  if (profile.jwt) return [silent, ...explainToken(profile, token)];
  if (how === "timeout") return [failed(gatewayMessages.slow(ANSWER_MS))];
  if (answered.code === "ECONNRESET") return [failed(gatewayMessages.reset)];
  return [silent, { check: "token", status: "failed", ...tokenMessages.required }];
}

function messageOf({ verdict }: TestResponse): string {
  return verdict.kind === "failure" ? verdict.error.message : "";
}

type HttpAnswer = Extract<HttpExchange, { kind: "answer" }>;

function explainStatus(first: FirstAnswer, { status, body }: HttpAnswer): readonly CheckResult[] {
  const { profile, hasApiKey, servesSolid, answered } = first;
  const meaning = answered.verdict.kind === "failure" ? answered.verdict.meaning : undefined;
  const seen: CheckResult = { check: "gateway", status: "ok", ...gatewayMessages.refusedWith(status), ms: answered.ms };
  if (meaning === "rate-limited")
    return [seen, { check: "rate-limit", status: "failed", ...rateLimitMessages.limited(status, waitOf(answered)) }];
  if (meaning === "key-refused" || meaning === "token-refused")
    return [seen, ...explainRefusal(first, statusIn(answered, status), hasApiKey)];
  if (status === 407)
    return [{ check: "proxy", status: "failed", ...proxyMessages.wantsPassword(hostOf(profile.baseUrl)) }];
  if (status >= 300 && status < 400) return [failed(gatewayMessages.redirected(status, redirectHost(answered)))];
  if (status === 511 || (status < 300 && isHtml(body))) return [failed(gatewayMessages.page(titleOf(body)))];
  if (status < 300) return [failed(gatewayMessages.noJson(body))];
  if (status >= 500) return [failed(gatewayMessages.failing(status))];
  if (servesSolid === true) return [failed(gatewayMessages.solidityPort)];
  const isMissing = status === 404 || status === 405;
  return [
    failed(
      isMissing ? gatewayMessages.wrongPath(status, "/wallet/getchainparameters") : gatewayMessages.refusedBy(status),
    ),
  ];
}

/** Returns the status that the gateway means: a body with status 200 may name another one. */
function statusIn({ verdict }: TestResponse, status: number): number {
  const details = verdict.kind === "failure" ? verdict.error.details : {};
  return "status" in details && typeof details.status === "number" ? details.status : status;
}

/** Gateways that respond at all return 401 for a refused token too. */
function explainRefusal({ profile, token }: FirstAnswer, status: number, hasApiKey: boolean): readonly CheckResult[] {
  const { apiKeyHeader } = profile;
  if (token !== undefined && (token.longLife || token.audience !== undefined)) return explainToken(profile, token);
  const message =
    token === undefined || status !== 401
      ? apiKeyMessages.refused(status, apiKeyHeader, hasApiKey)
      : apiKeyMessages.refusedWithToken(status, apiKeyHeader, hasApiKey);
  return [{ check: "api-key", status: "failed", ...message }];
}

function waitOf({ verdict }: TestResponse): number | undefined {
  return verdict.kind === "failure" && verdict.error.code === "GATEWAY_RATE_LIMITED"
    ? verdict.error.details.retryAfterMs
    : undefined;
}

/** Returns the host of a redirection. The path is omitted, because it may contain sent data. */
function redirectHost({ headers }: TestResponse): string {
  const to = [headers.location].flat()[0] ?? "";
  return URL.parse(to)?.host ?? "";
}

function isHtml(body: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body.slice(0, 200));
}

function titleOf(body: string): string {
  return /<title[^>]{0,100}>([^<]{0,200})/i.exec(body.slice(0, 20_000))?.[1]?.trim() ?? "";
}

function isJson(body: string): boolean {
  try {
    parseJson(body);
    return true;
  } catch {
    return false;
  }
}

function portOf(base: string): number {
  const { port, protocol } = new URL(base);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function hostOf(base: string): string {
  return new URL(base).host;
}

/** Returns the possible reasons why a token is not accepted, the likeliest first. */
function explainToken(profile: NetworkProfile, trials: TokenTrials | undefined): readonly CheckResult[] {
  if (trials?.longLife === true)
    return [{ check: "token", status: "skipped", ...tokenMessages.late }, slowClock(trials)];
  if (trials?.audience !== undefined) {
    const message = audienceMessages.wrong(profile.audience ?? "", trials.audience);
    return [
      { check: "audience", status: "failed", ...message },
      { check: "token", status: "skipped", ...tokenMessages.forOtherAudience },
    ];
  }
  if (trials !== undefined && trials.faults.length > 0) return trials.faults;
  return registrations(profile);
}

/** A gateway that drops a well-formed token gives no reason. One of these settings does not fit the account. */
function registrations(profile: NetworkProfile): readonly CheckResult[] {
  const [keyId, audience] = [profile.keyId?.trim() ?? "", profile.audience?.trim() ?? ""];
  const odd = checkKeyId(profile);
  const isFirst = checkAudience(profile).status === "warning" ? "audience" : "key-id";
  const other: CheckResult = { check: "key-id", status: "warning", ...keyIdMessages.other(keyId) };
  return [
    odd.status === "warning" ? { ...odd, status: "failed" } : other,
    { check: "audience", status: "warning", ...audienceMessages.other(audience) },
    { check: "token", status: "failed", ...tokenMessages.dropped(keyId, audience, isFirst) },
    { check: "public-key", status: "warning", ...jwtKeyMessages.otherPublicKey },
  ];
}

function slowClock({ clockSample }: TokenTrials): CheckResult {
  const seconds = clockSample && Math.round(Math.abs(clockSample.server - clockSample.local) / 1000);
  return { check: "clock", status: "failed", ...clockMessages.slow(seconds) };
}

/** Clock difference that matters; a token lives twice as long. */
const SKEW_MS = 30_000;
/** A clock with this difference is wrong, even if requests still succeed. */
const WRONG_MS = 300_000;

/**
 * Compares the clock of this computer with the gateway's. Only this check and the age of the newest block compare
 * local time with chain time, as a hint.
 *
 * @param skewMs - lead of the gateway's clock; undefined if unknown
 */
export function checkClock(skewMs: number | undefined, jwt: boolean): CheckResult {
  const check = "clock";
  if (skewMs === undefined) return { check, status: "ok", ...clockMessages.unknown };
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= SKEW_MS) return { check, status: "ok", ...clockMessages.fine(seconds) };
  if (jwt && skewMs >= TOKEN_LIFETIME_MS) return { check, status: "failed", ...clockMessages.slow(seconds) };
  const status = Math.abs(skewMs) > WRONG_MS ? "failed" : "warning";
  return { check, status, ...clockMessages.apart(seconds, skewMs > 0 ? "behind" : "ahead") };
}

/** Returns audiences that a service may expect by its URL: its host, and the parent domains. */
export function likelyAudiences({ baseUrl, audience }: NetworkProfile): readonly string[] {
  const url = URL.parse(baseUrl);
  if (url === null || isLoopback(url)) return [];
  const labels = url.hostname.split(".");
  const domains = labels.map((_, index) => labels.slice(index).join(".")).slice(0, Math.max(1, labels.length - 1));
  return domains.reverse().filter((it) => it !== audience?.trim());
}

/** Covers a clock that is wrong by its time zone. Such a token is made for one test and never stored. */
const LONG_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Time limit for a request with another token; ms. */
const TRIAL_MS = 3_000;

/** Inputs for test tokens, and the client options of the requests that carry them. */
export interface TrialContext extends ConnectionClientOptions {
  readonly privateKeyPem: string;
}

/**
 * Returns a token for a connection test.
 *
 * @param lifetimeMs - from now on, ms
 * @throws {ChainError} `JWT_SETTING_MISSING`, `JWT_KEY_MALFORMED`, `JWT_KEY_TOO_SHORT`
 */
export function testToken(
  profile: NetworkProfile,
  { clock, privateKeyPem }: TrialContext,
  change: Partial<TokenClaims> & { readonly lifetimeMs?: number } = {},
): Promise<string> {
  const { lifetimeMs = TOKEN_LIFETIME_MS, ...claims } = change;
  return signToken({ ...claimsOf(profile, privateKeyPem), ...claims }, expiry(clock.now(), lifetimeMs));
}

/**
 * Repeats the request with tokens that differ in one claim each. If a longer lifetime is accepted, the local clock is
 * wrong; otherwise an accepted audience names the right one. All requests go to the first URL.
 *
 * @throws the reason of the signal
 */
export async function tryTokens(
  profile: NetworkProfile,
  first: TestResponse,
  context: TrialContext,
): Promise<TokenTrials> {
  const audiences = likelyAudiences(profile);
  const [longLife, ...others] = await Promise.all([
    accepts(profile, first, context, await testToken(profile, context, { lifetimeMs: LONG_LIFETIME_MS })),
    ...audiences.map(async (audience) =>
      accepts(profile, first, context, await testToken(profile, context, { audience })),
    ),
  ]);
  const clockSample = [longLife, ...others].find((it) => it?.clockSample !== undefined)?.clockSample;
  const skew = clockSample === undefined ? 0 : clockSample.server - clockSample.local;
  const sent = await testToken(profile, context);
  const faults = checkToken(`Bearer ${sent}`, profile, context.clock.now() + skew);
  return {
    faults: faults.filter(({ status }) => status === "failed"),
    longLife: longLife?.isAccepted === true,
    audience: audiences.find((_, at) => others[at]?.isAccepted === true),
    clockSample,
  };
}

/** Any answer if the first one was missing; if it was a refusal, an answer as gateways give it. */
async function accepts(profile: NetworkProfile, first: TestResponse, context: TrialContext, token: string) {
  const { accessToken } = context;
  const bound = accessToken && { ...accessToken, value: async () => token };
  const asker = new ConnectionClient(profile, { ...context, accessToken: bound });
  const answered = await asker.request(FIRST_REQUEST.path, FIRST_REQUEST.body, TRIAL_MS);
  const wasSilent = first.exchange.kind === "no-answer";
  const isAccepted = isGatewayAnswer(answered) || (wasSilent && answered.exchange.kind === "answer");
  return { isAccepted, clockSample: asker.clockSample };
}
