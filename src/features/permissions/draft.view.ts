import { type KeysHere, quorumText } from "@finality/client/labels";
import {
  type AccountPermissions,
  changesBetween,
  operations,
  operationsIn,
  PERMISSION_UPDATE,
  type PermissionSet,
  permissionProblems,
} from "@finality/client/permissions";
import { type Checked, grouped } from "@finality/tron/format";
import { type Address, wholeNumberIn } from "@finality/tron/primitives";
import type { PermissionIntent, PermissionKey } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";

/** Position of a permission; includes the index for an active one. */
export type At = "owner" | "witness" | number;

export function permissionAt(set: PermissionSet, at: At): PermissionIntent | undefined {
  if (at === "owner") return set.ownerPermission;
  return at === "witness" ? set.witnessPermission : set.activePermissions[at];
}

/** Replaces the permission at a position; without a replacement an active permission is removed. */
export function withPermission(set: PermissionSet, at: At, changed: PermissionIntent | undefined): PermissionSet {
  if (typeof at === "number") {
    const { activePermissions: all } = set;
    const added = changed === undefined ? [] : [changed];
    return { ...set, activePermissions: [...all.slice(0, at), ...added, ...all.slice(at + 1)] };
  }
  if (changed === undefined) return set;
  return at === "owner" ? { ...set, ownerPermission: changed } : { ...set, witnessPermission: changed };
}

/** Sets the weight of a key and adds a missing key. Weight 0 removes it. */
export function withKey(permission: PermissionIntent, { address, weight }: PermissionKey): PermissionIntent {
  const { keys } = permission;
  if (weight === 0n) return { ...permission, keys: keys.filter((it) => it.address !== address) };
  const known = keys.some((it) => it.address === address);
  const changed = keys.map((it) => (it.address === address ? { address, weight } : it));
  return { ...permission, keys: known ? changed : [...keys, { address, weight }] };
}

/** Returns a permission of the account's own key with the common operations. */
export function newActive(owner: Address, mask: NonNullable<PermissionIntent["operations"]>): PermissionIntent {
  return { name: "payments", threshold: 1n, keys: [{ address: owner, weight: 1n }], operations: mask };
}

/** Returns the number of changed permissions. */
export function changeCount(before: AccountPermissions, after: PermissionSet): number {
  return changesBetween(before, after).filter(({ isSame }) => !isSame).length;
}

/** Returns the reason why a set cannot be signed yet, as a sentence; undefined if it can. */
export function whyNotYet(before: AccountPermissions, after: PermissionSet): string | undefined {
  const [refusal] = permissionProblems(after);
  if (refusal !== undefined) return t`Not yet: ${refusal}.`;
  return changeCount(before, after) === 0 ? t`Nothing is changed yet.` : undefined;
}

const MOST = 2n ** 63n - 1n;

/**
 * Validates a threshold or weight while the user types, and describes who could act with it.
 *
 * @param least - 0 removes a key.
 */
export function checkNumber(
  text: string,
  least: bigint,
  withNumber: (value: bigint) => PermissionIntent,
  here: KeysHere,
): Checked<bigint> {
  if (text.trim() === "") return { kind: "empty" };
  const value = wholeNumberIn(text);
  if (value === undefined || value < least || value > MOST)
    return { kind: "wrong", message: t`Write a whole number from ${String(least)} to ${grouped(MOST)}.` };
  const changed = withNumber(value);
  return { kind: "good", value, message: t`It is then signed by ${quorumText(changed, here)}.` };
}

const MAX_NAME = 32;

export function checkName(text: string): Checked<string> {
  const name = text.trim();
  if (name === "") return { kind: "empty" };
  const bytes = Buffer.byteLength(name);
  return bytes > MAX_NAME
    ? { kind: "wrong", message: t`The chain allows at most ${MAX_NAME} bytes, and this name has ${bytes}.` }
    : { kind: "good", value: name };
}

/** Named sets of operations. */
export interface Preset {
  readonly name: string;
  readonly label: string;
  readonly numbers: readonly number[];
}

/** Returns the presets. Operations in current permissions are known to exist on the chain. */
export function presetsFor({ actives }: AccountPermissions): readonly Preset[] {
  const known = new Set(actives.flatMap(({ operations: mask }) => (mask === undefined ? [] : operationsIn(mask))));
  const all = known.size > 0 ? [...known] : operations.map(({ number }) => number);
  return [
    { name: "payments", label: t`Payments`, numbers: [1, 2] },
    { name: "calls", label: t`Contract calls`, numbers: [31] },
    { name: "payments and calls", label: t`Payments and contract calls`, numbers: [1, 2, 31] },
    { name: "stakes", label: t`Stakes, delegations, votes and rewards`, numbers: [4, 13, 54, 55, 56, 57, 58, 59] },
    {
      name: "everything",
      label: t`Everything except permissions`,
      numbers: all.filter((it) => it !== PERMISSION_UPDATE),
    },
  ];
}
