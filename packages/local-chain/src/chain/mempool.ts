import { BLOCK_INTERVAL_MS, bytesToHex, type TxId } from "@finality/tron/primitives";
import { MAX_EXPIRATION_AHEAD_MS } from "@finality/tron/transaction";
import type { BlockList } from "./block.ts";
import type { Ledger } from "./ledger.ts";
import { expired, invalidContract, Refusal } from "./refusal.ts";
import { checkSignatures } from "./signatures.ts";
import { type ChainTransaction, type IncludedTransaction, ownerOf, type TransactionInfo } from "./transaction.ts";

/** So long a transaction waits, in ms of chain time. */
export const MAX_AGE_MS = 60_000;

/** A transaction that waits for a block. */
export interface Pending {
  readonly transaction: ChainTransaction;
  /** What its trial run did; its block may see it differently. */
  readonly trial: TransactionInfo;
  /** Chain time in ms of the newest block when it came. */
  readonly since: number;
}

/** First in, first out. */
export class Mempool {
  readonly #entries = new Map<TxId, Pending>();

  get size(): number {
    return this.#entries.size;
  }

  entries(): readonly Pending[] {
    return [...this.#entries.values()];
  }

  get(id: TxId): Pending | undefined {
    return this.#entries.get(id);
  }

  add(entry: Pending): void {
    this.#entries.set(entry.transaction.id, entry);
  }

  remove(id: TxId): void {
    this.#entries.delete(id);
  }

  /** Takes everything out, oldest first, so that it can be checked again. */
  drain(): readonly Pending[] {
    const entries = this.entries();
    this.#entries.clear();
    return entries;
  }
}

/** A pool forgets what no block took within a minute of chain time. */
export function tooOld(entry: Pending, now: number): boolean {
  return now - entry.since > MAX_AGE_MS;
}

/** What a block held, as if it had come now. */
export function pendingAgain(transactions: readonly IncludedTransaction[], since: number): Pending[] {
  return transactions.flatMap(({ transaction, info }) =>
    info === undefined ? [] : [{ transaction, trial: info, since }],
  );
}

const MAX_SIZE = 512_000;
const RESULT_RESERVE = 128;

/** What the checks of a transaction need to know of the chain. */
export interface Surroundings {
  readonly ledger: Ledger;
  /** Chain time in ms of the newest block. */
  readonly now: number;
  /** Whether this chain has a recent block with these TAPOS fields. */
  readonly knowsReference: (bytes: Uint8Array, hash: Uint8Array) => boolean;
}

/**
 * The checks of the broadcast servlet, before the pool is asked (Wallet.broadcastTransaction).
 *
 * @throws {Refusal}
 */
export function checkOnArrival(transaction: ChainTransaction, { now }: Surroundings): void {
  if (transaction.raw.contract.length === 0) throw invalidContract("No contract!");
  if (Number(transaction.raw.expiration) < now + BLOCK_INTERVAL_MS) throw expired();
}

/**
 * The checks of pool and block alike, up to the duplicate check (Manager.pushTransaction, validateCommon).
 *
 * @throws {Refusal}
 */
export function checkCommon(transaction: ChainTransaction, surroundings: Surroundings): void {
  const { raw, id } = transaction;
  if (!actsUnsigned(transaction, surroundings)) checkSignatures(surroundings.ledger, transaction);
  if (raw.contract.length !== 1) {
    throw invalidContract(
      `tx ${id} contract size should be exactly 1, this is extend feature ,actual :${raw.contract.length}`,
    );
  }
  if (!surroundings.knowsReference(raw.refBlockBytes, raw.refBlockHash)) {
    throw new Refusal("TAPOS_ERROR", "Tapos check error.");
  }
  checkSize(transaction);
  checkWindow(transaction, surroundings.now);
}

function actsUnsigned({ contract, signatures }: ChainTransaction, { ledger }: Surroundings): boolean {
  const owner = signatures.length === 0 && contract !== undefined ? ownerOf(contract) : undefined;
  return owner !== undefined && ledger.totals.unlocked.includes(owner);
}

function checkSize({ id, size }: ChainTransaction): void {
  const withResult = size + RESULT_RESERVE;
  if (withResult <= MAX_SIZE) return;
  const text = `Too big transaction with result, TxId ${id}, the size is ${withResult} bytes, maxTxSize ${MAX_SIZE}`;
  throw new Refusal("TOO_BIG_TRANSACTION_ERROR", text);
}

/** now < expiration ≤ now + 24 h, where now is the newest block's time and never a clock's. */
function checkWindow({ raw }: ChainTransaction, now: number): void {
  const expiration = Number(raw.expiration);
  if (expiration <= now || expiration > now + MAX_EXPIRATION_AHEAD_MS) throw expired();
}

/** Whether two TAPOS references are the same. */
function sameReference(bytes: Uint8Array, hash: Uint8Array, blockId: string): boolean {
  return blockId.slice(12, 16) === bytesToHex(bytes) && blockId.slice(16, 32) === bytesToHex(hash);
}

const REFERENCE_SLOTS = 65_536;

/** Of all heights with the same low 16 bits only the newest counts, as in the node's table of recent blocks. */
export function knowsReference(blocks: BlockList, bytes: Uint8Array, hash: Uint8Array): boolean {
  if (bytes.length !== 2) return false;
  const low = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const id = blocks.idAt(blocks.height - ((blocks.height - low) & (REFERENCE_SLOTS - 1)));
  return id !== undefined && sameReference(bytes, hash, id);
}
