import { type Address, type ForeignText, foreignText, type Hex, rawText } from "@finality/tron/primitives";
import type { PermissionIntent, PermissionKey } from "@finality/tron/transaction";

export const OWNER_ID = 0;
export const WITNESS_ID = 1;
export const FIRST_ACTIVE_ID = 2;

/** One permission of an account, as a gateway tells it. */
export interface Permission {
  /** 0 is the owner permission, 1 that of a witness, 2 and more are active ones. */
  readonly id: number;
  /** Whoever could change it named it. */
  readonly name: ForeignText;
  /** The weight that signs. */
  readonly threshold: bigint;
  readonly keys: readonly PermissionKey[];
  /** Active permissions alone: 32 bytes, one bit a contract type. The owner permission allows everything. */
  readonly operations?: Hex;
}

/** Who decides over an account. */
export interface AccountPermissions {
  readonly owner: Permission;
  readonly witness?: Permission;
  readonly actives: readonly Permission[];
}

/** What an account has of which the chain tells nothing: its own key decides alone. */
export function ownKeyAlone(address: Address): AccountPermissions {
  const keys = [{ address, weight: 1n }];
  return { owner: { id: OWNER_ID, name: foreignText("owner"), threshold: 1n, keys }, actives: [] };
}

/** The permissions that sign transactions. */
export function signingPermissions({ owner, actives }: AccountPermissions): readonly Permission[] {
  return [owner, ...actives];
}

/** Whether the account's own key alone decides, and nobody else has a part: as every account begins. */
export function isUsual(address: Address, permissions: AccountPermissions): boolean {
  return signingPermissions(permissions).every(({ keys, threshold }) => {
    const [only, ...others] = keys;
    return only?.address === address && others.length === 0 && only.weight >= threshold;
  });
}

/** What of a permission says who reaches it. */
export type Quorum = Pick<Permission, "threshold" | "keys">;

/** The weight of these keys together. */
export function weightOf({ keys }: Pick<Quorum, "keys">, signers: readonly Address[]): bigint {
  return keys.reduce((sum, { address, weight }) => (signers.includes(address) ? sum + weight : sum), 0n);
}

/** The keys of a permission that are among these. */
export function partOf({ keys }: Pick<Quorum, "keys">, ours: ReadonlySet<Address>): readonly Address[] {
  return keys.map(({ address }) => address).filter((it) => ours.has(it));
}

/** Whether one of these keys is in any permission that signs. */
export function hasPart(permissions: AccountPermissions, ours: ReadonlySet<Address>): boolean {
  return signingPermissions(permissions).some((it) => partOf(it, ours).length > 0);
}

/**
 * As few of these keys as reach the threshold, for each signature costs; among equals the first one of the list.
 *
 * @returns undefined when all of them together do not reach it
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

/** Every set of keys that reaches the threshold and has none to spare, the smallest first. */
export function sufficientSets(permission: Quorum): readonly (readonly Address[])[] {
  const all = permission.keys.map(({ address }) => address);
  const subsets = Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_key, at) => (bits >> at) & 1));
  const reaches = (set: readonly Address[]): boolean => weightOf(permission, set) >= permission.threshold;
  return subsets
    .filter((set) => reaches(set) && !set.some((it) => reaches(set.filter((other) => other !== it))))
    .sort((left, right) => left.length - right.length);
}

/** What a permission update has to say to leave everything as it is: the chain replaces all of it at once. */
export interface PermissionSet {
  readonly ownerPermission: PermissionIntent;
  readonly witnessPermission?: PermissionIntent;
  readonly activePermissions: readonly PermissionIntent[];
}

/** What a gateway tells, as it would be signed. */
export function permissionSetOf({ owner, witness, actives }: AccountPermissions): PermissionSet {
  return {
    ownerPermission: intended(owner),
    ...(witness === undefined ? {} : { witnessPermission: intended(witness) }),
    activePermissions: actives.map(intended),
  };
}

/** The name goes back as it was written. */
function intended({ name, threshold, keys, operations }: Permission): PermissionIntent {
  return { name: rawText(name), threshold, keys, ...(operations === undefined ? {} : { operations }) };
}

/** What a node counts of the signatures of a transaction, by the permission that it names. */
export interface SignWeight {
  readonly weight: bigint;
  /** Absent where the account has no such permission. */
  readonly threshold?: bigint;
  /** Whose signatures count. */
  readonly signers: readonly Address[];
  /** Absent when they are enough. */
  readonly refusal?: { readonly code: string; readonly message: ForeignText };
}
