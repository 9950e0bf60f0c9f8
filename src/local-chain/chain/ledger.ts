import type { Address } from "../../core/primitives/address.ts";
import type { Account } from "./account.ts";
import { NO_STAKE, type Stake } from "./stake.ts";
import { UNUSED, type Usage } from "./usage.ts";

/** What is true of the chain as a whole. */
export interface Totals {
  /** Whole coins staked by everybody. */
  readonly weight: Stake;
  /** The free bandwidth that all accounts together have used. */
  readonly publicNet: Usage;
  /** Sun that fees have taken out of circulation. */
  readonly burnt: bigint;
}

const NOTHING: Totals = { weight: NO_STAKE, publicNet: UNUSED, burnt: 0n };

/**
 * The state of the chain as a layer over an older state. Every unsolidified block, the pool, and every transaction
 * that is being tried has a layer of its own, so that taking one back means forgetting it.
 */
export class Ledger {
  #parent: Ledger | undefined;
  readonly #accounts = new Map<Address, Account>();
  #totals: Totals | undefined;

  constructor(parent?: Ledger) {
    this.#parent = parent;
  }

  account(address: Address): Account | undefined {
    return this.#accounts.get(address) ?? this.#parent?.account(address);
  }

  get totals(): Totals {
    return this.#totals ?? this.#parent?.totals ?? NOTHING;
  }

  put(account: Account): void {
    this.#accounts.set(account.address, account);
  }

  setTotals(totals: Totals): void {
    this.#totals = totals;
  }

  /** Writes this layer into the one below. */
  commit(): void {
    const parent = this.#parent;
    if (parent === undefined) return;
    for (const account of this.#accounts.values()) parent.put(account);
    if (this.#totals !== undefined) parent.setTotals(this.#totals);
  }

  /** Puts this layer on another one: its old parent has been written into that. */
  rebase(parent: Ledger): void {
    this.#parent = parent;
  }

  /** The same layer over another parent, so that both can go on independently. */
  copy(parent?: Ledger): Ledger {
    const copy = new Ledger(parent);
    for (const account of this.#accounts.values()) copy.put(account);
    copy.#totals = this.#totals;
    return copy;
  }
}

/** @param delta - sun, negative to take away; the caller has checked that it is there */
export function addBalance(ledger: Ledger, account: Account, delta: bigint): void {
  ledger.put({ ...account, balance: account.balance + delta });
}

/** Takes a fee from an account and out of circulation. */
export function burn(ledger: Ledger, account: Account, fee: bigint): void {
  addBalance(ledger, account, -fee);
  ledger.setTotals({ ...ledger.totals, burnt: ledger.totals.burnt + fee });
}
