import { createPublicKey, hash } from "node:crypto";
import { type KeyRecord, readPublicKey } from "./jwt.ts";

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
