import { type Hex, hex } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";

/** What an active permission can allow: a bit of its mask for each type of contract. */
export interface Operation {
  /** The number of the contract type in the protocol. */
  readonly number: number;
  /** Its name there, without `Contract` at its end. */
  readonly name: string;
}

/** The contract types that a node can execute (protocol reference §4.2). */
export const operations: readonly Operation[] = [
  { number: 0, name: "AccountCreate" },
  { number: 1, name: "Transfer" },
  { number: 2, name: "TransferAsset" },
  { number: 4, name: "VoteWitness" },
  { number: 5, name: "WitnessCreate" },
  { number: 6, name: "AssetIssue" },
  { number: 8, name: "WitnessUpdate" },
  { number: 9, name: "ParticipateAssetIssue" },
  { number: 10, name: "AccountUpdate" },
  { number: 11, name: "FreezeBalance" },
  { number: 12, name: "UnfreezeBalance" },
  { number: 13, name: "WithdrawBalance" },
  { number: 14, name: "UnfreezeAsset" },
  { number: 15, name: "UpdateAsset" },
  { number: 16, name: "ProposalCreate" },
  { number: 17, name: "ProposalApprove" },
  { number: 18, name: "ProposalDelete" },
  { number: 19, name: "SetAccountId" },
  { number: 30, name: "CreateSmart" },
  { number: 31, name: "TriggerSmart" },
  { number: 33, name: "UpdateSetting" },
  { number: 41, name: "ExchangeCreate" },
  { number: 42, name: "ExchangeInject" },
  { number: 43, name: "ExchangeWithdraw" },
  { number: 44, name: "ExchangeTransaction" },
  { number: 45, name: "UpdateEnergyLimit" },
  { number: 46, name: "AccountPermissionUpdate" },
  { number: 48, name: "ClearABI" },
  { number: 49, name: "UpdateBrokerage" },
  { number: 51, name: "ShieldedTransfer" },
  { number: 52, name: "MarketSellAsset" },
  { number: 53, name: "MarketCancelOrder" },
  { number: 54, name: "FreezeBalanceV2" },
  { number: 55, name: "UnfreezeBalanceV2" },
  { number: 56, name: "WithdrawExpireUnfreeze" },
  { number: 57, name: "DelegateResource" },
  { number: 58, name: "UnDelegateResource" },
  { number: 59, name: "CancelAllUnfreezeV2" },
];

/** Who may do this may do everything: it can give itself what it lacks. */
export const PERMISSION_UPDATE = 46;

/** The number of the contract type that an intent of each kind becomes. */
export const operationOf: { readonly [K in Exclude<Intent["kind"], "other">]: number } = {
  transfer: 1,
  "token-transfer": 2,
  "contract-call": 31,
  "contract-creation": 30,
  stake: 54,
  unstake: 55,
  withdraw: 56,
  "cancel-unstakes": 59,
  delegate: 57,
  undelegate: 58,
  "permission-update": PERMISSION_UPDATE,
  vote: 4,
  "claim-reward": 13,
  "account-creation": 0,
  "account-name": 10,
  "contract-share": 33,
  "contract-limit": 45,
  "contract-abi-removal": 48,
};

/** Bytes of a mask: byte type/8, bit type%8, the lowest bit first. */
const MASK_BYTES = 32;

/** Whether a mask has the bit of a contract type. */
export function allowsOperation(mask: Hex, number: number): boolean {
  const byte = Number.parseInt(mask.slice((number >> 3) * 2, (number >> 3) * 2 + 2) || "0", 16);
  return ((byte >> (number & 7)) & 1) === 1;
}

/** The numbers of all bits that a mask has, those without a name too. */
export function operationsIn(mask: Hex): readonly number[] {
  return Array.from({ length: MASK_BYTES * 8 }, (_, number) => number).filter((it) => allowsOperation(mask, it));
}

/** The mask with exactly these bits: 32 bytes. */
export function maskOf(numbers: Iterable<number>): Hex {
  const bytes = new Uint8Array(MASK_BYTES);
  for (const number of numbers) bytes[number >> 3] = (bytes[number >> 3] ?? 0) | (1 << (number & 7));
  return hex(Buffer.from(bytes).toString("hex"));
}

/** The contract type with this number, or with this name: `Transfer`, `TransferContract`. */
export function findOperation(wanted: number | string): Operation | undefined {
  if (typeof wanted === "number") return operations.find(({ number }) => number === wanted);
  const name = wanted
    .trim()
    .replace(/Contract$/i, "")
    .toLowerCase();
  return operations.find((it) => it.name.toLowerCase() === name);
}
