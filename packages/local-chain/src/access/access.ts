import { createPublicKey, hash, timingSafeEqual } from "node:crypto";
import { sha256 } from "@finality/tron/primitives";
import { decodeProtectedHeader, importSPKI, jwtVerify } from "jose";
import { type HttpRequest, type HttpResponse, headerOf } from "../http/message.ts";

/** What a hosted gateway puts in front of a node. Everything is off unless it is set. */
export interface AccessRules {
  /** While the switch is on, a request without a valid token ends without an answer. */
  jwt: JwtRule & { readonly on: boolean };
  /** The key that the header has to carry: none is 401, a wrong one 403. */
  apiKey?: { readonly header: string; readonly key: string } | undefined;
  rateLimit?: RateLimit | undefined;
  /** What each `kid` was seen to do while the switch was on. */
  readonly kids: Map<string, SeenKid>;
}

/** Times are Unix ms. */
export interface SeenKid {
  readonly first: number;
  readonly last: number;
  /** Requests with a token that names it, and those of them that were let in. */
  readonly requests: number;
  readonly accepted: number;
}

/** Whoever asks names them: further ones are not noted. */
const MOST_KIDS = 100;

/** How a gateway treats a request: it lets it pass, answers in place of the node, or drops the connection. */
export type Verdict =
  | { readonly kind: "pass" }
  | { readonly kind: "answer"; readonly response: HttpResponse }
  | { readonly kind: "drop" };

const PASS: Verdict = { kind: "pass" };

/** @param now - Unix time in ms, for the expiry of tokens */
export async function judge(request: HttpRequest, rules: AccessRules, now: number): Promise<Verdict> {
  if (rules.jwt.on && !(await tokenIsValid(headerOf(request, "authorization"), rules, now))) {
    return { kind: "drop" };
  }
  const refusal = checkApiKey(request, rules.apiKey) ?? takePermit(rules.rateLimit);
  return refusal === undefined ? PASS : { kind: "answer", response: refusal };
}

/** The header's name in the documented service; a profile may have another. */
export const DEFAULT_API_KEY_HEADER = "CHAIN-PRO-API-KEY";

/** 401 without the header, 403 with a wrong key, undefined when all is well. */
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

/** The next requests are answered with 429. */
interface RateLimit {
  /** How many more are refused. */
  requests: number;
  /** What `Retry-After` says: seconds, or an HTTP date. */
  readonly retryAfter: string;
}

/** 429 while there are refusals left, else undefined. */
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
/** Exactly one blank, and no other spelling of the scheme. */
const BEARER = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/;

type PublicKey = Awaited<ReturnType<typeof importSPKI>>;

/** A registered public key. */
export interface KeyRecord {
  /** The id that a token names as `kid`. */
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
 * Reads a PEM public key as the service takes it: SPKI, RSA.
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
 * Whether an `Authorization` header carries a token that the rule accepts. Why it does not is never told, here as in
 * the service: the caller only sees a connection that ends.
 *
 * @param now - Unix time in ms
 */
async function tokenIsValid(header: string | undefined, rules: AccessRules, now: number): Promise<boolean> {
  const token = BEARER.exec(header ?? "")?.[1];
  if (token === undefined) return false;
  try {
    const { kid, typ, alg } = decodeProtectedHeader(token);
    const rule = rules.jwt;
    // As it stands when the request comes: a record that is removed meanwhile ends nothing that is under way.
    const record = rule.keys.find(({ id }) => id === kid);
    noteKid(rules.kids, kid, now, { requests: 1, accepted: 0 });
    if (record === undefined || typ !== "JWT" || alg !== ALGORITHM) return false;
    await jwtVerify(token, record.publicKey, {
      algorithms: [ALGORITHM],
      audience: rule.audience,
      currentDate: new Date(now),
    });
    noteKid(rules.kids, kid, now, { requests: 0, accepted: 1 });
    return true;
  } catch {
    return false;
  }
}

function noteKid(
  kids: AccessRules["kids"],
  kid: string | undefined,
  now: number,
  more: Pick<SeenKid, "requests" | "accepted">,
): void {
  if (kid === undefined || (!kids.has(kid) && kids.size >= MOST_KIDS)) return;
  const { first, requests, accepted } = kids.get(kid) ?? { first: now, requests: 0, accepted: 0 };
  kids.set(kid, { first, last: now, requests: requests + more.requests, accepted: accepted + more.accepted });
}

const MAX_RECORDS = 3;

/** The SHA-256 of the key itself, as services show it. */
export function fingerprintOf(pem: string): string {
  return hash("sha256", createPublicKey(pem).export({ type: "spki", format: "der" }));
}

/**
 * Registers a public key as the service's account page does: a name and a PEM come in, an id and a fingerprint come
 * out.
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
