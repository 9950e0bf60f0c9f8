import type { DeployedContract, HttpGateway, NetworkProfile, TransactionInfo } from "@finality/client/gateway";
import type { TrackedTransaction } from "@finality/client/tracking";
import {
  type AbiIndex,
  type ArtifactIndex,
  constructorOf,
  isCreatedFrom,
  type JsonAbiEntry,
  tryDecode,
  unlessMalformed,
} from "@finality/tron/abi";
import { ChainError, isChainError } from "@finality/tron/errors";
import {
  type Address,
  defined,
  foreignText,
  type Hex,
  hex,
  hexToBytes,
  type TxId,
  transactionId,
} from "@finality/tron/primitives";
import { decodeRawData, type Intent, type IntentOf, intentFromRawData } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Artifacts, NamesOnDemand } from "../../host/artifacts/artifacts.ts";
import type { SelectorNames } from "../../host/artifacts/selector-names.ts";
import type { ChainsOnDemand } from "../../host/networks/chains-on-demand.ts";
import type { NetworkAccounts } from "../../host/secrets/signing-keys.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import {
  type ContractName,
  isInBlock,
  NO_FACTS,
  type ReceiptFacts,
  type TransactionFacts,
} from "./timeline-sections.view.ts";

/** Services that read the facts. */
export interface FactServices {
  readonly transactions: Pick<TransactionService, "networkOf" | "list">;
  readonly networkOf: (name: string) => NetworkProfile | undefined;
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly chains: Pick<ChainsOnDemand, "known">;
  readonly keys: NetworkAccounts;
  readonly artifacts: Artifacts;
  readonly names: NamesOnDemand;
}

/** Transactions whose facts are kept. */
const MOST = 50;
/** Contracts whose ABI is read for one page. */
const MOST_CONTRACTS = 8;

interface ReadOptions {
  readonly again?: boolean;
  readonly cancelled?: AbortSignal;
}

/** Gateway of one read, and the signal that stops it. */
interface Source {
  readonly gateway: HttpGateway;
  readonly signal: AbortSignal;
}

interface Entry {
  readonly stage: string;
  readonly facts: TransactionFacts;
}

/** Reads receipts, ABIs and names for the page. Nothing is requested before `read`. */
export class FactReader implements vscode.Disposable {
  readonly #services: FactServices;
  readonly #entries = new Map<TxId, Entry>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #deployed = new Map<string, DeployedContract | undefined>();
  readonly #changed = new vscode.EventEmitter<readonly TxId[]>();
  readonly #closing = new AbortController();

  /** Fires when facts of these transactions have changed. */
  readonly onDidChange = this.#changed.event;

  constructor(services: FactServices) {
    this.#services = services;
  }

  /** Returns the facts that were read so far. */
  of(tracked: TrackedTransaction): TransactionFacts {
    const facts = this.#entries.get(tracked.txId)?.facts ?? NO_FACTS;
    if (facts.receipt.kind === "not-executed" && isInBlock(tracked)) return { ...facts, receipt: { kind: "not-read" } };
    return facts;
  }

  /**
   * Reads the facts unless they are up to date. A failure becomes part of them.
   *
   * @param again - Reads again after a failure.
   * @param cancelled - Stops the requests of this call.
   */
  async read(tracked: TrackedTransaction, { again = false, cancelled }: ReadOptions = {}): Promise<void> {
    const stage = stageOf(tracked);
    const known = this.#entries.get(tracked.txId);
    if (known?.stage === stage && !(again && known.facts.receipt.kind !== "read")) return;
    const key = `${tracked.txId} ${stage}`;
    const start = () => this.#read(tracked, stage, cancelled).finally(() => this.#running.delete(key));
    const running = this.#running.get(key) ?? start();
    this.#running.set(key, running);
    await running;
  }

  dispose(): void {
    this.#closing.abort();
    this.#changed.dispose();
  }

