import type { Address } from "../../core/primitives/address.ts";
import { storageKey } from "../chain/account.ts";
import { LayeredMap } from "../chain/ledger.ts";

/**
 * Words that contracts keep until the end of the transaction: layers as the ledger's, so that a failed call loses its
 * own.
 */
export class TransientStorage {
  readonly #below: TransientStorage | undefined;
  readonly #words = new LayeredMap<string, bigint>();

  constructor(below?: TransientStorage) {
    this.#below = below;
  }

  get(address: Address, slot: bigint): bigint {
    const key = storageKey(address, slot);
    for (let layer: TransientStorage | undefined = this; layer !== undefined; layer = layer.#below) {
      if (layer.#words.has(key)) return layer.#words.get(key) ?? 0n;
    }
    return 0n;
  }

  put(address: Address, slot: bigint, word: bigint): void {
    this.#words.set(storageKey(address, slot), word);
  }

  commit(): void {
    if (this.#below !== undefined) this.#words.commitTo(this.#below.#words, false);
  }
}
