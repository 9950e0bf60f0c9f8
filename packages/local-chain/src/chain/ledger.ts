import type { Address, Hex } from "@finality/tron/primitives";
import {
  type Account,
  type ContractRecord,
  type ContractUse,
  defaultOperations,
  isDefaultPermission,
  newAccount,
  type StorageKey,
  storageKey,
} from "./account.ts";
import { type ChainParameters, type ChainRules, defaultParameters, initialRules, type Proposal } from "./parameters.ts";
import { NO_STAKE, type Stake, slotOf, UNUSED, type Usage } from "./stake.ts";
import type { StateOrigin } from "./state-origin.ts";
import { NO_TOKEN_ID, NO_TOKENS, sumOfTokens, type Token, type TokenBalances, type TokenId } from "./token.ts";
import {
  type Asset,
  COIN,
  type Exchange,
  type Order,
  type OrderId,
  type Pair,
  type PriceLevel,
  type Seller,
} from "./trading.ts";
import type { Ballot, EarningKey, Witness } from "./witness.ts";

/** Packing of values that are rarely used. */
export interface Packing<Key, Value> {
  pack(value: Value): unknown;
  unpack(key: Key, packed: unknown): Value;
}

/** Number of values of a packed table that also stay unpacked. */
const RECENT = 2_000;

/** Entries below the oldest layer: those of the network of a fork. */
interface EntrySource<Key, Value> {
  value(key: Key): Value | undefined;
}

/** Stored in the oldest layer of a fork for a removed entry, which hides that of the network. */
const REMOVED = null;

/**
 * A map layered over an older map: entries here hide those below, which change only in `commit`. A removed entry hides
 * the one below. The oldest map of a fork lies over the entries of the network.
 */
export class Table<Key, Value> {
  #below: Table<Key, Value> | undefined;
  /** Created with the first entry: most layers write into few tables. */
  #own: Map<Key, unknown> | undefined;
  readonly #packing: Packing<Key, Value> | undefined;
  /** Entries of the network; undefined unless this is the oldest map of a fork. */
  readonly #origin: EntrySource<Key, Value> | undefined;
  #recent: Map<Key, Value> | undefined;

  /** @param packing - how the oldest table keeps its values; those that lie over others keep them as they are */
  constructor(below?: Table<Key, Value>, packing?: Packing<Key, Value>, origin?: EntrySource<Key, Value>) {
    this.#below = below;
    this.#packing = below === undefined ? packing : undefined;
    this.#origin = below === undefined ? origin : undefined;
  }

