import {
  type Address,
  defined,
  type ForeignText,
  foreignText,
  type Hex,
  hex,
  rawText,
} from "@finality/tron/primitives";
import type { Intent, PermissionIntent, PermissionKey } from "@finality/tron/transaction";

export const OWNER_ID = 0;
export const WITNESS_ID = 1;
export const FIRST_ACTIVE_ID = 2;

/** One permission of an account, as a gateway reports it. */
export interface Permission {
  /** 0 is the owner permission, 1 that of a witness, 2 and above are active ones. */
  readonly id: number;
  /** Name chosen by the owner of the account; untrusted. */
  readonly name: ForeignText;
  /** Required weight. */
  readonly threshold: bigint;
  readonly keys: readonly PermissionKey[];
  /** Only for active permissions: 32 bytes, one bit per contract type. The owner permission allows everything. */
  readonly operations?: Hex;
}

/** Permissions of an account. */
export interface AccountPermissions {
  readonly owner: Permission;
  readonly witness?: Permission;
  readonly actives: readonly Permission[];
}

/** Returns the default permissions: the account's own key decides alone. */
export function ownKeyAlone(address: Address): AccountPermissions {
  const keys = [{ address, weight: 1n }];
  return { owner: { id: OWNER_ID, name: foreignText("owner"), threshold: 1n, keys }, actives: [] };
}

/** Returns the permissions that sign transactions. */
export function signingPermissions({ owner, actives }: AccountPermissions): readonly Permission[] {
  return [owner, ...actives];
}

/** Returns true if the account's own key alone decides, as in a new account. */
export function isDefaultSetup(address: Address, permissions: AccountPermissions): boolean {
  return signingPermissions(permissions).every(({ keys, threshold }) => {
    const [only, ...others] = keys;
    return only?.address === address && others.length === 0 && only.weight >= threshold;
  });
}

/** Threshold and keys of a permission. */
export type Quorum = Pick<Permission, "threshold" | "keys">;

/** Returns the total weight of these keys. */
export function weightOf({ keys }: Quorum, signers: readonly Address[]): bigint {
  return keys.reduce((sum, { address, weight }) => (signers.includes(address) ? sum + weight : sum), 0n);
}

/** Returns the keys of a permission that are among these. */
export function ownKeysIn({ keys }: Quorum, ours: ReadonlySet<Address>): readonly Address[] {
  return keys.map(({ address }) => address).filter((it) => ours.has(it));
}

/** Returns true if one of these keys is in any signing permission. */
export function hasOwnKey(permissions: AccountPermissions, ours: ReadonlySet<Address>): boolean {
  return signingPermissions(permissions).some((it) => ownKeysIn(it, ours).length > 0);
}

/**
 * Returns the fewest of these keys that reach the threshold, because each signature costs. Keys of equal weight keep
 * their order.
 *
 * @returns undefined if all of them together do not reach it
 */
export function signersFrom(permission: Quorum, ours: ReadonlySet<Address>): readonly Address[] | undefined {
  const heaviest = permission.keys
    .filter(({ address }) => ours.has(address))
    .sort((left, right) => Number(right.weight > left.weight) - Number(right.weight < left.weight));
  const signers: Address[] = [];
  for (const { address } of heaviest) {
    if (weightOf(permission, signers) >= permission.threshold) break;
    signers.push(address);
  }
  return weightOf(permission, signers) >= permission.threshold ? signers : undefined;
}

/** Returns every minimal set of keys that reaches the threshold, the smallest first. */
export function sufficientSets(permission: Quorum): readonly (readonly Address[])[] {
  const all = permission.keys.map(({ address }) => address);
  const subsets = Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_key, at) => (bits >> at) & 1));
  const reaches = (set: readonly Address[]): boolean => weightOf(permission, set) >= permission.threshold;
  return subsets
    .filter((set) => reaches(set) && !set.some((it) => reaches(set.filter((other) => other !== it))))
    .sort((left, right) => left.length - right.length);
}

/** Complete content of a permission update, because the chain replaces all permissions at once. */
export interface PermissionSet {
  readonly ownerPermission: PermissionIntent;
  readonly witnessPermission?: PermissionIntent;
  readonly activePermissions: readonly PermissionIntent[];
}

/** Converts reported permissions to the form that is signed. */
export function permissionSetOf({ owner, witness, actives }: AccountPermissions): PermissionSet {
  return {
    ownerPermission: intended(owner),
    ...(witness === undefined ? {} : { witnessPermission: intended(witness) }),
    activePermissions: actives.map(intended),
  };
}

/** The name stays as it was written. */
function intended({ name, threshold, keys, operations }: Permission): PermissionIntent {
  return { name: rawText(name), threshold, keys, ...defined({ operations }) };
}

/** The node's count of the signatures of a transaction, for the permission that it names. */
export interface SignWeight {
  readonly weight: bigint;
  /** Undefined if the account has no such permission. */
  readonly threshold?: bigint;
  /** Addresses of the counted signatures. */
  readonly signers: readonly Address[];
  /** Undefined if there are enough. */
  readonly refusal?: { readonly code: string; readonly message: ForeignText };
}

/** Contract type that an active permission can allow: one bit of its mask. */
export interface Operation {
  /** Number of the contract type in the protocol. */
  readonly number: number;
  /** Name in the protocol, without the final `Contract`. */
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

/** A permission with this operation can grant itself all others. */
export const PERMISSION_UPDATE = 46;

/** Number of the contract type for each kind of intent. */
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

/** Mask layout: byte type/8, bit type%8, the lowest bit first. */
const MASK_BYTES = 32;

/** Returns true if a mask contains a contract type. */
export function allowsOperation(mask: Hex, number: number): boolean {
  const byte = Number.parseInt(mask.slice((number >> 3) * 2, (number >> 3) * 2 + 2) || "0", 16);
  return ((byte >> (number & 7)) & 1) === 1;
}

/** Returns the numbers of all bits in a mask, including those without a name. */
export function operationsIn(mask: Hex): readonly number[] {
  return Array.from({ length: MASK_BYTES * 8 }, (_, number) => number).filter((it) => allowsOperation(mask, it));
}

/** Returns the mask with exactly these bits: 32 bytes. */
export function maskOf(numbers: Iterable<number>): Hex {
  const bytes = new Uint8Array(MASK_BYTES);
  for (const number of numbers) bytes[number >> 3] = (bytes[number >> 3] ?? 0) | (1 << (number & 7));
  return hex(Buffer.from(bytes).toString("hex"));
}

/** Returns the contract type with this number or name: `Transfer`, `TransferContract`. */
export function findOperation(numberOrName: number | string): Operation | undefined {
  if (typeof numberOrName === "number") return operations.find(({ number }) => number === numberOrName);
  const name = numberOrName
    .trim()
    .replace(/Contract$/i, "")
    .toLowerCase();
  return operations.find((it) => it.name.toLowerCase() === name);
}
