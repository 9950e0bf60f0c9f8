import type { Address } from "../../core/primitives/address.ts";
import type { Permission } from "../../core/transaction/gen/transaction_pb.js";
import { defaultActivePermission, defaultOwnerPermission } from "./permission.ts";
import { type ByResource, type Loan, NO_STAKE, type Stake, type Unstaking } from "./stake.ts";
import { UNUSED, UNUSED_WINDOW, type Usage, type WindowedUsage } from "./usage.ts";

/** One account. Never changed: every change makes a new value (see `ledger.ts`). */
export interface Account {
  readonly address: Address;
  /** The account of a contract, with its name; nobody has a key for it. */
  readonly contractName?: string;
  /** Sun. */
  readonly balance: bigint;
  /** Chain time in ms. */
  readonly createdAt: number;
  /** Chain time in ms of the last transaction it paid for. */
  readonly lastOperationAt: number;
  readonly freeNet: Usage;
  /** What it has used of its stake. */
  readonly used: ByResource<WindowedUsage>;
  /** Sun staked, without what is lent to others. */
  readonly stake: Stake;
  /** Sun staked and lent to others. */
  readonly lent: ByResource<bigint>;
  /** Sun that others have staked and lent to it. */
  readonly borrowed: ByResource<bigint>;
  /** To whom it lends and who lends to it, the latest last. */
  readonly loans: readonly Loan[];
  readonly lenders: readonly Address[];
  readonly unstaking: readonly Unstaking[];
  /** Whether it has staked since votes have a stake of their own: it then has no power from other stakes. */
  readonly oldPowerSettled: boolean;
  readonly ownerPermission: Permission;
  readonly activePermissions: readonly Permission[];
}

export function newAccount(address: Address, createdAt: number, balance = 0n): Account {
  return {
    address,
    balance,
    createdAt,
    lastOperationAt: 0,
    freeNet: UNUSED,
    used: { bandwidth: UNUSED_WINDOW, energy: UNUSED_WINDOW },
    stake: NO_STAKE,
    lent: { bandwidth: 0n, energy: 0n },
    borrowed: { bandwidth: 0n, energy: 0n },
    loans: [],
    lenders: [],
    unstaking: [],
    oldPowerSettled: false,
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

/** The account of a contract: nobody has a key for it, so nothing but its code moves its coins, and no time is kept. */
export function newContractAccount(address: Address, contractName: string): Account {
  return { ...newAccount(address, 0), contractName, activePermissions: [] };
}
