import type { Address } from "../../core/primitives/address.ts";
import { type Account, type ContractRecord, type ContractUse, type StorageKey, storageKey } from "./account.ts";
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
  /** Sun that went with contracts that are gone: nobody has them, and they do not count as burnt. */
  readonly lost: bigint;
}

const NOTHING: Totals = { weight: NO_STAKE, publicNet: UNUSED, burnt: 0n, lost: 0n };

/**
 * The state of the chain as a layer over an older state. Every unsolidified block, the pool, and every transaction
 * that is being tried has a layer of its own, so that taking one back means forgetting it.
 */
export class Ledger {
  #parent: Ledger | undefined;
  readonly #accounts = new LayeredMap<Address, Account>();
  readonly #contracts = new LayeredMap<Address, ContractRecord>();
  readonly #uses = new LayeredMap<Address, ContractUse>();
  readonly #storage = new LayeredMap<StorageKey, bigint>();
  #totals: Totals | undefined;

  constructor(parent?: Ledger) {
    this.#parent = parent;
  }

  account(address: Address): Account | undefined {
    for (let layer: Ledger | undefined = this; layer !== undefined; layer = layer.#parent) {
      if (layer.#accounts.has(address)) return layer.#accounts.get(address);
    }
    return undefined;
  }

  contract(address: Address): ContractRecord | undefined {
    for (let layer: Ledger | undefined = this; layer !== undefined; layer = layer.#parent) {
      if (layer.#contracts.has(address)) return layer.#contracts.get(address);
    }
    return undefined;
  }

  use(address: Address): ContractUse | undefined {
    for (let layer: Ledger | undefined = this; layer !== undefined; layer = layer.#parent) {
      if (layer.#uses.has(address)) return layer.#uses.get(address);
    }
    return undefined;
  }

  /** A row of a contract's storage, or undefined when there is none. While code runs, a row may be there and be 0. */
  row(storage: string, slot: bigint): bigint | undefined {
    const key = storageKey(storage, slot);
    for (let layer: Ledger | undefined = this; layer !== undefined; layer = layer.#parent) {
      if (layer.#storage.has(key)) return layer.#storage.get(key);
    }
    return undefined;
  }

  get totals(): Totals {
    return this.#totals ?? this.#parent?.totals ?? NOTHING;
  }

  put(account: Account): void {
    this.#accounts.set(account.address, account);
  }

  putContract(contract: ContractRecord): void {
    this.#contracts.set(contract.address, contract);
  }

  putUse(address: Address, use: ContractUse): void {
    this.#uses.set(address, use);
  }

  putRow(storage: string, slot: bigint, value: bigint): void {
    this.#storage.set(storageKey(storage, slot), value);
  }

  /** Takes a contract and its account away, as a suicide does at the end of its transaction. */
  removeContract(address: Address): void {
    this.lose(this.account(address)?.balance ?? 0n);
    this.#accounts.set(address, undefined);
    this.#contracts.set(address, undefined);
  }

  /** Notes sun that nobody can move any more. */
  lose(amount: bigint): void {
    this.#totals = { ...this.totals, lost: this.totals.lost + amount };
  }

  /** At the end of a transaction rows of 0 are no rows any more. */
  dropZeroRows(): void {
    for (const [key, value] of this.#storage.entries()) if (value === 0n) this.#storage.set(key, undefined);
  }

  setTotals(totals: Totals): void {
    this.#totals = totals;
  }

  /** Writes this layer into the one below. */
  commit(): void {
    if (this.#parent !== undefined) this.#writeInto(this.#parent);
  }

  /** Puts this layer on another one: its old parent has been written into that. */
  rebase(parent: Ledger): void {
    this.#parent = parent;
  }

  /** The same layer over another parent, so that both can go on independently. */
  copy(parent?: Ledger): Ledger {
    const copy = new Ledger(parent);
    this.#writeInto(copy);
    return copy;
  }

  #writeInto(other: Ledger): void {
    const isBottom = other.#parent === undefined;
    this.#accounts.commitTo(other.#accounts, isBottom);
    this.#contracts.commitTo(other.#contracts, isBottom);
    this.#uses.commitTo(other.#uses, isBottom);
    this.#storage.commitTo(other.#storage, isBottom);
    if (this.#totals !== undefined) other.setTotals(this.#totals);
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

/**
 * A map over an older map: what is written here hides what is below, and nothing below changes until `commitTo`.
 * An entry that is taken away hides the one below too.
 */
export class LayeredMap<Key, Value> {
  readonly #own = new Map<Key, Value | undefined>();

  /** Whether this layer itself says something of a key. */
  has(key: Key): boolean {
    return this.#own.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#own.get(key);
  }

  /** @param value - undefined takes the entry away */
  set(key: Key, value: Value | undefined): void {
    this.#own.set(key, value);
  }

  entries(): IterableIterator<[Key, Value | undefined]> {
    return this.#own.entries();
  }

  /** @param isBottom - nothing is below it that would have to be hidden: what was taken away is forgotten */
  commitTo(below: LayeredMap<Key, Value>, isBottom: boolean): void {
    for (const [key, value] of this.#own) {
      if (value === undefined && isBottom) below.#own.delete(key);
      else below.set(key, value);
    }
  }
}
