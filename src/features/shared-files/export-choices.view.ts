import { BLOCK_INTERVAL_MS } from "../../core/primitives/block.ts";
import { roughly } from "../../words/forms/durations.ts";
import { describeProofCost } from "../../words/sentences/proofs.ts";

/** A command that sends, and can export instead. */
export interface ExportItem {
  readonly label: string;
  readonly description: string;
  /** The id of the command. */
  readonly command: string;
}

export const EXPORTS: readonly ExportItem[] = [
  { label: "Send Coins…", description: "a payment", command: "finality.sendCoins" },
  { label: "Call Contract…", description: "a function with its arguments", command: "finality.callContract" },
  { label: "Transfer Tokens (TRC-20)…", description: "tokens of a contract", command: "finality.transferTokens" },
  { label: "Approve Tokens (TRC-20)…", description: "lets a contract take tokens", command: "finality.approveTokens" },
  { label: "Send Tokens (TRC-10)…", description: "tokens of the chain", command: "finality.sendTrc10" },
  { label: "Deploy Contract…", description: "code of an artifact", command: "finality.deployContract" },
  { label: "Stake…", description: "for energy, bandwidth or votes", command: "finality.stake" },
  { label: "Unstake…", description: "takes a stake back", command: "finality.unstake" },
  { label: "Delegate…", description: "lends resources", command: "finality.delegate" },
  { label: "Undelegate…", description: "takes them back", command: "finality.undelegate" },
  { label: "Withdraw Unstaked…", description: "coins whose delay is over", command: "finality.withdrawUnstaked" },
  { label: "Withdraw Reward…", description: "of votes", command: "finality.withdrawReward" },
  { label: "Edit Permissions…", description: "who decides over an account", command: "finality.editPermissions" },
];

export interface ExpiryItem {
  readonly label: string;
  readonly detail: string;
  readonly seconds: number;
}

const HOUR = 3_600;
/** Nodes take no more than a day. */
const CHOICES = [600, HOUR, 6 * HOUR, 24 * HOUR];
/** Blocks from before the reference block that a proof reads too; see `proofCost`. */
const BEFORE = 74;

/** How long signatures may be collected, with what a proof of absence would read if it gets lost. */
export function expiryItems(): readonly ExpiryItem[] {
  return CHOICES.map((seconds) => {
    const blocks = Math.ceil((seconds * 1_000) / BLOCK_INTERVAL_MS) + BEFORE;
    const cost = describeProofCost({ blocks, requests: Math.ceil(blocks / 100) });
    return {
      label: roughly(seconds * 1_000),
      detail: `If it gets lost: nothing equal can be sent safely for that long, then a proof reads ${cost}.`,
      seconds,
    };
  });
}