  async #read(tracked: TrackedTransaction, stage: string, cancelled?: AbortSignal): Promise<void> {
    const closing = this.#closing.signal;
    const signal = cancelled === undefined ? closing : AbortSignal.any([closing, cancelled]);
    const before = this.#entries.get(tracked.txId)?.facts ?? NO_FACTS;
    if (isInBlock(tracked) && before.receipt.kind !== "read")
      this.#put(tracked.txId, { stage: "", facts: { ...before, receipt: { kind: "reading" } } });
    try {
      this.#put(tracked.txId, { stage, facts: await this.#factsOf(tracked, signal) });
    } catch (error) {
      if (signal.aborted) this.#put(tracked.txId, { stage: "", facts: before });
      else this.#put(tracked.txId, { stage, facts: failedFacts(tracked, error) });
    }
  }

  #put(txId: TxId, entry: Entry): void {
    if (this.#closing.signal.aborted) return;
    this.#entries.delete(txId);
    this.#entries.set(txId, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MOST && oldest !== undefined) this.#entries.delete(oldest);
    this.#changed.fire([txId]);
  }

  async #factsOf(tracked: TrackedTransaction, signal: AbortSignal): Promise<TransactionFacts> {
    const { transactions, networkOf, gateways } = this.#services;
    const network = networkOf(transactions.networkOf(tracked));
    if (network === undefined) throw new ChainError("NETWORK_UNKNOWN", { network: tracked.network });
    const source = { gateway: await gateways.for(network), signal };
    const [receipt, bytes] = await Promise.all([
      this.#receiptOf(tracked, source).catch(failedReceipt),
      tracked.signed === undefined && isInBlock(tracked) ? this.#bytesOf(tracked.txId, source) : undefined,
    ]);
    const intent = tracked.signed?.intent ?? bytes?.intent;
    const info = receipt.kind === "read" ? receipt.info : undefined;
    const base = { receipt, ...defined({ rawDataHex: bytes?.rawDataHex, intent: bytes?.intent }) };
    if (!runsCode(intent, info)) return { ...NO_FACTS, ...base };
    const addresses = contractsIn(intent, info);
    const names = await this.#services.names();
    await names.nearlyReady();
    const index = await (await this.#services.artifacts.get()).ready();
    const deployed = await this.#deployedAt(addresses, network.name, source, names);
    const own = deploymentsHere(this.#services, network);
    const contractNames = new Map(
      addresses.flatMap((address) => {
        const ours = own.find((it) => it.address === address);
        const name =
          ours === undefined || ours.name === ""
            ? (nameInArtifacts(index, address) ?? nameOnChain(deployed.get(address)))
            : { name: foreignText(ours.name), source: foreignText(t`deployed from here`) };
        return name === undefined ? [] : [[address, name] as const];
      }),
    );
    const abiOf = (contract: Address | undefined): AbiIndex => names.indexAt({ network: network.name, contract });
    const creation = intent?.kind === "contract-creation" ? intent : undefined;
    const constructorArguments = creation && (await this.#constructorArguments(creation, index));
    return { ...base, abiOf, contractNames, ...defined({ constructorArguments }) };
  }

  async #receiptOf(tracked: TrackedTransaction, { gateway, signal }: Source): Promise<ReceiptFacts> {
    if (!isInBlock(tracked)) return { kind: "not-executed" };
    const { endpoint } = gateway;
    const solid = await gateway.solidTransactionInfo(tracked.txId, signal);
    if (solid !== undefined) return { kind: "read", info: solid, isSolid: true, endpoint };
    const info = await gateway.headTransactionInfo(tracked.txId, signal);
    return info === undefined ? { kind: "absent" } : { kind: "read", info, isSolid: false, endpoint };
  }

  /** Bytes of another transaction than this txID are ignored. */
  async #bytesOf(txId: TxId, { gateway, signal }: Source): Promise<Pick<TransactionFacts, "rawDataHex" | "intent">> {
    try {
      const found = (await gateway.solidTransaction(txId, signal)) ?? (await gateway.headTransaction(txId, signal));
      if (found === undefined || transactionId(hexToBytes(found.rawDataHex)) !== txId) return {};
      const { rawDataHex } = found;
      return { rawDataHex, ...defined({ intent: intentIn(rawDataHex) }) };
    } catch (error) {
      if (isChainError(error)) return {};
      throw error;
    }
  }

  /** Without the chain's ABI only names are missing, so failures are ignored. */
  async #deployedAt(
    addresses: readonly Address[],
    network: string,
    source: Source,
    names: SelectorNames,
  ): Promise<ReadonlyMap<Address, DeployedContract>> {
    const found = await Promise.all(
      addresses.slice(0, MOST_CONTRACTS).map(async (address) => {
        const deployed = await this.#deployedContract(address, source);
        if (deployed === undefined) return [];
        await names.keep(network, address, deployed.abi as readonly JsonAbiEntry[]);
        return [[address, deployed] as const];
      }),
    );
    return new Map(found.flat());
  }

  async #deployedContract(address: Address, { gateway, signal }: Source): Promise<DeployedContract | undefined> {
    const key = `${gateway.endpoint} ${address}`;
    if (this.#deployed.has(key)) return this.#deployed.get(key);
    try {
      const deployed = await gateway.deployedContract(address, signal);
      this.#deployed.set(key, deployed);
      return deployed;
    } catch (error) {
      if (isChainError(error)) return undefined;
      throw error;
    }
  }

  async #constructorArguments(
    { name, bytecode: created }: IntentOf<"contract-creation">,
    index: ArtifactIndex,
  ): Promise<TransactionFacts["constructorArguments"]> {
    const artifacts = await this.#services.artifacts.get();
    for (const artifact of index.contractsNamed(name).slice(0, MOST_CONTRACTS)) {
      const bytecode = await artifacts.bytecodeOf(artifact);
      if (bytecode === undefined || !isCreatedFrom(created, bytecode)) continue;
      const parameters = unlessMalformed(() => constructorOf(artifact.abi()).parameters);
      if (parameters === undefined) continue;
      const values = tryDecode(parameters, hexToBytes(hex(created.slice(bytecode.length))));
      if (values !== undefined) return { parameters, values, source: foreignText(artifact.origin) };
    }
    return undefined;
  }
}

