import { addressToBytes, bytesToHex } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { InternalTransaction } from "../chain/transaction.ts";
import { bytesOfLong } from "./words.ts";

export interface NewInternalTransaction extends Omit<InternalTransaction, "hash" | "rejected"> {
  readonly parent: Uint8Array;
  readonly data: Uint8Array;
}

/** The internal transactions of one transaction, in the order in which they began. */
export class InternalTransactions {
  readonly #list: InternalTransaction[] = [];
  /** Calls, creations, suicides and stakes so far. */
  #nonce = 0n;

  get nonce(): bigint {
    return this.#nonce;
  }

  get count(): number {
    return this.#list.length;
  }

  get all(): readonly InternalTransaction[] {
    return this.#list;
  }

  /** @returns its hash, the parent of those inside it */
  add({ parent, data, ...entry }: NewInternalTransaction): Uint8Array {
    this.#nonce += 1n;
    const receiver = entry.note === "create" || entry.to === undefined ? new Uint8Array() : addressToBytes(entry.to);
    const parts = [parent, receiver, data, bytesOfLong(entry.value), bytesOfLong(this.#nonce)];
    const hash = keccak_256(Buffer.concat(parts));
    this.#list.push({ ...entry, hash: bytesToHex(hash), rejected: false });
    return hash;
  }

  /** Says of the newest what is known only when it is done. */
  amend(change: Partial<Pick<InternalTransaction, "value" | "extra" | "rejected">>): void {
    const newest = this.#list.pop();
    if (newest !== undefined) this.#list.push({ ...newest, ...change });
  }

  /** Marks what came from an index on as undone. */
  reject(from: number): void {
    for (const [index, entry] of this.#list.entries()) {
      if (index >= from) this.#list[index] = { ...entry, rejected: true };
    }
  }
}
