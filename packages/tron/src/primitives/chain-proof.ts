import { createHash, createHmac } from "node:crypto";

/** Challenge: 32 random bytes in hex, new for each request. */
export const CHALLENGE = /^[0-9a-f]{64}$/;

/**
 * Identifies a local chain by the hash of its secret, because a seed gives equal accounts to several chains.
 *
 * @param secret - 32 bytes in hex
 * @returns 20 bytes in hex
 */
export function chainIdentity(secret: string): string {
  return createHash("sha256").update(`finality local chain ${secret}`).digest("hex").slice(0, 40);
}

/**
 * Proves that the chain with this secret, from the ready line of a local chain, answers at this address. The proof
 * includes the address, so that another server cannot relay it.
 *
 * @param secret - 32 bytes in hex
 * @param baseUrl - As the chain itself reports it.
 * @returns HMAC-SHA256, hex
 */
export function chainProof(secret: string, baseUrl: string, challenge: string): string {
  return createHmac("sha256", Buffer.from(secret, "hex"))
    .update(`finality local chain\n${baseUrl}\n${challenge}`)
    .digest("hex");
}
