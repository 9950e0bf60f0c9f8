import { codeHashOf } from "@finality/client/contracts";
import { argumentList } from "@finality/client/explain";
import {
  type ChainId,
  coinSymbolOf,
  isSameChain,
  type NetworkProfile,
  type NetworkRef,
} from "@finality/client/gateway";
import { contractOf, type TrackedTransaction } from "@finality/client/tracking";
import {
  type ArtifactIndex,
  type ContractFunction,
  candidateFromJson,
  hasRuntimeCode,
  isCreatedFrom,
  type KnownDeployment,
  onlyReads,
  tryDecode,
} from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import {
  type Address,
  defined,
  foreignText,
  hex,
  hexToBytes,
  parseAddress,
  type TxId,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ContractBook } from "../../host/contracts/contract-book.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import { type ReadResult, runConstantCall } from "./constant-call.ts";
import {
  type CodeComparison,
  type ContractDetails,
  type ContractRow,
  contractRows,
  type ListedContract,
  type ReadValue,
} from "./contract-rows.view.ts";
import { type ContractDescription, describeContract, unknownAt } from "./known-contracts.ts";
import { type ContractServices, contextOn } from "./services.ts";

export interface ContractListOptions {
  readonly services: ContractServices;
  /** Returns whether the view is visible. No requests are made while it is hidden. */
  readonly isVisible: () => boolean;
  /** Called when the rows may have changed. */
  readonly changed: () => void;
  readonly failed: (message: string, error: unknown) => void;
}

/** Interval at which expanded contracts are read again while the view is visible, ms. */
const PAUSE_MS = 60_000;
const LOCAL_PAUSE_MS = 6_000;
/** Transactions of a contract in the view. */
const MOST_TRANSACTIONS = 5;
/** Recorded contracts whose existence is checked. */
const MOST_CHECKED = 30;

interface ContractKey {
  readonly network: string;
  readonly address: Address;
}

/** Maximum number of values that are read when the user expands the functions of a contract. */
const MOST_VALUES = 20;

/** Contracts of all networks, and what was read of the expanded ones. Loaded when the view is first visible. */
export class ContractList implements vscode.Disposable {
  readonly #options: ContractListOptions;
  readonly #details = new Map<string, ContractDetails>();
  readonly #described = new Map<string, ContractDescription>();
  readonly #values = new Map<string, Map<string, ReadValue>>();
  readonly #open = new Map<string, ContractKey>();
  readonly #chains = new Map<string, ChainId>();
  /** Recorded contracts that exist on the chain of a network. */
  readonly #found = new Set<string>();
  readonly #checked = new Set<string>();
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #closing = new AbortController();
  #index: ArtifactIndex | undefined;
  #book: ContractBook | undefined;
  #polling: Promise<void> | undefined;

  constructor(options: ContractListOptions) {
    this.#options = options;
  }

  /** Loads the journal, the added contracts and the artifacts, and follows their changes. */
  async load(): Promise<this> {
    const { services, failed } = this.#options;
    const [book] = await Promise.all([services.contractBook(), services.transactions.ready()]);
    this.#book = book;
    this.#subscriptions.push(
      book.onDidChange(() => this.#reload()),
      services.networks.onDidChange(() => this.#reload()),
      services.keys.onDidChange(() => this.#options.changed()),
      services.transactions.onDidChange((txIds) => this.#transactionsChanged(txIds)),
    );
    // The artifacts of a large workspace take a while, and the contracts from here are shown without them.
    void this.#loadArtifacts().catch((error: unknown) =>
      failed("The deployments of the workspace are missing.", error),
    );
    await this.#learnChain();
    return this;
  }

  /** Returns the rows as far as they are known. */
  rows(): readonly ContractRow[] {
    const { networks, keys, knownNames } = this.#options.services;
    const named = new Set([...keys.list(), ...knownNames.list()].map(({ address }) => address));
    const byContract = this.#transactionsByContract();
    const states = networks.list().flatMap((network) =>
      this.#contractsOn(network, byContract).map((contract) => {
        const key = keyOf(contract);
        const ref = this.#refOf(network);
        const here = (byContract.get(contract.address) ?? []).filter((it) => isSameChain(it, ref));
        return {
          contract,
          details: this.#details.get(key),
          values: this.#values.get(key) ?? new Map<string, ReadValue>(),
          transactions: here.sort((left, right) => right.createdAt - left.createdAt).slice(0, MOST_TRANSACTIONS),
        };
      }),
    );
    return contractRows(states, {
      nameOf: (address) => keys.nameOf(address),
      isNamedByUser: (address) => named.has(address),
      activeNetwork: networks.active?.name,
      symbolOf: (name) => coinSymbolOf(networks.find(name)?.baseUrl),
    });
  }

