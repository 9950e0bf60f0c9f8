import { type FailureReason, failureReason, loadDictionary, runOf, wantsNames } from "@finality/client/explain";
import type { FunctionName } from "@finality/client/labels";
import type { Failure, TrackedTransaction } from "@finality/client/tracking";
import {
  type AbiCandidate,
  type AbiIndex,
  candidateFromJson,
  createAbiIndex,
  type JsonAbiEntry,
  type JsonParameter,
  joinAbiIndexes,
} from "@finality/tron/abi";
import type { NameOf } from "@finality/tron/format";
import { type Address, foreignText } from "@finality/tron/primitives";
import { listOf, object, type Read, text, tryRead, tryReadJson } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Lazy, lazy } from "../async.ts";
import type { ContractBook } from "../contracts/contract-book.ts";
import type { Log } from "../log/log.ts";
import type { WorkspaceArtifacts } from "./workspace-artifacts.ts";

export interface NameServices {
  /** Names of selectors in the workspace. */
  readonly artifacts: { get(): Promise<WorkspaceArtifacts> };
  readonly log: Log;
  /** Storage for ABIs read from chains. */
  readonly kept: vscode.Memento;
  /** Returns the URL of a network. ABIs are stored by URL, because a network name may mean another chain later. */
  readonly urlOf: (network: string) => string | undefined;
}

/** A contract with the name of its network. */
export interface ContractRef {
  readonly network: string;
  readonly contract: Address | undefined;
}

/** Longest wait for the artifacts of a large workspace; ms. */
const TIMEOUT_MS = 1_500;

/**
 * Names of selectors, from the workspace, then from the contract's ABI on its chain, then from the bundled dictionary.
 * Nothing is loaded before the first use, and no request is made.
 */
export class SelectorNames implements vscode.Disposable {
  readonly #services: NameServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #abis: ChainAbis;
  #subscription: vscode.Disposable | undefined;
  #dictionary: AbiIndex | undefined;
  #workspace: WorkspaceArtifacts | undefined;

  /** Fires when names have changed. */
  readonly onDidChange = this.#changed.event;

  /** Resolves when all names are loaded. */
  readonly ready = lazy(() => this.#load());

  constructor(services: NameServices) {
    this.#services = services;
    this.#abis = new ChainAbis(services.kept);
  }

  get workspace(): WorkspaceArtifacts | undefined {
    return this.#workspace;
  }

  /** Names that are loaded so far, for any contract. */
  get index(): AbiIndex {
    return this.#joined(undefined);
  }

  /** Returns the index for a contract, with its ABI on the chain if that was read before. */
  indexAt({ network, contract }: ContractRef): AbiIndex {
    const url = this.#services.urlOf(network);
    const isKnown = url !== undefined && contract !== undefined;
    return this.#joined(isKnown ? this.#abis.indexAt(url, contract) : undefined);
  }

  /**
   * Stores an ABI read from a chain. Its errors are stored permanently, so that a failure can be named without a
   * request.
   */
  async keep(network: string, contract: Address, abi: readonly JsonAbiEntry[]): Promise<void> {
    const url = this.#services.urlOf(network);
    if (url !== undefined && (await this.#abis.keep(url, contract, abi))) this.#changed.fire();
  }

  /** Resolves when all names are loaded, or after a short time. */
  async nearlyReady(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, TIMEOUT_MS);
    await Promise.race([this.ready(), promise]).finally(() => clearTimeout(timer));
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#changed.dispose();
  }

  #joined(ofChain: AbiIndex | undefined): AbiIndex {
    const indexes = [this.#workspace?.index, ofChain, this.#dictionary];
    return joinAbiIndexes(...indexes.filter((it) => it !== undefined));
  }

  async #load(): Promise<void> {
    try {
      this.#dictionary = await loadDictionary();
      this.#workspace = await this.#services.artifacts.get();
      this.#subscription = this.#workspace.onDidChange(() => this.#changed.fire());
      await this.#workspace.ready();
    } catch (error) {
      this.#services.log.error("Names of selectors are missing.", error);
    }
    this.#changed.fire();
  }
}

const STATE = "finality.chainAbis";
const MOST_CONTRACTS = 100;
/** Longest stored text of one contract's errors. */
const LONGEST = 20_000;
const ORIGIN = t`the ABI on the chain, according to its node`;

/** Parameter of an ABI. A node omits empty fields, such as the name. */
const parameter: Read<JsonParameter> = object(
  { type: text },
  { name: text, components: (value) => listOf(parameter)(value) },
);
const storedErrors = listOf(object({ type: text, inputs: listOf(parameter) }, { name: text }));
const storedAbis = listOf(object({ url: text, contract: text, errors: text }));

/**
 * ABIs read from chains, as deployers published them. Complete ABIs live as long as the window. The errors of the
 * newest contracts are stored, so that failures can be named later without a request.
 */
class ChainAbis {
  readonly #state: vscode.Memento;
  readonly #whole = new Map<string, AbiIndex>();

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  indexAt(url: string, contract: Address): AbiIndex | undefined {
    const whole = this.#whole.get(keyOf(url, contract));
    if (whole !== undefined) return whole;
    const stored = this.#all().find((it) => it.url === url && it.contract === contract);
    return stored && indexOf(tryReadJson(storedErrors, stored.errors) ?? []);
  }

