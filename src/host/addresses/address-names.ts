import { shortAddress } from "@finality/tron/format";
import {
  type Address,
  type KnownName,
  labelKey,
  type NamedAddress,
  nameProblem,
  type ParsedNames,
  parseNames,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { address as readAddress, record, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { addressNamesSetting, onDidChangeSettings, writeAddressNames } from "../settings/settings.ts";

/** Names of addresses that are not account labels. */
export interface NameSource {
  list(): readonly KnownName[];
  /** Returns the contracts that the user deployed, each with the name of its artifact. */
  contracts(): readonly NamedAddress[];
  claims(): readonly NamedAddress[];
  onDidChange(listener: () => void): { dispose(): void };
}

/** Memory of the address that each name meant when the user accepted it, or when it was first seen. */
export interface NameMemory {
  /** Returns the address that a name meant before. */
  meaningOf(name: string): Address | undefined;
  /** Stores that a name means this address from now on. The user has confirmed it. */
  accept(named: NamedAddress): Promise<void>;
  /** Stores the addresses of names that were never seen. */
  remember(names: readonly NamedAddress[]): Promise<void>;
}

interface Labelled {
  readonly address: Address;
  readonly label: string;
}

/** An address book entry as it is offered in a list. */
interface NamedParty extends Labelled {
  readonly watchOnly: true;
  readonly note: string;
}

export interface NamesBeside {
  readonly named: readonly NamedParty[];
  /** Returns the name in the address book, or the workspace's name for it, marked as such. */
  nameOf(address: Address): string | undefined;
}

/** Longest workspace name that fits into a line of 60 characters with the rest of the text. */
const CLAIMED = 20;
const LONGEST_CONTRACT_NAME = 40;

/**
 * Returns the names that are not account labels. A name that looks like another one, or that meant another address
 * before, ends in part of its address. The name of a deployed contract yields to every name that the user chose. A
 * workspace's name counts only if the user has no such name, and it is always shown with the address.
 */
export function namesBeside(accounts: readonly Labelled[], source: NameSource | undefined): NamesBeside {
  const entries = (source?.list() ?? []).filter(({ address }) => !accounts.some((it) => it.address === address));
  const labelled = entries.map(({ address, name, was }) => ({ address, label: name, was }));
  const named = distinguished(labelled, [...accounts, ...labelled]).map(({ address, label, was }) => ({
    address,
    label: was === undefined || label.endsWith(ending(address)) ? label : `${label} ${ending(address)}`,
    watchOnly: true as const,
    note: was === undefined ? t`address book` : t`address book · changed, was another address before`,
  }));
  const chosen = [...accounts, ...labelled];
  const contracts = (source?.contracts() ?? [])
    .filter(({ address }) => !chosen.some((it) => it.address === address))
    .map(({ address, name }) => ({ address, label: visibleLine(name, LONGEST_CONTRACT_NAME) }));
  const deployed = distinguished(contracts, [...chosen, ...contracts]);
  const taken = new Set([...chosen, ...contracts].map(({ label }) => labelKey(label)));
  const claims = (source?.claims() ?? []).filter(({ name }) => !taken.has(labelKey(name)));
  const names = new Map([
    ...claims.map(({ address, name }) => [address, claimText(address, name)] as const),
    ...deployed.map(({ address, label }) => [address, label] as const),
    ...named.map(({ address, label }) => [address, label] as const),
  ]);
  return { named, nameOf: (address) => names.get(address) };
}

/**
 * Appends part of the address to accounts whose name meant an address book entry before: the entry keeps the name.
 *
 * @param meaningOf - the address that a name meant before
 */
export function withoutTakenNames<T extends Labelled>(
  accounts: readonly T[],
  book: readonly KnownName[],
  meaningOf: NameMemory["meaningOf"],
): readonly T[] {
  return accounts.map((it) => {
    const key = labelKey(it.label);
    const entry = book.find(({ address, name }) => address !== it.address && labelKey(name) === key);
    const isTaken = entry !== undefined && meaningOf(it.label) === entry.address;
    return isTaken ? { ...it, label: `${it.label} ${ending(it.address)}` } : it;
  });
}

/**
 * Appends part of the address to labels that look alike.
 *
 * @param all - all labels that count as taken, including these
 */
export function distinguished<T extends Labelled>(these: readonly T[], all: readonly Labelled[]): readonly T[] {
  const counts = new Map<string, number>();
  for (const { label } of all) counts.set(labelKey(label), (counts.get(labelKey(label)) ?? 0) + 1);
  return these.map((it) =>
    counts.get(labelKey(it.label)) === 1 ? it : { ...it, label: `${it.label} ${ending(it.address)}` },
  );
}

function ending(address: Address): string {
  return `(…${toBase58(address).slice(-6)})`;
}

function claimText(address: Address, name: string): string {
  const cut = name.length > CLAIMED ? `${name.slice(0, CLAIMED - 1)}…` : name;
  return t`${shortAddress(address)} (“${visibleLine(cut).replace(/[“”]/g, '"')}” in this workspace)`;
}

function isSame(left: readonly NamedAddress[], right: readonly NamedAddress[]): boolean {
  const isEqual = (it: NamedAddress, at: number) => it.address === right[at]?.address && it.name === right[at]?.name;
  return left.length === right.length && left.every(isEqual);
}

/** The address that each name meant when it was first seen, by label key. */
const SEEN = "finality.namesSeen";

/**
 * Names in the user's settings, and names that a workspace suggests. Any program can write settings, so a name that
 * changes its address is compared with its first meaning.
 */
export class KnownNames implements NameMemory, vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #settings: vscode.Disposable;
  #parsed: ParsedNames = { names: [], problems: [] };
  #entries: readonly KnownName[] = [];
  #contracts: readonly NamedAddress[] = [];
  #claims: readonly NamedAddress[] = [];
  /** Names in deployment records of the workspace. */
  #recorded: readonly NamedAddress[] = [];

  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#read();
    this.#settings = onDidChangeSettings(["finality.addressBook"], () => {
      this.#read();
      this.#changed.fire();
    });
  }

  /** Returns the user's names in the order of the settings. */
  list(): readonly KnownName[] {
    return this.#entries;
  }

  contracts(): readonly NamedAddress[] {
    return this.#contracts;
  }

  /** Returns the names that the workspace suggests. Only the workspace vouches for them. */
  claims(): readonly NamedAddress[] {
    return [...this.#recorded, ...this.#claims];
  }

  get problems(): ParsedNames["problems"] {
    return this.#parsed.problems;
  }

  setClaims(claims: readonly NamedAddress[]): void {
    this.#claims = claims;
    this.#changed.fire();
  }

  /** Sets the contracts that the user deployed. */
  setContracts(contracts: readonly NamedAddress[]): void {
    const usable = contracts.filter(({ name }) => nameProblem(name) === undefined);
    if (isSame(usable, this.#contracts)) return;
    this.#contracts = usable;
    this.#changed.fire();
  }

  /** Sets the names in deployment records of the workspace, which are claims. */
  setRecorded(names: readonly NamedAddress[]): void {
    if (isSame(names, this.#recorded)) return;
    this.#recorded = names;
    this.#changed.fire();
  }

  /** Names an address or removes its name. The user has confirmed it. */
  async save(address: Address, name: string | undefined): Promise<void> {
    const others = this.#parsed.names.filter((it) => it.address !== address);
    const next = name === undefined ? others : [...others, { address, name }];
    if (name !== undefined) await this.accept({ address, name });
    await writeAddressNames(Object.fromEntries(next.map((it) => [toBase58(it.address), it.name])));
    this.#read();
    this.#changed.fire();
  }

  /** Stores that a name means this address from now on. The user has confirmed it. */
  async accept({ address, name }: NamedAddress): Promise<void> {
    await this.#state.update(SEEN, { ...this.#seen(), [labelKey(name)]: address });
    this.#read();
    this.#changed.fire();
  }

  meaningOf(name: string): Address | undefined {
    return tryRead(readAddress, this.#seen()[labelKey(name)]);
  }

  async remember(names: readonly NamedAddress[]): Promise<void> {
    const seen = this.#seen();
    const fresh = names.filter(({ name }) => !Object.hasOwn(seen, labelKey(name)));
    if (fresh.length === 0) return;
    const more = Object.fromEntries(fresh.toReversed().map(({ name, address }) => [labelKey(name), address]));
    await this.#state.update(SEEN, { ...seen, ...more });
  }

  dispose(): void {
    this.#settings.dispose();
    this.#changed.dispose();
  }

  #read(): void {
    this.#parsed = parseNames(addressNamesSetting(), "finality.addressBook");
    const seen = this.#seen();
    this.#entries = this.#parsed.names.map((it) => {
      const was = tryRead(readAddress, seen[labelKey(it.name)]);
      return was === undefined || was === it.address ? it : { ...it, was };
    });
    void this.remember(this.#parsed.names);
  }

  #seen(): Readonly<Record<string, unknown>> {
    return tryRead(record, this.#state.get(SEEN)) ?? {};
  }
}