  /** Reads a contract, or the values of its functions without parameters, when the user expands the row. */
  opened({ kind, network, address, contract: owner }: Partial<ContractRow>): void {
    if (kind === "contractReads" && network !== undefined && owner !== undefined)
      void this.#readAll({ network, address: parseAddress(owner) });
    if (kind !== "contract" || network === undefined || address === undefined) return;
    const contract = { network, address: parseAddress(address) };
    const isNew = !this.#open.has(keyOf(contract));
    this.#open.set(keyOf(contract), contract);
    if (isNew) void this.#read(contract);
    this.look();
  }

  closed({ network = "", address }: Pick<ContractRow, "network" | "address">): void {
    if (address !== undefined) this.#open.delete(keyOf({ network, address: parseAddress(address) }));
  }

  /** Called when the view becomes visible or hidden. */
  look(): void {
    if (!this.#options.isVisible() || this.#closing.signal.aborted) return;
    void this.#checkRecords();
    if (this.#open.size > 0) this.#polling ??= this.#poll().finally(() => (this.#polling = undefined));
  }

  /** Reads the expanded contracts again, and the values that are shown. */
  async refresh(signal?: AbortSignal): Promise<void> {
    await this.#learnChain();
    this.#checked.clear();
    await this.#checkRecords();
    await Promise.all([...this.#open.values()].map((it) => this.#read(it, signal)));
    await Promise.all([...this.#open.values()].map((it) => this.#readValues(it, signal)));
  }

  /** Reads a function without parameters and shows the value, or the failure, in its row. */
  async read(
    contract: ContractKey,
    signature: string,
    signal: AbortSignal = this.#closing.signal,
  ): Promise<ReadResult | undefined> {
    const shown = this.#values.get(keyOf(contract))?.get(signature);
    if (shown?.kind !== "value") this.#show(contract, signature, { kind: "reading" });
    try {
      const context = await contextOn(this.#options.services, contract.network);
      const described =
        this.#described.get(keyOf(contract)) ?? (await describeContract(context, contract.address, signal));
      const fn = described.functions.find((it) => it.signature === signature);
      if (fn === undefined) throw unknownAt(context, contract.address, described.deployed);
      const result = await runConstantCall(context, {}, { contract: described, fn, values: [] }, signal);
      this.#show(contract, signature, { kind: "value", ...textsOf(fn, result, context.nameOf) });
      return result;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!isChainError(error)) this.#options.failed("A function could not be read.", error);
      const reason = isChainError(error) ? error.message : String(error);
      this.#show(contract, signature, { kind: "failed", reason });
      return undefined;
    }
  }

  dispose(): void {
    this.#closing.abort();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #transactionsByContract(): ReadonlyMap<Address, TrackedTransaction[]> {
    const all = new Map<Address, TrackedTransaction[]>();
    for (const it of this.#options.services.transactions.list()) {
      const contract = contractOf(it);
      if (contract === undefined) continue;
      const known = all.get(contract);
      if (known === undefined) all.set(contract, [it]);
      else known.push(it);
    }
    return all;
  }

  #contractsOn(
    network: NetworkProfile,
    byContract: ReadonlyMap<Address, readonly TrackedTransaction[]>,
  ): readonly ListedContract[] {
    const { keys } = this.#options.services;
    const listed = { network: network.name, record: foreignText("") };
    const { chain } = this.#refOf(network);
    const transactions = { list: () => [...byContract.values()].flat() };
    const own = deploymentsHere({ keys, transactions, chains: { known: () => chain } }, network).map(
      ({ address, name }): ListedContract => ({ ...listed, address, name: foreignText(name), source: "deployed" }),
    );
    const added = (chain === undefined ? [] : (this.#book?.on(chain) ?? [])).map(
      ({ address }): ListedContract => ({ ...listed, address, name: foreignText(""), source: "added" }),
    );
    const recorded = (this.#index?.deployments ?? [])
      .filter((it) => this.#isRecordedOn(it, network))
      .map(({ address, contract, path }): ListedContract => {
        return { ...listed, address, name: foreignText(contract), source: "recorded", record: foreignText(path) };
      });
    const all = new Map([...recorded.toReversed(), ...added, ...own].map((it) => [it.address, it]));
    const isRemoved = (it: ListedContract): boolean =>
      chain !== undefined && this.#book?.isRemoved(chain, it.address) === true;
    const ranked = [...own, ...added, ...recorded].filter((it) => all.get(it.address) === it);
    return ranked.filter((it) => !isRemoved(it));
  }

  /** A record that does not name its chain counts for the active network once the contract was found there. */
  #isRecordedOn(record: KnownDeployment, network: NetworkProfile): boolean {
    const isNamed = isRecordOf(record, network.name, this.#refOf(network).chain);
    return isNamed || this.#found.has(keyOf({ network: network.name, address: record.address }));
  }

  #refOf(network: NetworkProfile): NetworkRef {
    const chain = this.#chains.get(network.name) ?? this.#options.services.chains.known(network);
    return { network: network.name, ...defined({ chain }) };
  }

  /** Asks the active network for its chain. Without an answer, contracts are listed by the name of the network. */
  async #learnChain(): Promise<void> {
    const { networks, chains } = this.#options.services;
    const { active } = networks;
    if (active === undefined || !this.#mayRequest()) return;
    // Each start of a local chain is another chain.
    if (active.local) this.#chains.delete(active.name);
    try {
      const { chain } = await chains.networkRefOf(active);
      if (chain !== undefined) this.#chains.set(active.name, chain);
    } catch (error) {
      if (!isChainError(error)) throw error;
    }
  }

  /** No request is made in Restricted Mode. */
  #mayRequest(): boolean {
    return vscode.workspace.isTrusted && !this.#closing.signal.aborted;
  }

  async #loadArtifacts(): Promise<void> {
    const artifacts = await this.#options.services.artifacts.get();
    if (this.#closing.signal.aborted) return;
    this.#index = artifacts.index;
    this.#subscriptions.push(artifacts.onDidChange(() => this.#artifactsChanged()));
    await artifacts.ready();
    this.#artifactsChanged();
  }

  #artifactsChanged(): void {
    const recorded = (this.#index?.deployments ?? []).map(({ address, contract }) => ({ address, name: contract }));
    this.#options.services.knownNames.setRecorded(recorded);
    this.#options.changed();
    this.look();
  }

  #reload(): void {
    void this.#learnChain().then(() => {
      this.#options.changed();
      this.look();
    });
  }

  /** A call may have changed the implementation of a proxy, or any value, of an expanded contract. */
  #transactionsChanged(txIds: readonly TxId[]): void {
    const { transactions } = this.#options.services;
    this.#options.changed();
    const isRun = txIds.some((txId) => {
      const { signed, state } = transactions.get(txId) ?? {};
      return state?.kind === "included" && signed?.intent.kind === "contract-call";
    });
    if (isRun && this.#options.isVisible()) for (const it of this.#open.values()) void this.#read(it);
  }

  async #poll(): Promise<void> {
    const { services, isVisible } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted && isVisible() && this.#open.size > 0) {
      const pauseMs = services.networks.active?.local === true ? LOCAL_PAUSE_MS : PAUSE_MS;
      await services.clock.sleep(pauseMs, signal).catch(() => undefined);
      if (!signal.aborted && isVisible()) await Promise.all([...this.#open.values()].map((it) => this.#read(it)));
    }
  }

  /** Looks for recorded contracts on the active network, if their record does not name a chain. */
  async #checkRecords(): Promise<void> {
    const { active } = this.#options.services.networks;
    if (active === undefined || this.#index === undefined || !this.#mayRequest()) return;
    const open = this.#index.deployments
      .filter((it) => !this.#isElsewhere(it) && !this.#isRecordedOn(it, active))
      .map(({ address }) => ({ network: active.name, address }))
      .filter((it) => !this.#checked.has(keyOf(it)))
      .slice(0, MOST_CHECKED);
    if (open.length === 0) return;
    for (const it of open) this.#checked.add(keyOf(it));
    const context = await contextOn(this.#options.services, active.name);
    for (const it of open) {
      if (this.#closing.signal.aborted) return;
      try {
        const deployed = await context.gateway.deployedContract(it.address, this.#closing.signal);
        if (deployed !== undefined) this.#found.add(keyOf(it));
      } catch (error) {
        if (!isChainError(error) && !this.#closing.signal.aborted) throw error;
      }
    }
    this.#options.changed();
  }

  /** A record of another known network is not looked for on the active one. */
  #isElsewhere(record: KnownDeployment): boolean {
    const { networks } = this.#options.services;
    return networks.list().some((it) => it !== networks.active && isRecordOf(record, it.name, this.#refOf(it).chain));
  }

  async #read(contract: ContractKey, signal: AbortSignal = this.#closing.signal): Promise<void> {
    const key = keyOf(contract);
    if (!this.#mayRequest()) return this.#store(key, { kind: "failed", reason: t`Not read in Restricted Mode.` });
    if (!this.#details.has(key)) this.#store(key, { kind: "loading" });
    try {
      const context = await contextOn(this.#options.services, contract.network);
      const [description, account] = await Promise.all([
        describeContract(context, contract.address, signal),
        context.gateway.account(contract.address, signal),
      ]);
      if (description.deployed === undefined) return this.#store(key, { kind: "missing" });
      this.#described.set(key, description);
      this.#store(key, await this.#detailsOf(description, account?.balance));
    } catch (error) {
      if (signal.aborted) return;
      if (!isChainError(error)) this.#options.failed("A contract could not be read.", error);
      this.#store(key, { kind: "failed", reason: isChainError(error) ? error.message : String(error) });
    }
  }

  async #detailsOf(
    description: ContractDescription,
    balance: Extract<ContractDetails, { kind: "known" }>["balance"],
  ): Promise<ContractDetails> {
    const { deployed, proxy, functions, lost, entries, origin } = description;
    const code = deployed?.runtimeCode;
    return {
      kind: "known",
      balance,
      code: await this.#compareCode(description),
      codeHash: code === undefined ? undefined : codeHashOf(code),
      proxy,
      origin,
      functions,
      lost,
      events: entries.flatMap((it) => candidateFromJson(it, "") ?? []).filter(({ kind }) => kind === "event"),
    };
  }

  async #compareCode({ artifact, deployed }: ContractDescription): Promise<CodeComparison> {
    if (artifact === undefined || deployed === undefined) return { kind: "no-artifact" };
    const named = { artifact: artifact.source ?? artifact.path };
    const bytecode = await (await this.#options.services.artifacts.get()).bytecodeOf(artifact);
    if (bytecode === undefined) return { kind: "incomparable", ...named };
    const { created, runtimeCode = "" } = deployed;
    if (created !== "") return { kind: isCreatedFrom(created, bytecode) ? "same" : "differs", ...named };
    return { kind: hasRuntimeCode(runtimeCode, bytecode) ? "same" : "incomparable", ...named };
  }

  /** Returns the value of a function that a row shows, in full and without names; undefined if it shows none. */
  valueOf(contract: ContractKey, signature: string): string | undefined {
    const value = this.#values.get(keyOf(contract))?.get(signature);
    return value?.kind === "value" ? value.text : undefined;
  }

  /** Reads the values again that are shown. */
  async #readValues(contract: ContractKey, signal: AbortSignal | undefined): Promise<void> {
    for (const signature of this.#values.get(keyOf(contract))?.keys() ?? []) {
      if (signal?.aborted !== true) await this.read(contract, signature, signal);
    }
  }

  /** Reads the values that were not read before, one after the other. */
  async #readAll(contract: ContractKey): Promise<void> {
    const functions = this.#described.get(keyOf(contract))?.functions ?? [];
    const readable = functions.filter((fn) => onlyReads(fn) && fn.parameters.length === 0).slice(0, MOST_VALUES);
    for (const { signature } of readable) {
      if (this.#closing.signal.aborted) return;
      if (this.#values.get(keyOf(contract))?.has(signature) !== true) await this.read(contract, signature);
    }
  }

  #show(contract: ContractKey, signature: string, value: ReadValue): void {
    const values = this.#values.get(keyOf(contract)) ?? new Map<string, ReadValue>();
    this.#values.set(keyOf(contract), values.set(signature, value));
    this.#options.changed();
  }

  #store(key: string, details: ContractDetails): void {
    this.#details.set(key, details);
    this.#options.changed();
  }
}

/** Returns the text of a result, in full and with names; `runConstantCall` has checked its types. */
function textsOf(
  { outputs }: ContractFunction,
  { returned }: ReadResult,
  nameOf: NameOf,
): { readonly text: string; readonly named: string } {
  const values = tryDecode(outputs, hexToBytes(hex(returned)));
  const text = values === undefined ? `0x${returned}` : argumentList(outputs, values);
  if (outputs.length === 0) return { text: t`nothing`, named: t`nothing` };
  return { text, named: values === undefined ? text : argumentList(outputs, values, nameOf) };
}

/** Tools write the name of a network, or the chain ID of JSON-RPC: the last four bytes of the genesis block ID. */
function isRecordOf({ network }: KnownDeployment, name: string, chain: ChainId | undefined): boolean {
  const chainId = chain === undefined ? undefined : String(Number.parseInt(chain.slice(-8), 16));
  return network.toLowerCase() === name.toLowerCase() || network === chainId;
}

function keyOf({ network, address }: ContractKey): string {
  return `${network} ${address}`;
}
