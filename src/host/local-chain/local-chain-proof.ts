import { randomBytes, timingSafeEqual } from "node:crypto";
import { ChainError } from "../../core/errors/chain-error.ts";
import { chainProof } from "../../core/primitives/chain-proof.ts";
import { askLocalChain } from "./local-chain-control.ts";

/**
 * Has who answers at a URL prove that it is the chain whose ready line had this secret. A port is anybody's, a file
 * too, and the number of a process is given out again: only the secret counts.
 *
 * @throws {ChainError} `LOCAL_CHAIN_UNPROVEN` somebody else answers; `GATEWAY_UNREACHABLE` nobody does
 */
export async function proveLocalChain(baseUrl: string, secret: string): Promise<void> {
  const challenge = randomBytes(32).toString("hex");
  const { proof } = await askLocalChain(baseUrl, "prove", { challenge });
  if (isSame(proof, chainProof(secret, baseUrl, challenge))) return;
  throw new ChainError("LOCAL_CHAIN_UNPROVEN", { baseUrl });
}

function isSame(proof: unknown, wanted: string): boolean {
  return (
    typeof proof === "string" &&
    /^[0-9a-f]{64}$/.test(proof) &&
    timingSafeEqual(Buffer.from(proof), Buffer.from(wanted))
  );
}
