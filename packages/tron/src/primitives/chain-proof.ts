import { createHmac } from "node:crypto";

/** What is asked: 32 random bytes in hex, new each time. */
export const CHALLENGE = /^[0-9a-f]{64}$/;

/**
 * What only who holds the secret of a local chain's ready line can say: that the chain of this secret answers at this
 * very address. The address is part of it, so an answer cannot be passed on by a server at another one.
 *
 * @param secret - 32 bytes in hex
 * @param baseUrl - as the chain itself says it
 * @returns HMAC-SHA256, hex
 */
export function chainProof(secret: string, baseUrl: string, challenge: string): string {
  return createHmac("sha256", Buffer.from(secret, "hex"))
    .update(`finality local chain\n${baseUrl}\n${challenge}`)
    .digest("hex");
}
