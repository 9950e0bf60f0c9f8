import type { IntentOf } from "@finality/tron/transaction";
import type { Gateway } from "../gateway/gateway.ts";
import { type TransferCost, transferCost } from "./costs.ts";

/** Size of a signed transaction. */
interface SignedSize {
  /** `bandwidthOf` of the transaction with all its signatures. */
  readonly bandwidth: bigint;
  readonly signatures: number;
}

/**
 * Estimates the cost of a transfer of coins, by the current resources of the sender and the parameters of the chain.
 *
 * @throws {ChainError} the errors of the gateway
 */
export async function estimateTransfer(
  gateway: Pick<Gateway, "account" | "accountResources" | "chainParameters">,
  { owner, to, memo }: IntentOf<"transfer">,
  size: SignedSize,
  signal?: AbortSignal,
): Promise<TransferCost> {
  const [recipient, resources, parameters] = await Promise.all([
    gateway.account(to, signal),
    gateway.accountResources(owner, signal),
    gateway.chainParameters(signal),
  ]);
  const facts = { ...size, hasMemo: memo !== undefined, resources };
  return transferCost({ ...facts, recipientExists: recipient !== undefined }, parameters);
}
