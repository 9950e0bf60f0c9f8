import type { Address } from "../../core/primitives/address.ts";
import type { Permission } from "../../core/transaction/gen/transaction_pb.js";
import { defaultActivePermission, defaultOwnerPermission } from "./permission.ts";

/** How much of a resource was used, as of a slot; it recovers linearly within 24 hours. */
export interface Usage {
  readonly amount: bigint;
  /** The slot of the last consumption: chain time / 3000. */
  readonly slot: number;
}

/** One account. Never changed: every change makes a new value (see `ledger.ts`). */
export interface Account {
  readonly address: Address;
  /** Sun. */
  readonly balance: bigint;
  /** Chain time in ms. */
  readonly createdAt: number;
  /** Chain time in ms of the last transaction it paid for. */
  readonly lastOperationAt: number;
  readonly freeNet: Usage;
  readonly net: Usage;
  /** Sun staked for bandwidth and for energy. */
  readonly stake: { readonly bandwidth: bigint; readonly energy: bigint };
  readonly ownerPermission: Permission;
  readonly activePermissions: readonly Permission[];
}

const UNUSED: Usage = { amount: 0n, slot: 0 };

export function newAccount(address: Address, createdAt: number, balance = 0n): Account {
  return {
    address,
    balance,
    createdAt,
    lastOperationAt: 0,
    freeNet: UNUSED,
    net: UNUSED,
    stake: { bandwidth: 0n, energy: 0n },
    ownerPermission: defaultOwnerPermission(address),
    activePermissions: [defaultActivePermission(address)],
  };
}

/** The permission that a contract's `Permission_id` names; an unknown account has the default ones. */
export function permissionOf(account: Account | undefined, address: Address, id: number): Permission | undefined {
  if (account === undefined) {
    return id === 0 ? defaultOwnerPermission(address) : id === 2 ? defaultActivePermission(address) : undefined;
  }
  return id === 0 ? account.ownerPermission : account.activePermissions.find((it) => it.id === id);
}
