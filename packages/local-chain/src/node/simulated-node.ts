import { isJsonObject, type Json, printJson, type TxId } from "@finality/tron/primitives";
import type { Blockchain } from "../chain/blockchain.ts";
import { Refusal } from "../chain/refusal.ts";
import { checkSignatureLengths } from "../chain/signatures.ts";
import type { ChainTransaction } from "../chain/transaction.ts";

/** The node of this chain: its settings, and its checks of a broadcast before those of the chain. */
export class SimulatedNode {
  readonly #chain: Blockchain;
  readonly #seen = new TransactionCache();
  readonly #accepted: () => void;
  settings: NodeSettings;

  /** @param accepted - called for each transaction that the pool takes */
  constructor(chain: Blockchain, settings: NodeSettings, accepted: () => void) {
    this.#chain = chain;
    this.#accepted = accepted;
    this.settings = settings;
  }

  /** Accepts a broadcast into the pool (protocol reference §7.2, from step 1 on). @throws {Refusal} */
  submit(transaction: ChainTransaction): void {
    const { maxUnsolidified, peers, maxPending, transactionCache } = this.settings;
    checkSignatureLengths(this.#chain.pendingState, transaction);
    if (maxUnsolidified > 0 && this.#chain.unsolidified >= maxUnsolidified) {
      throw new Refusal("BLOCK_UNSOLIDIFIED", "Block unsolidified.");
    }
    if (!peers) throw new Refusal("NO_CONNECTION", "No connection.");
    if (this.#chain.pool.size > maxPending) throw new Refusal("SERVER_BUSY", "Server busy.");
    if (transactionCache && this.#seen.add(transaction.id, this.#chain)) throw duplicateTransaction();
    this.#chain.submit(transaction);
    this.#accepted();
  }
}

const MAX_REMEMBERED = 100_000;

/**
 * Transaction cache of the node. It stores each txID before any check, so a repeated txID is a duplicate even if it was
 * refused or is invalid (node behaviour 12).
 */
export class TransactionCache {
  readonly #ids = new Set<TxId>();

  /** Stores a txID. @returns true if it is known, or a block holds it */
  add(id: TxId, chain: Blockchain): boolean {
    const known = this.#ids.has(id) || chain.find(id) !== undefined;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_REMEMBERED && oldest !== undefined) this.#ids.delete(oldest);
    return known;
  }
}

export function duplicateTransaction(): Refusal {
  return new Refusal("DUP_TRANSACTION_ERROR", "Transaction already exists.");
}

/** Settings of the node, beside the chain's parameters. */
export interface NodeSettings {
  /** True if constant calls are allowed (`vm.supportConstant`). */
  readonly constantCalls: boolean;
  /** True if `estimateenergy` is allowed (`vm.estimateEnergy`). */
  readonly estimateEnergy: boolean;
  /** True if the node caches txIDs before any check (`node.rpc.trxCacheEnable`). */
  readonly transactionCache: boolean;
  /** True if the node has peers; without any it refuses broadcasts (`node.rpc.minEffectiveConnection`). */
  readonly peers: boolean;
  /** Pool size above which broadcasts are refused (`node.maxTransactionPendingSize`). */
  readonly maxPending: number;
  /** Number of unsolidified blocks from which broadcasts are refused; 0 for no limit (`node.maxUnsolidifiedBlocks`). */
  readonly maxUnsolidified: number;
}

export const defaultSettings: NodeSettings = {
  constantCalls: true,
  estimateEnergy: true,
  transactionCache: false,
  peers: true,
  maxPending: 2000,
  maxUnsolidified: 0,
};

const MOST = 1_000_000;

/** Returns changed settings. @throws {TypeError} an unknown setting, or an invalid value */
export function changedSettings(settings: NodeSettings, changes: Json): NodeSettings {
  if (!isJsonObject(changes)) throw new TypeError("Settings of the node have to be a JSON object.");
  for (const [name, value] of Object.entries(changes)) checkSetting(name, value);
  return { ...settings, ...changes };
}

function checkSetting(name: string, value: Json | undefined): void {
  const [, usual] = Object.entries(defaultSettings).find(([it]) => it === name) ?? [];
  if (usual === undefined) {
    throw new TypeError(`The node has no setting "${name}". It has: ${Object.keys(defaultSettings).join(", ")}.`);
  }
  const integer = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST;
  const fits = typeof usual === "boolean" ? typeof value === "boolean" : integer;
  const requested = typeof usual === "boolean" ? "true or false" : `an integer from 0 to ${MOST}`;
  if (!fits) throw new TypeError(`${name} has to be ${requested}, not ${printJson(value ?? null)}.`);
}
