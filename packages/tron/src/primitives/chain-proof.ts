import { createHmac } from "node:crypto";

/** Challenge: 32 random bytes in hex, new for each request. */
export const CHALLENGE = /^[0-9a-f]{64}$/;

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
