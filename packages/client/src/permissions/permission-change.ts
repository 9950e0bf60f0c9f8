import { type Address, rawText } from "@finality/tron/primitives";
import type { Intent, PermissionIntent, PermissionKey } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import {
  type AccountPermissions,
  allowsOperation,
  OWNER_ID,
  operationOf,
  ownKeysIn,
  PERMISSION_UPDATE,
  type Permission,
  type PermissionSet,
  type Quorum,
  signersFrom,
  signingPermissions,
  WITNESS_ID,
  weightOf,
} from "./permissions.ts";

/** Result of checking keys against the permission that a transaction names. */
export type Authority = SufficientWeight | RefusedAuthority;

/** Sufficient keys among the given ones. */
interface SufficientWeight {
  readonly kind: "enough";
  readonly permission: Permission;
  readonly signers: readonly Address[];
}

/** All of them together have too little weight. */
export interface InsufficientWeight {
  readonly kind: "short";
  readonly permission: Permission;
  readonly signers: readonly Address[];
  readonly weight: bigint;
  /** Keys that could add the missing weight. */
  readonly missing: readonly PermissionKey[];
}

export type RefusedAuthority =
  | InsufficientWeight
  /** No key is in the permission, or the permission does not allow this transaction type. */
  | { readonly kind: "foreign" | "denied"; readonly permission: Permission }
  /** There is no permission with this ID, or it only signs blocks. */
  | { readonly kind: "absent"; readonly id: number };

/** Part of an intent that permissions depend on. */
export type SigningRequest = Pick<Intent, "kind" | "permissionId">;

/**
 * Checks keys as the node does before it counts signatures (TransactionCapsule.validateSignature): the permission, its
 * operations, then the weights.
 *
 * @param ours - Keys that can sign.
 */
export function checkAuthority(
  permissions: AccountPermissions,
  request: SigningRequest,
  ours: ReadonlySet<Address>,
): Authority {
  const { kind, permissionId: id = OWNER_ID } = request;
  const permission = id === WITNESS_ID ? undefined : signingPermissions(permissions).find((it) => it.id === id);
  if (permission === undefined) return { kind: "absent", id };
  if (!allows(permission, kind)) return { kind: "denied", permission };
  return quorumOf(permission, ours);
}

/** Returns the permissions by which these keys can sign such a transaction. */
export function permissionsAllowing(
  permissions: AccountPermissions,
  kind: Intent["kind"],
  ours: ReadonlySet<Address>,
): readonly Permission[] {
  return signingPermissions(permissions).filter((it) => allows(it, kind) && signersFrom(it, ours) !== undefined);
}

/** The owner permission allows everything. */
function allows({ id, operations }: Permission, kind: Intent["kind"]): boolean {
  return (
    id === OWNER_ID || (operations !== undefined && kind !== "other" && allowsOperation(operations, operationOf[kind]))
  );
}

function quorumOf(permission: Permission, ours: ReadonlySet<Address>): Authority {
  const part = ownKeysIn(permission, ours);
  if (part.length === 0) return { kind: "foreign", permission };
  const signers = signersFrom(permission, ours);
  if (signers !== undefined) return { kind: "enough", permission, signers };
  const missing = permission.keys.filter(({ address }) => !ours.has(address));
  return { kind: "short", permission, signers: part, weight: weightOf(permission, part), missing };
}

/** Loss of control: no local key could change the account's permissions. */
export interface LockOut {
  /** Weight of all local keys in the owner permission. */
  readonly weight: bigint;
  readonly threshold: bigint;
  /** Other keys of the owner permission. */
  readonly others: readonly PermissionKey[];
  /** Active permissions whose threshold local keys still reach. */
  readonly left: readonly PermissionIntent[];
}

/**
 * Returns the loss of control after a change; it depends on the signed content only, never on a gateway's answer.
 *
 * @returns undefined if the keys keep control
 */
export function findLockOut(after: PermissionSet, ours: ReadonlySet<Address>): LockOut | undefined {
  const { ownerPermission: owner, activePermissions } = after;
  if (signersFrom(owner, ours) !== undefined) return undefined;
  return {
    weight: weightOf(owner, ownKeysIn(owner, ours)),
    threshold: owner.threshold,
    others: owner.keys.filter(({ address }) => !ours.has(address)),
    left: activePermissions.filter((it) => signersFrom(it, ours) !== undefined),
  };
}

/** Returns the other keys that could do everything together without any of these; none if they could not. */
export function foreignControl(after: PermissionSet, ours: ReadonlySet<Address>): readonly PermissionIntent[] {
  const mayDoAll = ({ operations = "" as NonNullable<PermissionIntent["operations"]> }: PermissionIntent): boolean =>
    allowsOperation(operations, PERMISSION_UPDATE);
  const decisive = [after.ownerPermission, ...after.activePermissions.filter(mayDoAll)];
  return decisive.filter((it) => foreignKeysReach(it, ours));
}

