import { describeProofCost } from "@finality/client/labels";
import { roughly } from "@finality/tron/format";
import { BLOCK_INTERVAL_MS } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Command that sends and can export instead. */
export interface ExportItem {
  readonly label: string;
  readonly description: string;
  /** ID of the command. */
  readonly command: string;
}

export const EXPORTS: readonly ExportItem[] = [
  { label: t`Send Coins…`, description: t`a payment`, command: "finality.sendCoins" },
  { label: t`Call Contract…`, description: t`a function with its arguments`, command: "finality.callContract" },
  { label: t`Transfer Tokens (TRC-20)…`, description: t`tokens of a contract`, command: "finality.transferTokens" },
  {
    label: t`Approve Tokens (TRC-20)…`,
    description: t`allows a contract to spend tokens`,
    command: "finality.approveTokens",
  },
  { label: t`Send Tokens (TRC-10)…`, description: t`tokens of the chain`, command: "finality.sendTrc10" },
  { label: t`Deploy Contract…`, description: t`code of an artifact`, command: "finality.deployContract" },
  { label: t`Stake…`, description: t`for energy, bandwidth or votes`, command: "finality.stake" },
  { label: t`Unstake…`, description: t`takes back a stake`, command: "finality.unstake" },
  { label: t`Delegate…`, description: t`delegates resources`, command: "finality.delegate" },
  { label: t`Undelegate…`, description: t`takes them back`, command: "finality.undelegate" },
  { label: t`Withdraw Unstaked…`, description: t`coins whose delay is over`, command: "finality.withdrawUnstaked" },
  { label: t`Withdraw Reward…`, description: t`of votes`, command: "finality.withdrawReward" },
  { label: t`Edit Permissions…`, description: t`permissions of an account`, command: "finality.editPermissions" },
];

export interface ExpiryItem {
  readonly label: string;
  readonly detail: string;
  readonly seconds: number;
}

const HOUR = 3_600;
/** Nodes accept at most one day. */
const CHOICES = [600, HOUR, 6 * HOUR, 24 * HOUR];
/** Number of blocks before the reference block that a proof also reads; see `proofCost`. */
const BEFORE = 74;

/** Returns expiries for collecting signatures, each with the cost of a proof of absence. */
export function expiryItems(): readonly ExpiryItem[] {
  return CHOICES.map((seconds) => {
    const blocks = Math.ceil((seconds * 1_000) / BLOCK_INTERVAL_MS) + BEFORE;
    const cost = describeProofCost({ blocks, requests: Math.ceil(blocks / 100) });
    return {
      label: roughly(seconds * 1_000),
      detail: t`If it is lost, no equal transaction is safe for that long; a proof then reads ${cost}.`,
      seconds,
    };
  });
}
