import type { Address } from "@finality/tron/primitives";
import { type StorageKey, storageKey } from "../chain/account.ts";
import { Table } from "../chain/table.ts";

/**
 * Words that contracts keep until the end of the transaction: layers as the ledger's, so that a failed call loses its
 * own.
 */
export class TransientStorage {
  readonly #words: Table<StorageKey, bigint>;

  constructor(below?: TransientStorage) {
    this.#words = new Table(below === undefined ? undefined : below.#words);
  }

  get(address: Address, slot: bigint): bigint {
    return this.#words.get(storageKey(address, slot)) ?? 0n;
  }

  put(address: Address, slot: bigint, word: bigint): void {
    this.#words.set(storageKey(address, slot), word);
  }

  commit(): void {
    this.#words.commit();
  }
}
