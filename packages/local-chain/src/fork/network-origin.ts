import { type Address, type BlockId, blockId, type JsonObject } from "@finality/tron/primitives";
import type { ContractRecord } from "../chain/account.ts";
import { MissingItem, type StateOrigin, UnreadableItem } from "../chain/state-origin.ts";
import { storageOfContract } from "../vm/frame.ts";
import { type ForkPoint, NOT_READ } from "./fork-point.ts";
import { NetworkClient } from "./network-client.ts";
import { accountIn, contractIn, rpcAddress, tokenIn, wordIn } from "./network-state.ts";

export type ItemKind = "accounts" | "contracts" | "uses" | "words" | "tokens" | "blocks";

/** An item that was read, as it is stored. */
export interface StoredItem {
  readonly kind: ItemKind;
  readonly key: string;
  /** Undefined for an item that the network does not have. */
  readonly value: unknown;
}

/** A file that the items are appended to. */
export interface ItemFile {
  append(item: StoredItem): void;
}

/** Chain whose steps can be undone. */
interface StepChain<Before> {
  /** Number of maintenance periods. */
  readonly cycle: number;
  begin(): Before;
  end(before: Before): void;
  undo(before: Before): void;
}

/** Steps that change nothing outside of themselves. */
const PURE: StepChain<undefined> = { cycle: 1, begin: () => undefined, end: () => undefined, undo: () => undefined };

const ADDRESS_DIGITS = 42;
/** Most times that a step runs again. Each time it has one item more. */
const MOST_RUNS = 100_000;

/**
 * State of the network that a chain is a fork of. Code runs synchronously: a step that needs an item which was not read
 * yet stops and is undone, the item is read, and the step runs again.
 */
export class NetworkOrigin implements StateOrigin {
  readonly point: ForkPoint;
  readonly #network: NetworkClient;
  readonly #file: ItemFile | undefined;
  readonly #items = new Map<string, unknown>();
  /** Addresses that exist on the fork alone, whatever the network has there. */
  readonly #local = new Set<string>();
  /** Items that the current step has missed. */
  readonly #missing = new Map<string, Pick<StoredItem, "kind" | "key">>();
  /** Reasons of items that could not be read, for the current step. */
  readonly #failures = new Map<string, string>();
  /** Reads in progress, by item. */
  readonly #reads = new Map<string, Promise<void>>();
  /** Last failure, for reports. */
  #latestFailure: string | undefined;
  /** Cycle of the chain minus that of the network, known from the first contract on. */
  #cycleOffset: number | undefined;

  /** @param items - those that are stored */
  constructor(
    point: ForkPoint,
    items: readonly unknown[] = [],
    file?: ItemFile,
    network: NetworkClient = new NetworkClient(point.url),
  ) {
    this.point = point;
    this.#network = network;
    this.#file = file;
    for (const { kind, key, value } of items as readonly StoredItem[]) this.#items.set(idOf(kind, key), value);
  }

  get block(): ForkPoint["block"] {
    return this.point.block;
  }

  get nextMaintenance(): number {
    return this.point.nextMaintenance;
  }

  /** Marks the accounts that the fork begins with: they are not read. */
  addLocal(addresses: Iterable<Address>): void {
    for (const address of addresses) this.#local.add(address);
  }

  value(table: string, key: unknown): unknown {
    const text = String(key);
    if (this.#local.has(text.slice(0, ADDRESS_DIGITS))) return undefined;
    switch (table) {
      case "accounts":
      case "contracts":
      case "uses":
        return this.#item(table, text);
      case "tokens":
        return /^\d{7,}$/.test(text) ? this.#item(table, text) : undefined;
      case "words":
        return this.#word(text);
      default:
        return undefined;
    }
  }

  blockId(height: number): BlockId | undefined {
    if (height === this.block.number) return this.block.id;
    return this.#item("blocks", String(height)) as BlockId | undefined;
  }

  /** A contract that the fork has made again at an address of the network starts empty. */
  #word(key: string): unknown {
    const address = key.slice(0, ADDRESS_DIGITS) as Address;
    const contract = this.#item("contracts", address) as ContractRecord | undefined;
    const [storage] = key.split(":");
    const isOfNetwork = contract !== undefined && storage === storageOfContract(address, contract);
    return isOfNetwork ? this.#item("words", key) : undefined;
  }

  /** @throws {MissingItem | UnreadableItem} */
  #item(kind: ItemKind, key: string): unknown {
    const id = idOf(kind, key);
    if (this.#items.has(id)) return this.#items.get(id);
    const failure = this.#failures.get(id);
    if (failure !== undefined) throw new UnreadableItem(failure);
    this.#missing.set(id, { kind, key });
    throw new MissingItem(`${kind} ${key} was not read yet`);
  }

