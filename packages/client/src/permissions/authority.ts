import type { Address } from "@finality/tron/primitives";
import type { Intent, PermissionKey } from "@finality/tron/transaction";
import { allowsOperation, operationOf } from "./operations.ts";
import {
  type AccountPermissions,
  OWNER_ID,
  type Permission,
  partOf,
  signersFrom,
  signingPermissions,
  WITNESS_ID,
  weightOf,
} from "./permissions.ts";

/** Whether keys may sign a transaction, by the permission that it names. */
export type Authority = Enough | RefusedAuthority;

/** These of them are enough. */
export interface Enough {
  readonly kind: "enough";
  readonly permission: Permission;
  readonly signers: readonly Address[];
}

/** All of them together weigh too little. */
export interface Short {
  readonly kind: "short";
  readonly permission: Permission;
  readonly signers: readonly Address[];
  readonly weight: bigint;
  /** Who could add what is missing. */
  readonly missing: readonly PermissionKey[];
}

export type RefusedAuthority =
  | Short
  /** None of them is in it, or it does not allow such a transaction, whoever signs. */
  | { readonly kind: "foreign" | "denied"; readonly permission: Permission }
  /** There is none of this number, or it signs blocks alone. */
  | { readonly kind: "absent"; readonly id: number };

/** What is to be signed, as far as permissions ask. */
export type Asked = Pick<Intent, "kind" | "permissionId">;

/**
 * Judges as the node does before it counts signatures (TransactionCapsule.validateSignature): the permission, its
 * operations, then weights.
 *
 * @param ours - the keys that can sign
 */
export function authorityFor(permissions: AccountPermissions, asked: Asked, ours: ReadonlySet<Address>): Authority {
  const { kind, permissionId: id = OWNER_ID } = asked;
  const permission = id === WITNESS_ID ? undefined : signingPermissions(permissions).find((it) => it.id === id);
  if (permission === undefined) return { kind: "absent", id };
  if (!allows(permission, kind)) return { kind: "denied", permission };
  return quorumOf(permission, ours);
}

/** The permissions by which these keys can sign such a transaction. */
export function permissionsThatDo(
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
  const part = partOf(permission, ours);
  if (part.length === 0) return { kind: "foreign", permission };
  const signers = signersFrom(permission, ours);
  if (signers !== undefined) return { kind: "enough", permission, signers };
  const missing = permission.keys.filter(({ address }) => !ours.has(address));
  return { kind: "short", permission, signers: part, weight: weightOf(permission, part), missing };
}
