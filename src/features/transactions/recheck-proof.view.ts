import { describeChecks, type ProofChecks } from "../../core/proof/evidence.ts";
import { shortTxId } from "../../core/transaction/describe-intent.ts";

export interface Rechecked {
  readonly txId?: string;
  readonly kind: "confirmed" | "alone" | "refused";
  readonly reasons: readonly string[];
  readonly blocks: number;
  readonly network?: string;
  /** What was checked on the chain. */
  readonly checks?: ProofChecks;
}

/** What checking a proof again found, as sentences that end with what it means. */
export function recheckText({ txId, kind, reasons, blocks, network, checks }: Rechecked): string {
  const what = txId === undefined ? "The file" : `The proof for ${shortTxId(txId)}`;
  switch (kind) {
    case "confirmed":
      return `${what} holds: ${network} gave the same ${blocks.toLocaleString("en-US")} solidified blocks, linked to one another, and none holds the transaction. It can never be executed any more. ${describeChecks(checks)}`;
    case "alone":
      return `${what} agrees with itself: bytes, txID, expiration, blocks and digest fit together. No node was asked whether its chain has these blocks.`;
    case "refused":
      return `${what} does not hold. ${reasons.join(" ")} Do not pay again because of it.`;
  }
}