function foreignKeysReach(permission: Quorum, ours: ReadonlySet<Address>): boolean {
  const strangers = permission.keys.filter(({ address }) => !ours.has(address)).map(({ address }) => address);
  return weightOf(permission, strangers) >= permission.threshold;
}

/** Permission before and after. `before` is undefined for a new one, `after` for a removed one. */
export interface PermissionChange {
  readonly type: "owner" | "witness" | "active";
  /** Its ID after the change, or before if it was removed. */
  readonly id: number;
  readonly before?: Permission | undefined;
  readonly after?: PermissionIntent | undefined;
  readonly isSame: boolean;
}

/**
 * Returns the changes of each permission. Active permissions have only a number on the chain, which shifts when an
 * earlier one is removed. They are paired by equality, then by name, then by number.
 */
export function changesBetween(before: AccountPermissions, after: PermissionSet): readonly PermissionChange[] {
  const { ownerPermission, witnessPermission, activePermissions } = after;
  const gone = [...before.actives];
  const take = (fits: (it: Permission) => boolean): Permission | undefined => {
    const index = gone.findIndex(fits);
    return index < 0 ? undefined : gone.splice(index, 1)[0];
  };
  const equal = activePermissions.map((it) => take((other) => isEqual(other, it)));
  const named = activePermissions.map((it, at) => equal[at] ?? take(({ name }) => rawText(name) === it.name));
  const paired = activePermissions.map((_, at) => named[at] ?? take(({ id }) => id === at + 2));
  return [
    changeOf("owner", 0, before.owner, ownerPermission),
    ...(before.witness === undefined && witnessPermission === undefined
      ? []
      : [changeOf("witness", 1, before.witness, witnessPermission)]),
    ...activePermissions.map((it, at) => changeOf("active", at + 2, paired[at], it)),
    ...gone.map((it) => changeOf("active", it.id, it, undefined)),
  ];
}

function changeOf(
  type: PermissionChange["type"],
  id: number,
  before: Permission | undefined,
  after: PermissionIntent | undefined,
): PermissionChange {
  const isSame = before !== undefined && after !== undefined && isEqual(before, after) && before.id === id;
  return { type, id, before, after, isSame };
}

function isEqual(before: Permission, after: PermissionIntent): boolean {
  return (
    rawText(before.name) === after.name &&
    before.threshold === after.threshold &&
    (before.operations ?? "") === (after.operations ?? "") &&
    before.keys.length === after.keys.length &&
    before.keys.every(({ address, weight }, at) => {
      const other = after.keys[at];
      return other?.address === address && other.weight === weight;
    })
  );
}

const MAX_KEYS = 5;
const MAX_ACTIVES = 8;
const MAX_NAME = 32;
const MAX_LONG = 2n ** 63n - 1n;

/**
 * Returns the reasons for which the chain would refuse a change, without full stops (AccountPermissionUpdateActuator).
 * Supported contract types are left to the chain.
 */
export function permissionProblems({
  ownerPermission,
  witnessPermission,
  activePermissions,
}: PermissionSet): readonly string[] {
  const all = [
    ...problemsOf(t`the owner permission`, ownerPermission),
    ...(witnessPermission === undefined ? [] : problemsOf(t`the witness permission`, witnessPermission)),
    ...activePermissions.flatMap((it, at) => [
      ...problemsOf(t`the active permission ${at + 2}`, it),
      ...((it.operations ?? "").length === 64 ? [] : [t`the active permission ${at + 2} has no mask of operations`]),
    ]),
  ];
  if (witnessPermission !== undefined && witnessPermission.keys.length > 1)
    all.push(t`the witness permission has exactly one key`);
  if (activePermissions.length === 0) all.push(t`an account needs at least one active permission`);
  if (activePermissions.length > MAX_ACTIVES) all.push(t`an account has at most ${MAX_ACTIVES} active permissions`);
  return all;
}

function problemsOf(which: string, { name, threshold, keys }: PermissionIntent): readonly string[] {
  const sum = keys.reduce((total, { weight }) => total + weight, 0n);
  const wrong: readonly (readonly [boolean, string])[] = [
    [Buffer.byteLength(name) > MAX_NAME, t`the name of ${which} has more than ${MAX_NAME} bytes`],
    [keys.length === 0, t`${which} needs a key`],
    [keys.length > MAX_KEYS, t`${which} allows at most ${MAX_KEYS} keys`],
    [new Set(keys.map(({ address }) => address)).size !== keys.length, t`${which} has a duplicate key`],
    [keys.some(({ weight }) => weight <= 0n), t`a key of ${which} has no weight`],
    [sum > MAX_LONG, t`the sum of the weights of ${which} is too large`],
    [threshold <= 0n, t`the threshold of ${which} must be greater than 0`],
    [
      sum < threshold,
      t`the keys of ${which} have a total weight of ${String(sum)}, less than its threshold of ${String(threshold)}`,
    ],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, sentence]) => sentence);
}
