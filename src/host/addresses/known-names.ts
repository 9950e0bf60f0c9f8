import {
  type Address,
  type KnownName,
  labelKey,
  type NamedAddress,
  type ParsedNames,
  parseNames,
  toBase58,
} from "@finality/tron/primitives";
import { address as readAddress, record, tryRead } from "@finality/tron/read";
import * as vscode from "vscode";
import { addressNamesSetting, onDidChangeSettings, writeAddressNames } from "../settings/settings.ts";
import type { NameMemory } from "./names-beside.ts";

/** Which address each name meant when it was first seen here, by the key of the name. */
const SEEN = "finality.namesSeen";

/**
 * Names that a person gave to addresses, in the user's settings, and what a workspace calls some. The settings can be
 * written by any program, so a name that comes to mean another address is held against what it meant first.
 */
export class KnownNames implements NameMemory, vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #settings: vscode.Disposable;
  #parsed: ParsedNames = { names: [], problems: [] };
  #entries: readonly KnownName[] = [];
  #claims: readonly NamedAddress[] = [];

  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#read();
    this.#settings = onDidChangeSettings(["finality.addressBook"], () => {
      this.#read();
      this.#changed.fire();
    });
  }

  /** What the person called addresses, in the order of the settings. */
  list(): readonly KnownName[] {
    return this.#entries;
  }

  /** What the workspace calls addresses: its word, and nobody else's. */
  claims(): readonly NamedAddress[] {
    return this.#claims;
  }

  get problems(): ParsedNames["problems"] {
    return this.#parsed.problems;
  }

  setClaims(claims: readonly NamedAddress[]): void {
    this.#claims = claims;
    this.#changed.fire();
  }

  /** Names an address, or takes its name away. The person was asked. */
  async save(address: Address, name: string | undefined): Promise<void> {
    const others = this.#parsed.names.filter((it) => it.address !== address);
    const next = name === undefined ? others : [...others, { address, name }];
    if (name !== undefined) await this.accept({ address, name });
    await writeAddressNames(Object.fromEntries(next.map((it) => [toBase58(it.address), it.name])));
    this.#read();
    this.#changed.fire();
  }

  /** The person says that a name means this address from here on. */
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
