import { createPublicKey, hash, timingSafeEqual } from "node:crypto";
import { sha256 } from "@finality/tron/primitives";
import { decodeProtectedHeader, importSPKI, jwtVerify } from "jose";
import { type HttpRequest, type HttpResponse, headerOf } from "../http/message.ts";

/** Authentication and limits of a hosted gateway in front of the node. Everything is off by default. */
export interface AccessRules {
  /** While it is on, the connection of a request without a valid token is closed without a response. */
  jwt: JwtRule & { readonly on: boolean };
  /** Required value of the header: a missing header is 401, a wrong key 403. */
  apiKey?: { readonly header: string; readonly key: string } | undefined;
  rateLimit?: RateLimit | undefined;
  /** Use of each `kid` while JWT was on. */
  readonly kids: Map<string, KeyUse>;
}

/** Use of a key; times are Unix ms. */
interface KeyUse {
  readonly first: number;
  readonly last: number;
  /** Requests whose token names the key, and those that were let through. */
  readonly requests: number;
  readonly accepted: number;
}

/** Clients choose the ids, so further ones are not recorded. */
const MOST_KIDS = 100;

/** Decision of the gateway: pass the request on, respond in place of the node, or drop the connection. */
export type AccessDecision =
  | { readonly kind: "pass" }
  | { readonly kind: "answer"; readonly response: HttpResponse }
  | { readonly kind: "drop" };

const PASS: AccessDecision = { kind: "pass" };

/** @param now - Unix time in ms, for the expiry of tokens */
export async function checkAccess(request: HttpRequest, rules: AccessRules, now: number): Promise<AccessDecision> {
  if (rules.jwt.on && !(await tokenIsValid(headerOf(request, "authorization"), rules, now))) {
    return { kind: "drop" };
  }
  const refusal = checkApiKey(request, rules.apiKey) ?? takePermit(rules.rateLimit);
  return refusal === undefined ? PASS : { kind: "answer", response: refusal };
}

/** Header name of the documented service; a network may use another. */
export const DEFAULT_API_KEY_HEADER = "CHAIN-PRO-API-KEY";

/** Returns 401 without the header, 403 for a wrong key, else undefined. */
function checkApiKey(
  request: HttpRequest,
  rule: { readonly header: string; readonly key: string } | undefined,
): HttpResponse | undefined {
  if (rule === undefined) return undefined;
  const sent = headerOf(request, rule.header);
  if (sent === undefined) return refusal(401, `The header ${rule.header} is missing.`);
  return sameText(sent, rule.key) ? undefined : refusal(403, `The key in ${rule.header} is not accepted.`);
}

function refusal(status: number, message: string): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json;charset=utf-8" },
    body: `${JSON.stringify({ Error: message })}\n`,
  };
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => sha256(new TextEncoder().encode(text)));
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** Refuses the next requests with status 429. */
interface RateLimit {
  /** Number of requests that are still refused. */
  requests: number;
  /** Value of `Retry-After`: seconds, or an HTTP date. */
  readonly retryAfter: string;
}

/** Returns 429 while refusals are left, else undefined. */
function takePermit(limit: RateLimit | undefined): HttpResponse | undefined {
  if (limit === undefined || limit.requests <= 0) return undefined;
  limit.requests -= 1;
  return {
    status: 429,
    headers: { "content-type": "application/json;charset=utf-8", "retry-after": limit.retryAfter },
    body: `${JSON.stringify({ Error: "Too many requests." })}\n`,
  };
}

const ALGORITHM = "RS256";
/** Requires exactly one space, and this spelling of the scheme. */
const BEARER = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/;

type PublicKey = Awaited<ReturnType<typeof importSPKI>>;

/** A registered public key. */
export interface KeyRecord {
  /** Id that tokens carry as `kid`. */
  readonly id: string;
  readonly name: string;
  readonly publicKey: PublicKey;
  readonly fingerprint: string;
}

interface JwtRule {
  readonly audience: string;
  readonly keys: readonly KeyRecord[];
}

/**
 * Reads a PEM public key in the only form that the service accepts: SPKI, RSA.
 *
 * @throws {TypeError} anything else, such as a certificate, a private key, PKCS#1, or a key of another algorithm
 */
export async function readPublicKey(pem: string): Promise<PublicKey> {
  if (!pem.trim().startsWith("-----BEGIN PUBLIC KEY-----")) {
    throw new TypeError('The key has to be PEM that begins with "-----BEGIN PUBLIC KEY-----".');
  }
  return await importSPKI(pem.trim(), ALGORITHM, { extractable: true });
}

/**
 * Returns whether an `Authorization` header carries a token that the rule accepts. Like the service, it never reports
 * why a token is refused.
 *
 * @param now - Unix time in ms
 */
async function tokenIsValid(header: string | undefined, rules: AccessRules, now: number): Promise<boolean> {
  const token = BEARER.exec(header ?? "")?.[1];
  if (token === undefined) return false;
  try {
    const { kid, typ, alg } = decodeProtectedHeader(token);
    const rule = rules.jwt;
    // Key records of the moment the request arrives; a later removal does not affect it.
    const record = rule.keys.find(({ id }) => id === kid);
    recordKeyUse(rules.kids, kid, now, { requests: 1, accepted: 0 });
    if (record === undefined || typ !== "JWT" || alg !== ALGORITHM) return false;
    await jwtVerify(token, record.publicKey, {
      algorithms: [ALGORITHM],
      audience: rule.audience,
      currentDate: new Date(now),
    });
    recordKeyUse(rules.kids, kid, now, { requests: 0, accepted: 1 });
    return true;
  } catch {
    return false;
  }
}

function recordKeyUse(
  kids: AccessRules["kids"],
  kid: string | undefined,
  now: number,
  more: Pick<KeyUse, "requests" | "accepted">,
): void {
  if (kid === undefined || (!kids.has(kid) && kids.size >= MOST_KIDS)) return;
  const { first, requests, accepted } = kids.get(kid) ?? { first: now, requests: 0, accepted: 0 };
  kids.set(kid, { first, last: now, requests: requests + more.requests, accepted: accepted + more.accepted });
}

const MAX_RECORDS = 3;

/** Returns the SHA-256 of the key, as services show it. */
export function fingerprintOf(pem: string): string {
  return hash("sha256", createPublicKey(pem).export({ type: "spki", format: "der" }));
}

/**
 * Registers a public key, as the service's account page does.
 *
 * @throws {TypeError} no name, no RSA public key, or three records already
 */
export async function createKeyRecord(records: readonly KeyRecord[], name: unknown, pem: unknown): Promise<KeyRecord> {
  if (typeof name !== "string" || name.trim() === "") throw new TypeError("A key record needs a name.");
  if (typeof pem !== "string") throw new TypeError("A key record needs a public key.");
  if (records.length >= MAX_RECORDS) throw new TypeError(`There are ${MAX_RECORDS} key records already.`);
  const fingerprint = fingerprintOf(pem);
  return { id: fingerprint.slice(0, 32), name, publicKey: await readPublicKey(pem), fingerprint };
}
