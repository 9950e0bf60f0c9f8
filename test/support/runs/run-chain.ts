import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { SignedTransaction } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { FakeGateway } from "../fakes/fake-gateway.ts";
import { type BlockTransaction, readExpiration } from "./checker.ts";

/** Number of blocks that are not solidified. */
const UNSOLIDIFIED = 4;
const BLOCKS_BEFORE = 20;

/** A chain with a pool, expirations and reorganizations: the truth of a simulation of runs. */
export class RunChain extends FakeGateway {
  /** Transactions in the pool or in a block. */
  readonly #present = new Set<TxId>();
  readonly #expirations = new Map<TxId, number>();

  constructor() {
    super();
    this.mineEmpty(BLOCKS_BEFORE);
    this.solidify(this.head.number - UNSOLIDIFIED);
  }

  /** Number of different transactions that were sent. */
  get sent(): number {
    return this.#expirations.size;
  }

  /** Takes a transaction into the pool, or refuses it as a node does. */
  submit(transaction: SignedTransaction): "accepted" | "known" | "expired" {
    const { txId } = transaction;
    if (this.#present.has(txId)) return "known";
    if (this.#expirationOf(transaction) <= this.head.timestamp) return "expired";
    this.#present.add(txId);
    this.addPending(transaction);
    return "accepted";
  }

  /**
   * Produces a block of everything in the pool that has not expired.
   *
   * @param isDropped - True for a transaction that its node forgets.
   */
  produce(isDropped: (txId: TxId) => boolean): void {
    const time = this.head.timestamp + 3_000;
    const all = this.pending;
    const dropped = all.filter((txId) => (this.#expirations.get(txId) ?? 0) <= time || isDropped(txId));
    for (const txId of dropped) this.#present.delete(txId);
    const isGone = new Set(dropped);
    this.mine(all.filter((txId) => !isGone.has(txId)));
    if (this.pending.length > 0) this.dropPending();
    this.solidify(this.head.number - UNSOLIDIFIED);
    this.requests.length = 0;
  }

  /** Takes the newest blocks away. Their transactions are pending again, or forgotten. */
  fork(depth: number, forgets: boolean): void {
    const removed = this.chainBlocks.slice(Math.max(this.solid.number + 1, this.chainBlocks.length - depth));
    this.reorganise(depth, { lose: forgets });
    if (!forgets) return;
    for (const { transactions } of removed) for (const { txId } of transactions) this.#present.delete(txId);
  }

  /** Transactions of all solidified blocks. */
  *solidified(): Iterable<BlockTransaction> {
    for (const { number, transactions } of this.chainBlocks) {
      if (number > this.solid.number) return;
      for (const { txId, rawDataHex = "", contractResult } of transactions) {
        yield { txId, rawDataHex, succeeded: contractResult === "SUCCESS" };
      }
    }
  }

  #expirationOf({ txId, rawDataHex }: SignedTransaction): number {
    const known = this.#expirations.get(txId);
    if (known !== undefined) return known;
    const expiration = readExpiration(rawDataHex);
    this.#expirations.set(txId, expiration);
    return expiration;
  }
}