  /**
   * Stores an ABI. Returns whether it is new.
   *
   * @returns whether that is anything new
   */
  async keep(url: string, contract: Address, abi: readonly JsonAbiEntry[]): Promise<boolean> {
    const key = keyOf(url, contract);
    const isNew = !this.#whole.has(key);
    this.#whole.delete(key);
    this.#whole.set(key, indexOf(abi));
    const [oldest] = this.#whole.keys();
    if (this.#whole.size > MOST_CONTRACTS && oldest !== undefined) this.#whole.delete(oldest);
    await this.#storeErrors(url, contract, JSON.stringify(abi.filter(({ type }) => type === "error")));
    return isNew;
  }

  async #storeErrors(url: string, contract: Address, errors: string): Promise<void> {
    const all = this.#all();
    const known = all.find((it) => it.url === url && it.contract === contract);
    if (errors === (known?.errors ?? "[]") || errors.length > LONGEST) return;
    const others = all.filter((it) => it !== known);
    await this.#state.update(STATE, [...others, { url, contract, errors }].slice(-MOST_CONTRACTS));
  }

  #all() {
    return tryRead(storedAbis, this.#state.get<unknown>(STATE)) ?? [];
  }
}

function keyOf(url: string, contract: Address): string {
  return `${contract} ${url}`;
}

function indexOf(abi: readonly JsonAbiEntry[]): AbiIndex {
  return createAbiIndex(abi.flatMap((entry) => candidateFromJson(entry, ORIGIN) ?? []));
}

/** Services that failure reasons need. */
export interface ReasonServices {
  readonly names: Lazy<SelectorNames>;
  readonly nameOf: NameOf;
  /** Returns the network that tracks a transaction. */
  readonly networkOf: (tracked: TrackedTransaction) => string;
  readonly log: Log;
}

/** Describes failures. Loaded lazily: most windows have none. */
export class FailureDescriber {
  readonly #services: ReasonServices;
  readonly #load;
  #names: SelectorNames | undefined;
  #subscription: vscode.Disposable | undefined;

  /** @param changed - called when names have changed */
  constructor(services: ReasonServices, changed: () => void) {
    this.#services = services;
    this.#load = lazy(async () => {
      try {
        this.#names = await services.names();
        this.#subscription = this.#names.onDidChange(changed);
        await this.#names.nearlyReady();
      } catch (error) {
        services.log.error("Reasons of failures have no names.", error);
      }
    });
  }

  reason(tracked: TrackedTransaction, failure: Failure): FailureReason | undefined {
    const { nameOf, networkOf } = this.#services;
    const { signed } = tracked;
    const run = { ...runOf(signed?.intent), estimatedEnergy: signed?.estimatedEnergy };
    if (wantsNames(failure)) void this.#load();
    const abi = this.#names?.indexAt({ network: networkOf(tracked), contract: run.contract });
    return failureReason(failure, run, { abi, nameOf });
  }

  async settled(failure: Failure): Promise<void> {
    if (wantsNames(failure)) await this.#load();
  }

  dispose(): void {
    this.#subscription?.dispose();
  }
}

/** Services that names of called functions need. */
export interface CallNameServices {
  readonly names: Lazy<SelectorNames>;
  readonly contractBook: Lazy<ContractBook>;
  /** Returns the network that tracks a transaction. */
  readonly networkOf: (tracked: TrackedTransaction) => string;
  readonly log: Log;
}

const SELECTOR_DIGITS = 8;

/** Names called functions. The ABI of a contract that the user added is certain, any other name is a claim. */
export class FunctionDescriber implements vscode.Disposable {
  readonly #names: SelectorNames;
  readonly #book: ContractBook;
  readonly #networkOf: CallNameServices["networkOf"];
  readonly #subscription: vscode.Disposable;
  readonly #indexes = new WeakMap<readonly JsonAbiEntry[], AbiIndex>();

  private constructor(
    {
      names,
      book,
      networkOf,
    }: Pick<CallNameServices, "networkOf"> & {
      readonly names: SelectorNames;
      readonly book: ContractBook;
    },
    changed: () => void,
  ) {
    this.#names = names;
    this.#book = book;
    this.#networkOf = networkOf;
    this.#subscription = vscode.Disposable.from(names.onDidChange(changed), book.onDidChange(changed));
  }

  /** @param changed - called when names have changed */
  static async load(services: CallNameServices, changed: () => void): Promise<FunctionDescriber> {
    const { networkOf } = services;
    const [names, book] = await Promise.all([services.names(), services.contractBook()]);
    await names.nearlyReady();
    return new FunctionDescriber({ names, book, networkOf }, changed);
  }

  functionOf(tracked: TrackedTransaction): FunctionName | undefined {
    const intent = tracked.signed?.intent;
    if (intent?.kind !== "contract-call" || intent.data.length < SELECTOR_DIGITS) return undefined;
    const selector = intent.data.slice(0, SELECTOR_DIGITS);
    const { contract } = intent;
    const added = tracked.chain && this.#book.find(tracked.chain, contract)?.abi;
    const own = added && this.#indexOf(added).lookup(selector).find(isFunction);
    if (own !== undefined) return { name: foreignText(own.name), isClaim: false };
    const known = this.#names.indexAt({ network: this.#networkOf(tracked), contract });
    const found = known.lookup(selector, contract).find(isFunction);
    return found && { name: foreignText(found.name), isClaim: true };
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #indexOf(abi: readonly JsonAbiEntry[]): AbiIndex {
    const index = this.#indexes.get(abi) ?? indexOf(abi);
    this.#indexes.set(abi, index);
    return index;
  }
}

function isFunction({ kind }: AbiCandidate): boolean {
  return kind === "function";
}
