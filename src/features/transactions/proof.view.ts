import { describeChecks } from "@finality/client/labels";
import type { ProofChecks } from "@finality/client/proof";
import type { ReplacementReason } from "@finality/client/tracking";
import { grouped, shortTxId } from "@finality/tron/format";
import { t } from "@vscode/l10n";

/** Returns the confirmation of a replacement, with the reason why it is safe. */
export function replacementText(
  txId: string,
  because: ReplacementReason,
  timeOf: (ms: number) => string,
): { readonly title: string; readonly detail: string } {
  const title = t`Create a replacement for ${shortTxId(txId)}?`;
  const after = t`Finality will not send the old one again. You review the new one before it is signed.`;
  return { title, detail: [reasonText(because, timeOf), after].join("\n\n") };
}

function reasonText(because: ReplacementReason, timeOf: (ms: number) => string): string {
  switch (because.kind) {
    case "proof": {
      const { first, last, count, expiration, blockIds } = because.absence;
      const recorded = blockIds === undefined ? "" : t`, ids recorded`;
      const blocks = t`solidified blocks ${grouped(first.number)}–${grouped(last.number)} (${grouped(count)} blocks${recorded})`;
      const proof = t`Proof: ${blocks} do not contain it; solidified time ${timeOf(last.timestamp)} ≥ expiry ${timeOf(expiration)}.`;
      return `${proof}\n\n${describeChecks(because.absence.checks)}`;
    }
    case "rejection":
      return t`Its first and only submission was refused (${because.code}: ${because.message}): the gateway reports that nothing was executed. Finality checked just now, and neither a block nor the pool showed it. Finality searches for it until it expires.`;
  }
}

export interface Rechecked {
  readonly txId?: string;
  readonly kind: "confirmed" | "alone" | "refused";
  readonly reasons: readonly string[];
  readonly blocks: number;
  readonly network?: string;
  /** Result of the checks against the chain. */
  readonly checks?: ProofChecks;
}

/** Returns the result of a recheck as sentences that end with its meaning. */
export function recheckText({ txId, kind, reasons, blocks, network, checks }: Rechecked): string {
  const what = txId === undefined ? t`The file` : t`The proof for ${shortTxId(txId)}`;
  switch (kind) {
    case "confirmed":
      return t`${what} is valid: ${String(network)} returned the same ${grouped(blocks)} solidified blocks, linked to one another, and none contains the transaction. It can no longer be executed. ${describeChecks(checks)}`;
    case "alone":
      return t`${what} is consistent: bytes, txID, expiration, blocks and digest match. No check was made that a chain has these blocks.`;
    case "refused":
      return t`${what} is not valid. ${reasons.join(" ")} Do not pay again because of it.`;
  }
}
