import { BLOCK_INTERVAL_MS, bytesToHex, type TxId } from "@finality/tron/primitives";
import { MAX_EXPIRATION_AHEAD_MS } from "@finality/tron/transaction";
import type { BlockList } from "./block.ts";
import type { Ledger } from "./ledger.ts";
import { type ChainParameters, versionOf } from "./parameters.ts";
import { expired, invalidContract, Refusal } from "./refusal.ts";
import { checkSignatures } from "./signatures.ts";
import { type ChainTransaction, type IncludedTransaction, ownerOf, type TransactionInfo } from "./transaction.ts";

/** Time limit of pending transactions in ms of chain time. */
export const MAX_AGE_MS = 60_000;

/** A pending transaction. */
export interface Pending {
  readonly transaction: ChainTransaction;
  /** Result of the trial run; the block may differ: see `TrialBlock`. */
  readonly trial: TransactionInfo;
  /** Chain time in ms of the newest block at arrival. */
  readonly since: number;
}

/** Pending transactions, first in, first out. */
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

  /** Removes all transactions, oldest first, for a new validation. */
  drain(): readonly Pending[] {
    const entries = this.entries();
    this.#entries.clear();
    return entries;
  }
}

/** Returns whether a transaction has been pending for more than a minute of chain time. */
export function isTooOld(entry: Pending, now: number): boolean {
  return now - entry.since > MAX_AGE_MS;
}

/** Returns the transactions of a block as newly pending ones. */
export function asPending(transactions: readonly IncludedTransaction[], since: number): Pending[] {
  return transactions.flatMap(({ transaction, info }) =>
    info === undefined ? [] : [{ transaction, trial: info, since }],
  );
}

const MAX_SIZE = 512_000;
const RESULT_RESERVE = 128;

/** Chain context of the checks of a transaction. */
export interface ValidationContext {
  readonly ledger: Ledger;
  /** Chain time in ms of the newest block. */
  readonly now: number;
  /** Returns whether the chain has a recent block with these TAPOS fields. */
  readonly knowsReference: (bytes: Uint8Array, hash: Uint8Array) => boolean;
}

/** Makes the checks of the broadcast servlet (Wallet.broadcastTransaction). @throws {Refusal} */
export function checkOnArrival(transaction: ChainTransaction, { now, ledger }: ValidationContext): void {
  if (transaction.raw.contract.length === 0) throw invalidContract("No contract!");
  if (Number(transaction.raw.expiration) < now + BLOCK_INTERVAL_MS) throw expired();
  checkExchanges(transaction, ledger.parameters);
}

/** Since 4.8.1 trades with an exchange wait for proposal 98 (Manager.isExchangeTransaction). @throws {Refusal} */
function checkExchanges({ contract }: ChainTransaction, parameters: ChainParameters): void {
  if (contract?.type?.name !== "ExchangeTransactionContract" || versionOf(parameters) === "4.8.0") return;
  if (parameters.getAllowHardenExchangeCalculation !== 1)
    throw invalidContract("ExchangeTransactionContract is rejected");
}

/**
 * Makes the checks common to pool and block, before the duplicate check (Manager.pushTransaction, validateCommon).
 *
 * @throws {Refusal}
 */
export function checkCommon(transaction: ChainTransaction, context: ValidationContext): void {
  const { raw, id } = transaction;
  if (!isExempt(transaction, context)) checkSignatures(context.ledger, transaction);
  if (raw.contract.length !== 1) {
    throw invalidContract(
      `tx ${id} contract size should be exactly 1, this is extend feature ,actual :${raw.contract.length}`,
    );
  }
  if (!context.knowsReference(raw.refBlockBytes, raw.refBlockHash)) {
    throw new Refusal("TAPOS_ERROR", "Tapos check error.");
  }
  checkSize(transaction);
  checkWindow(transaction, context.now);
}

/** Returns whether a development tool exempts the owner of a transaction from signature checks. */
function isExempt({ contract, signatures }: ChainTransaction, { ledger }: ValidationContext): boolean {
  const { unlocked, impersonated } = ledger.totals;
  if (unlocked.length === 0 && impersonated.length === 0) return false;
  const owner = contract === undefined ? undefined : ownerOf(contract);
  if (owner === undefined) return false;
  return unlocked.includes(owner) || (signatures.length > 0 && impersonated.includes(owner));
}

function checkSize({ id, size }: ChainTransaction): void {
  const withResult = size + RESULT_RESERVE;
  if (withResult <= MAX_SIZE) return;
  const text = `Too big transaction with result, TxId ${id}, the size is ${withResult} bytes, maxTxSize ${MAX_SIZE}`;
  throw new Refusal("TOO_BIG_TRANSACTION_ERROR", text);
}

/** Checks now < expiration ≤ now + 24 h, where now is the newest block's time. */
function checkWindow({ raw }: ChainTransaction, now: number): void {
  const expiration = Number(raw.expiration);
  if (expiration <= now || expiration > now + MAX_EXPIRATION_AHEAD_MS) throw expired();
}

/** Returns whether two TAPOS references are equal. */
function sameReference(bytes: Uint8Array, hash: Uint8Array, blockId: string): boolean {
  return blockId.slice(12, 16) === bytesToHex(bytes) && blockId.slice(16, 32) === bytesToHex(hash);
}

const REFERENCE_SLOTS = 65_536;

/** Returns whether the reference names a recent block. Of heights with the same low 16 bits only the newest counts. */
export function knowsReference(blocks: BlockList, bytes: Uint8Array, hash: Uint8Array): boolean {
  if (bytes.length !== 2) return false;
  const low = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const id = blocks.idAt(blocks.height - ((blocks.height - low) & (REFERENCE_SLOTS - 1)));
  return id !== undefined && sameReference(bytes, hash, id);
}
