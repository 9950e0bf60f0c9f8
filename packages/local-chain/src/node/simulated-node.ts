import { isJsonObject, type Json, printJson, type TxId } from "@finality/tron/primitives";
import type { Blockchain } from "../chain/blockchain.ts";
import { Refusal } from "../chain/refusal.ts";
import type { ChainTransaction } from "../chain/transaction.ts";

/**
 * The one node of this chain, as far as it is not the chain: its settings, and what it asks a broadcast before the
 * chain does.
 */
export class SimulatedNode {
  readonly #chain: Blockchain;
  readonly #seen = new SeenTransactions();
  readonly #accepted: () => void;
  settings: NodeSettings;

  /** @param accepted - called for each transaction that the pool takes */
  constructor(chain: Blockchain, settings: NodeSettings, accepted: () => void) {
    this.#chain = chain;
    this.#accepted = accepted;
    this.settings = settings;
  }

  /**
   * Takes a broadcast into the pool (protocol reference §7.2, from step 1 on).
   *
   * @throws {Refusal}
   */
  submit(transaction: ChainTransaction): void {
    const { maxUnsolidified, peers, maxPending, transactionCache } = this.settings;
    if (maxUnsolidified > 0 && this.#chain.unsolidified >= maxUnsolidified) {
      throw new Refusal("BLOCK_UNSOLIDIFIED", "Block unsolidified.");
    }
    if (!peers) throw new Refusal("NO_CONNECTION", "No connection.");
    if (this.#chain.pool.size > maxPending) throw new Refusal("SERVER_BUSY", "Server busy.");
    if (transactionCache && this.#seen.meet(transaction.id, this.#chain)) throw seenBefore();
    this.#chain.submit(transaction);
    this.#accepted();
  }
}

const MAX_REMEMBERED = 100_000;

/**
 * The node's cache of transactions: it remembers each txID before anything is checked, so whoever comes a second time
 * is a duplicate, whatever is wrong with it, and even if it was refused (node behaviour 12).
 */
export class SeenTransactions {
  readonly #ids = new Set<TxId>();

  /** Remembers this one. @returns whether it came before, or a block holds it */
  meet(id: TxId, chain: Blockchain): boolean {
    const known = this.#ids.has(id) || chain.find(id) !== undefined;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_REMEMBERED && oldest !== undefined) this.#ids.delete(oldest);
    return known;
  }
}

export function seenBefore(): Refusal {
  return new Refusal("DUP_TRANSACTION_ERROR", "Transaction already exists.");
}

/** How the one node of this chain is set up, next to the rules of the chain itself. */
export interface NodeSettings {
  /** Whether code is run without a transaction (`vm.supportConstant`). */
  readonly constantCalls: boolean;
  /** Whether `estimateenergy` is answered (`vm.estimateEnergy`). */
  readonly estimateEnergy: boolean;
  /** Whether txIDs are remembered before anything is checked (`node.rpc.trxCacheEnable`). */
  readonly transactionCache: boolean;
  /**
   * Whether somebody is there to pass broadcasts on to; a node without takes none (`node.rpc.minEffectiveConnection`).
   */
  readonly peers: boolean;
  /** With more than this in the pool broadcasts are refused (`node.maxTransactionPendingSize`). */
  readonly maxPending: number;
  /**
   * With this many blocks above the solidified one broadcasts are refused; 0 for never (`node.maxUnsolidifiedBlocks`).
   */
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

/**
 * These settings with some of them replaced.
 *
 * @throws {TypeError} there is no such setting, or a value does not fit
 */
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
  const wanted = typeof usual === "boolean" ? "true or false" : `an integer from 0 to ${MOST}`;
  if (!fits) throw new TypeError(`${name} has to be ${wanted}, not ${printJson(value ?? null)}.`);
}