  /**
   * Runs a step on the chain, and again for each item that it misses. A run that misses an item has no effect. An item that
   * the network cannot give is an error of the step.
   */
  async run<Before, Result>(chain: StepChain<Before>, step: () => Result): Promise<Result> {
    for (let runs = 1; ; runs += 1) {
      const before = chain.begin();
      this.#missing.clear();
      let outcome: { readonly result: Result } | { readonly error: unknown };
      try {
        outcome = { result: step() };
      } catch (error) {
        outcome = { error };
      }
      // Also where the code of the chain has caught the error.
      const missing = [...this.#missing.values()];
      if (missing.length === 0 || runs === MOST_RUNS) {
        this.#failures.clear();
        chain.end(before);
        if ("error" in outcome) throw outcome.error;
        return outcome.result;
      }
      chain.undo(before);
      await Promise.all(missing.map(({ kind, key }) => this.#readOnce(kind, key, chain)));
    }
  }

  /** Runs a step that changes nothing outside of itself, and again for each item that it misses. */
  async runPure<Result>(step: () => Result): Promise<Result> {
    return await this.run(PURE, step);
  }

  async #readOnce(kind: ItemKind, key: string, { cycle }: { readonly cycle: number }): Promise<void> {
    const id = idOf(kind, key);
    const running = this.#reads.get(id);
    if (running !== undefined) return await running;
    const reading = this.#read(kind, key, cycle)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.#latestFailure = `The fork cannot read ${nameOf(kind, key)} from ${this.point.url}: ${reason}`;
        this.#failures.set(id, this.#latestFailure);
      })
      .finally(() => this.#reads.delete(id));
    this.#reads.set(id, reading);
    await reading;
  }

  async #read(kind: ItemKind, key: string, cycle: number): Promise<void> {
    const { block } = this.point;
    switch (kind) {
      case "accounts": {
        const json = await this.#network.ask("wallet/getaccount", { address: key });
        return this.#store(kind, key, accountIn(json, key as Address, block.timestamp));
      }
      case "contracts":
      case "uses":
        return this.#storeContract(key as Address, await this.#contractAnswer(key), cycle);
      case "words": {
        const [storage = "", slot = ""] = key.split(":");
        const address = rpcAddress(storage.slice(0, ADDRESS_DIGITS) as Address);
        return this.#store(
          kind,
          key,
          wordIn(await this.#network.call("eth_getStorageAt", [address, `0x${slot}`, "latest"])),
        );
      }
      case "tokens":
        return this.#store(
          kind,
          key,
          tokenIn(await this.#network.ask("wallet/getassetissuebyid", { value: key }), key),
        );
      case "blocks": {
        const { blockID } = await this.#network.ask("wallet/getblockbynum", { num: Number(key) });
        return this.#store(kind, key, typeof blockID === "string" ? blockId(blockID) : undefined);
      }
    }
  }

  async #contractAnswer(address: string): Promise<JsonObject> {
    return await this.#network.ask("wallet/getcontractinfo", { value: address });
  }

  /** Stores a contract and its usage. Cycles of the network become those of the chain. */
  #storeContract(address: Address, json: JsonObject, now: number): void {
    const state = contractIn(json, address);
    this.#store("contracts", address, state?.contract);
    this.#store("uses", address, state && { ...state.use, updateCycle: this.#cycleOf(state.use.updateCycle, now) });
  }

  /** A usage that is newer than the cycle of the chain would not count. */
  #cycleOf(cycle: number, now: number): number {
    if (cycle === 0) return 0;
    this.#cycleOffset ??= now - cycle;
    return Math.min(now, cycle + this.#cycleOffset);
  }

  #store(kind: ItemKind, key: string, value: unknown): void {
    this.#items.set(idOf(kind, key), value);
    this.#file?.append({ kind, key, value });
  }

  /** Returns what the chain tells about its fork. */
  report(): JsonObject {
    const counts: { [kind: string]: number } = {};
    for (const id of this.#items.keys()) {
      const kind = id.slice(0, id.indexOf(" "));
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    const { url, block, chainId, nodeVersion, unknown } = this.point;
    return {
      url,
      block: { ...block },
      chainId,
      nodeVersion,
      items: counts,
      requests: { ...this.#network.counts },
      ...(this.#latestFailure !== undefined && { latestFailure: this.#latestFailure }),
      unknown: [...unknown, ...NOT_READ],
    };
  }
}

function idOf(kind: ItemKind, key: string): string {
  return `${kind} ${key}`;
}

/** Returns the name of an item in messages. */
export function nameOf(kind: ItemKind, key: string): string {
  const [owner = "", slot = ""] = key.split(":");
  switch (kind) {
    case "accounts":
      return `the account ${key}`;
    case "contracts":
    case "uses":
      return `the contract ${key}`;
    case "words":
      return `slot 0x${slot} of the contract ${owner.slice(0, ADDRESS_DIGITS)}`;
    case "tokens":
      return `the token ${key}`;
    case "blocks":
      return `the id of block ${key}`;
  }
}