  get(key: Key): Value | undefined {
    for (let layer: Table<Key, Value> = this; ; layer = layer.#below) {
      const stored = layer.#own?.get(key);
      if (stored !== undefined) return stored === REMOVED ? undefined : layer.#unpacked(key, stored);
      if (layer.#own?.has(key) === true) return undefined;
      if (layer.#below === undefined) return layer.#origin?.value(key);
    }
  }

  /** Returns the entry of the network from which the chain was forked, whatever the chain has changed. */
  original(key: Key): Value | undefined {
    return this.#below === undefined ? this.#origin?.value(key) : this.#below.original(key);
  }

  /** @param value - undefined takes the entry away */
  set(key: Key, value: Value | undefined): void {
    this.#own ??= new Map();
    this.#recent?.delete(key);
    const removed = this.#origin === undefined ? undefined : REMOVED;
    this.#own.set(key, value === undefined ? removed : (this.#packing?.pack(value) ?? value));
  }

  #unpacked(key: Key, stored: unknown): Value {
    if (this.#packing === undefined) return stored as Value;
    return this.#recent?.get(key) ?? this.#remembered(key, this.#packing.unpack(key, stored));
  }

  #remembered(key: Key, value: Value): Value {
    if (this.#recent === undefined || this.#recent.size >= RECENT) this.#recent = new Map();
    this.#recent.set(key, value);
    return value;
  }

  /** Returns the entries of this layer. */
  own(): Iterable<readonly [Key, Value | undefined]> {
    if (this.#own === undefined) return [];
    if (this.#packing !== undefined || this.#origin !== undefined) return unpacked(this.#own, this.#packing);
    return this.#own as ReadonlyMap<Key, Value | undefined>;
  }

  /** Returns the stored entries, packed where the table packs. */
  kept(): Iterable<readonly [Key, unknown]> {
    return this.#own ?? [];
  }

  /** Returns the value of a stored entry of the oldest layer; for an absent one that of the network. */
  read(key: Key, stored: unknown): Value | undefined {
    if (stored === undefined) return this.#origin?.value(key);
    if (stored === REMOVED) return undefined;
    return this.#packing === undefined ? (stored as Value) : this.#packing.unpack(key, stored);
  }

  /** Returns an entry of this layer as it is stored. */
  stored(key: Key): unknown {
    return this.#own?.get(key);
  }

  /** Sets an entry of the oldest layer as it is stored. @param value - undefined takes the entry away */
  putStored(key: Key, value: unknown): void {
    this.#recent?.delete(key);
    this.#own ??= new Map();
    if (value === undefined) this.#own.delete(key);
    else this.#own.set(key, value);
  }

  /** Adds stored entries of a table of the same kind. */
  take(stored: Iterable<readonly [Key, unknown]>): void {
    this.#own = new Map(stored);
    this.#recent = undefined;
  }

  /** Returns all entries, those of the oldest layer first. */
  entries(): ReadonlyMap<Key, Value> {
    const all = new Map<Key, Value>(this.#below?.entries());
    for (const [key, value] of this.own()) {
      if (value === undefined) all.delete(key);
      else all.set(key, value);
    }
    return all;
  }

  /** Writes this layer into its parent. */
  commit(): void {
    if (this.#below !== undefined) this.writeInto(this.#below);
  }

  /** Replaces the table below after the old one was committed. */
  rebase(below: Table<Key, Value>): void {
    this.#below = below;
  }

  /** Writes entries into another table. Removals are dropped where nothing is below. */
  writeInto(other: Table<Key, Value>): void {
    if (this.#own === undefined) return;
    if (this.#packing !== undefined && this.#packing === other.#packing && other.#own === undefined) {
      other.take(this.kept());
      return;
    }
    for (const [key, value] of this.own()) {
      const hidesNothing = other.#below === undefined && other.#origin === undefined;
      if (value === undefined && hidesNothing) other.#own?.delete(key);
      else other.set(key, value);
      if (value !== undefined && other.#packing !== undefined) other.#remembered(key, value);
    }
  }
}

function* unpacked<Key, Value>(
  own: ReadonlyMap<Key, unknown>,
  packing: Packing<Key, Value> | undefined,
): Iterable<readonly [Key, Value | undefined]> {
  for (const [key, stored] of own) {
    if (stored === undefined || stored === REMOVED) yield [key, undefined];
    else yield [key, packing === undefined ? (stored as Value) : packing.unpack(key, stored)];
  }
}

/** Fields in which an account differs from a new account. */
type PackedAccount = Partial<Account> & { readonly operations?: Uint8Array };

const NO_OPERATIONS = new Uint8Array();
/** Solidified accounts store their tokens separately, so the flag is not stored with each. */
const PLAIN: { readonly [field: string]: unknown } = {
  ...newAccount("" as Address, 0, NO_OPERATIONS),
  tokensApart: true,
};

/** Packs accounts: a million with coins only take 250 MB, a sixth of the unpacked size. */
export const accountPacking: Packing<Address, Account> = {
  pack: (account) => {
    const packed: { [field: string]: unknown } = {};
    for (const field in account) {
      const value = account[field as keyof Account];
      if (value !== PLAIN[field] && field !== "address" && !isDefaultPermission(value)) packed[field] = value;
    }
    const operations = defaultOperations(account);
    return operations === undefined ? packed : { ...packed, operations };
  },

  unpack: (address, packed) => {
    const { operations = NO_OPERATIONS, ...own } = packed as PackedAccount;
    return { ...newAccount(address, 0, operations), tokensApart: true, ...own };
  },
};

/** Accounts that a development tool exempts from signature checks. */
export interface Exemptions {
  /** Accounts whose transactions need no signature; any signature is accepted. */
  readonly unlocked: readonly Address[];
  /** Accounts whose transactions may have the signature of any key. */
  readonly impersonated: readonly Address[];
}

/** Chain-wide values. */
export interface Totals extends ChainRules, Exemptions {
  /** Whole coins staked by all accounts. */
  readonly weight: Stake;
  /** Free bandwidth used by all accounts together. */
  readonly publicNet: Usage;
  /** Sun that fees have taken out of circulation. */
  readonly burnt: bigint;
  /** Sun lost with destroyed contracts, which do not count as burnt. */
  readonly lost: bigint;
  /** Tokens lost with destroyed contracts. */
  readonly lostTokens: TokenBalances;
  /** Number of the newest token. */
  readonly newestToken: number;
  /** Number of exchanges, which is the id of the newest. */
  readonly exchanges: bigint;
  /** Number of blocks in the slot of their parent: see `slotAt`. */
  readonly extraSlots: number;
  /** Sun issued as rewards, without the part covered by fees. */
  readonly minted: bigint;
  /** Sun of fees for the producer of the block. */
  readonly feePool: bigint;
  /** Number of vote counts. */
  readonly cycle: number;
  /** Chain time in ms from which the next block counts the votes. */
  readonly nextMaintenance: number;
  /** Active witnesses in the order of their turns. */
  readonly active: readonly Address[];
  readonly newestProposal: number;
}

export const INITIAL_TOTALS: Totals = {
  weight: NO_STAKE,
  publicNet: UNUSED,
  burnt: 0n,
  unlocked: [],
  impersonated: [],
  extraSlots: 0,
  lost: 0n,
  lostTokens: NO_TOKENS,
  newestToken: NO_TOKEN_ID,
  exchanges: 0n,
  minted: 0n,
  feePool: 0n,
  cycle: 0,
  nextMaintenance: 0,
  active: [],
  newestProposal: 0,
  ...initialRules(defaultParameters),
};

/** Tables of the state: key and value types. */
interface TableTypes {
  accounts: [Address, Account];
  contracts: [Address, ContractRecord];
  uses: [Address, ContractUse];
  /** Storage slots. */
  words: [StorageKey, bigint];
  tokens: [TokenId, Token];
  /** Accounts by name. */
  names: [Hex, Address];
  /** Accounts by id (`idKey`). */
  ids: [string, Address];
  exchanges: [bigint, Exchange];
  orders: [OrderId, Order];
  sellers: [Address, Seller];
  /** Open orders, cheapest first. */
  prices: [Pair, readonly PriceLevel[]];
  witnesses: [Address, Witness];
  /** Changed votes since the last count, by account. */
  ballots: [Address, Ballot];
  /** Cumulative reward of one vote for a witness, by cycle. */
  earnings: [EarningKey, bigint];
  proposals: [number, Proposal];
}

export type TableName = keyof TableTypes;
type TableOf<Name extends TableName> = Table<TableTypes[Name][0], TableTypes[Name][1]>;
type Tables = { readonly [Name in TableName]: TableOf<Name> };

/**
 * Chain state as a layer over an older state. Each unsolidified block, the pool and each trial has a layer of its own,
 * so that undoing drops the layer.
 */
export class Ledger {
  #parent: Ledger | undefined;
  readonly tables: Tables;
  #totals: Totals | undefined;

  /** @param origin - what lies below the oldest layer of a fork */
  constructor(parent?: Ledger, origin?: StateOrigin) {
    this.#parent = parent;
    this.tables = tablesOver(parent?.tables, origin);
  }

  account(address: Address): Account | undefined {
    return this.tables.accounts.get(address);
  }

  contract(address: Address): ContractRecord | undefined {
    return this.tables.contracts.get(address);
  }

  /** Returns a storage slot of a contract, or undefined. While code runs, a slot may exist with value 0. */
  row(storage: string, slot: bigint): bigint | undefined {
    return this.tables.words.get(storageKey(storage, slot));
  }

  get totals(): Totals {
    return this.#totals ?? this.#parent?.totals ?? INITIAL_TOTALS;
  }

  /**
   * Returns the slot of a time, by which resources recover. Each block has a slot of its own, as on a network with
   * blocks 3000 ms apart.
   *
   * @param time - chain time in ms, of the newest block
   */
  slotAt(time: number): number {
    return slotOf(time) + this.totals.extraSlots;
  }

  /** Counts a block that shares the slot of its parent. @param times - those of the block before and of this one */
  countSlot(before: number, time: number): void {
    const extra = 1 - (slotOf(time) - slotOf(before));
    if (extra > 0) this.changeTotals({ extraSlots: this.totals.extraSlots + extra });
  }

  get parameters(): ChainParameters {
    return this.totals.parameters;
  }

  witness(address: Address): Witness | undefined {
    return this.tables.witnesses.get(address);
  }

  /** Returns all witnesses, oldest first. */
  witnesses(): Iterable<Witness> {
    return this.tables.witnesses.entries().values();
  }

  put(account: Account): void {
    this.tables.accounts.set(account.address, account);
  }

  putContract(contract: ContractRecord): void {
    this.tables.contracts.set(contract.address, contract);
  }

  putWitness(witness: Witness): void {
    this.tables.witnesses.set(witness.address, witness);
  }

  putRow(storage: string, slot: bigint, value: bigint): void {
    this.tables.words.set(storageKey(storage, slot), value);
  }

  /** Removes a contract and its account, as SELFDESTRUCT does at the end of a transaction. */
  removeContract(address: Address): void {
    const { balance, tokens } = this.account(address) ?? { balance: 0n, tokens: NO_TOKENS };
    this.lose(balance, tokens);
    this.tables.accounts.set(address, undefined);
    this.tables.contracts.set(address, undefined);
  }

  /** Adds an amount to the lost coins and tokens. @param amount - sun */
  lose(amount: bigint, tokens: TokenBalances): void {
    const { lost, lostTokens } = this.totals;
    this.changeTotals({ lost: lost + amount, lostTokens: sumOfTokens(lostTokens, tokens) });
  }

  /** Removes storage slots of value 0 at the end of a transaction. */
  dropZeroRows(): void {
    for (const [key, value] of this.tables.words.own()) if (value === 0n) this.tables.words.set(key, undefined);
  }

  changeTotals(changes: Partial<Totals>): void {
    this.#totals = { ...this.totals, ...changes };
  }

  /** Writes this layer into its parent. */
  commit(): void {
    if (this.#parent === undefined) return;
    if (this.#parent.#parent === undefined) this.#keepTokensApart();
    for (const table of Object.values(this.tables)) table.commit();
    if (this.#totals !== undefined) this.#parent.changeTotals(this.#totals);
  }

  /** Removes token balances of 0 from the oldest layer. */
  #keepTokensApart(): void {
    for (const [, account] of this.tables.accounts.own()) {
      const apart = account && withTokensApart(account);
      if (apart !== undefined && apart !== account) this.put(apart);
    }
  }

  /** Replaces the parent of this layer after the old parent was committed. */
  rebase(parent: Ledger): void {
    this.#parent = parent;
    for (const name of TABLE_NAMES) putOn(this.tables[name], parent.tables[name]);
  }

  /** Returns the layer as plain values. */
  image(): LedgerImage {
    return {
      totals: this.#totals,
      tables: Object.fromEntries(TABLE_NAMES.map((name) => [name, [...this.tables[name].kept()]])),
    };
  }

  /** Restores a layer from an image. */
  static fromImage({ totals, tables }: LedgerImage, parent?: Ledger): Ledger {
    const ledger = new Ledger(parent);
    for (const name of TABLE_NAMES) takeInto(ledger.tables[name], tables[name] ?? []);
    if (totals !== undefined) ledger.changeTotals(totals);
    return ledger;
  }

  /** Returns whether this layer has totals of its own. */
  get hasTotals(): boolean {
    return this.#totals !== undefined;
  }

  /** Returns a table for its stored entries, whose types the name decides. */
  table(name: TableName): Table<unknown, unknown> {
    return this.tables[name] as Table<unknown, unknown>;
  }
}

function tablesOver(below: Tables | undefined, origin?: StateOrigin): Tables {
  return {
    accounts: new Table(below?.accounts, accountPacking, originOf(origin, "accounts")),
    contracts: new Table(below?.contracts, undefined, originOf(origin, "contracts")),
    uses: new Table(below?.uses, undefined, originOf(origin, "uses")),
    words: new Table(below?.words, undefined, originOf(origin, "words")),
    tokens: new Table(below?.tokens, undefined, originOf(origin, "tokens")),
    names: new Table(below?.names),
    ids: new Table(below?.ids),
    exchanges: new Table(below?.exchanges),
    orders: new Table(below?.orders),
    sellers: new Table(below?.sellers),
    prices: new Table(below?.prices),
    witnesses: new Table(below?.witnesses),
    ballots: new Table(below?.ballots),
    earnings: new Table(below?.earnings),
    proposals: new Table(below?.proposals),
  };
}

/** Returns the entries of the network for a table, whose types the name decides. */
function originOf<Name extends TableName>(
  origin: StateOrigin | undefined,
  name: Name,
): EntrySource<TableTypes[Name][0], TableTypes[Name][1]> | undefined {
  return origin && { value: (key) => origin.value(name, key) as TableTypes[Name][1] | undefined };
}

export const TABLE_NAMES = Object.keys(tablesOver(undefined)) as readonly TableName[];

/** Serialisable form of a layer. */
export interface LedgerImage {
  readonly totals: Totals | undefined;
  readonly tables: { readonly [name: string]: readonly (readonly [unknown, unknown])[] };
}

function takeInto<Name extends TableName>(table: TableOf<Name>, entries: LedgerImage["tables"][string]): void {
  table.take(entries as readonly (readonly [TableTypes[Name][0], unknown])[]);
}

function putOn<Name extends TableName>(table: TableOf<Name>, below: TableOf<Name>): void {
  table.rebase(below);
}

/** Creates an account that is not yet in the ledger. @param now - chain time in ms */
export function createdAccount({ totals }: Ledger, address: Address, now: number): Account {
  return newAccount(address, now, totals.operations.usual);
}

/** @param delta - sun, negative to take away; the caller has checked that it is there */
export function addBalance(ledger: Ledger, account: Account, delta: bigint): void {
  ledger.put({ ...account, balance: account.balance + delta });
}

/** Subtracts a fee from an account and burns it. */
export function burn(ledger: Ledger, account: Account, fee: bigint): void {
  addBalance(ledger, account, -fee);
  ledger.changeTotals({ burnt: ledger.totals.burnt + fee });
}

/** Subtracts a fee for bandwidth or energy. It goes to the producer if the chain rules say so, else it is burnt. */
export function collect(ledger: Ledger, account: Account, fee: bigint): void {
  if (ledger.parameters.getAllowTransactionFeePool !== 1) {
    burn(ledger, account, fee);
    return;
  }
  addBalance(ledger, account, -fee);
  ledger.changeTotals({ feePool: ledger.totals.feePool + fee });
}

/** Returns the balance in the smallest unit. */
export function tokenBalance({ tokens }: Account, id: TokenId): bigint {
  return tokens.get(id) ?? 0n;
}

/** @param delta - negative to take away; the caller has checked that it is there */
export function addTokens(ledger: Ledger, account: Account, id: TokenId, delta: bigint): Account {
  const tokens = new Map(account.tokens).set(id, tokenBalance(account, id) + delta);
  const changed = { ...account, tokens };
  ledger.put(changed);
  return changed;
}

/** Returns an account as the node stores it once its block is solidified. */
function withTokensApart(account: Account): Account {
  if (account.tokensApart && account.tokens.size === 0) return account;
  const all = [...account.tokens];
  const tokens = all.filter(([, balance]) => balance !== 0n);
  if (account.tokensApart && tokens.length === all.length) return account;
  return { ...account, tokensApart: true, tokens: tokens.length === 0 ? NO_TOKENS : new Map(tokens) };
}

/** Returns the balance in sun or in the token's smallest unit. */
export function assetBalance(account: Account, asset: Asset): bigint {
  return asset === COIN ? account.balance : tokenBalance(account, asset);
}

/** @param delta - negative to take away; the caller has checked that it is there */
export function addAsset(ledger: Ledger, account: Account, asset: Asset, delta: bigint): Account {
  if (asset !== COIN) return addTokens(ledger, account, asset, delta);
  const changed = { ...account, balance: account.balance + delta };
  ledger.put(changed);
  return changed;
}
