import { createPublicKey, hash } from "node:crypto";
import { decodeProtectedHeader, importSPKI, jwtVerify } from "jose";

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

export interface JwtRule {
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
export async function tokenIsValid(header: string | undefined, rule: JwtRule, now: number): Promise<boolean> {
  const token = BEARER.exec(header ?? "")?.[1];
  if (token === undefined) return false;
  try {
    const { kid, typ, alg } = decodeProtectedHeader(token);
    const record = rule.keys.find(({ id }) => id === kid);
    if (record === undefined || typ !== "JWT" || alg !== ALGORITHM) return false;
    await jwtVerify(token, record.publicKey, {
      algorithms: [ALGORITHM],
      audience: rule.audience,
      currentDate: new Date(now),
    });
    return true;
  } catch {
    return false;
  }
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