/** Identifies the state that the facts depend on. */
function stageOf({ state }: TrackedTransaction): string {
  return "block" in state ? `${state.kind} ${state.block.number} ${state.block.id ?? ""}` : state.kind;
}

function failedReceipt(error: unknown): ReceiptFacts {
  if (!isChainError(error)) throw error;
  return { kind: "failed", message: error.message };
}

function failedFacts(tracked: TrackedTransaction, error: unknown): TransactionFacts {
  if (!isChainError(error)) throw error;
  return isInBlock(tracked) ? { ...NO_FACTS, receipt: failedReceipt(error) } : NO_FACTS;
}

/** Returns undefined for bytes whose effects are not fully known. */
function intentIn(rawDataHex: Hex): Intent | undefined {
  try {
    return intentFromRawData(decodeRawData(hexToBytes(rawDataHex)));
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

function runsCode(intent: Intent | undefined, info: TransactionInfo | undefined): boolean {
  return (
    intent?.kind === "contract-call" || intent?.kind === "contract-creation" || info?.contractAddress !== undefined
  );
}

/** Returns the called or deployed contract first, then those that emitted events. */
function contractsIn(intent: Intent | undefined, info: TransactionInfo | undefined): readonly Address[] {
  const called = intent?.kind === "contract-call" ? intent.contract : info?.contractAddress;
  const emitters = (info?.logs ?? []).map(({ address }) => address);
  return [...new Set([...(called === undefined ? [] : [called]), ...emitters])];
}

function nameInArtifacts(index: ArtifactIndex, address: Address): ContractName | undefined {
  const [found] = index.deploymentsAt(address);
  return found && { name: foreignText(found.contract), source: foreignText(found.path) };
}

function nameOnChain(deployed: DeployedContract | undefined): ContractName | undefined {
  if (deployed === undefined || deployed.name === "") return undefined;
  return { name: foreignText(deployed.name), source: foreignText(t`its name on the chain`) };
}
