import type { Block, BlockTransaction, Gateway, TransactionInfo } from "../gateway/gateway.ts";
import type { JournalEntry } from "../journal/journal.ts";
import type { TxId } from "../primitives/hash.ts";
import type { Clock } from "../time/clock.ts";
import { needsInfo, outcomeInBlock, outcomeInInfo } from "./execution-outcome.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** Whom to ask, by which clock to date what is learned, and until when. */
export interface Inquiry {
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * What the chain shows about one transaction now: first the solidified data, then the head. An empty list means that
 * nothing new was learned; that nothing was found proves nothing (gateway document, Endpoints rule 3).
 */
export async function lookUp(tracked: TrackedTransaction, inquiry: Inquiry): Promise<readonly JournalEntry[]> {
  const { gateway, signal } = inquiry;
  const solid = await gateway.solidTransactionInfo(tracked.txId, signal);
  const facts = solid === undefined ? [] : await solidFacts(tracked.txId, solid.blockNumber, inquiry);
  return facts.length > 0 ? facts : lookUpInHead(tracked, inquiry);
}

/** What the head view shows: in which block it is, or that it left the block it was in, or that it is in the pool. */
export async function lookUpInHead(tracked: TrackedTransaction, inquiry: Inquiry): Promise<readonly JournalEntry[]> {
  const { txId, state } = tracked;
  const { gateway, clock, signal } = inquiry;
  const info = await gateway.headTransactionInfo(txId, signal);
  if (info !== undefined) return sighting(tracked, info, clock.now());
  if (state.kind === "included") return [{ kind: "lost-from-head", txId, at: clock.now() }];
  if (state.kind === "pending") return [];
  const pooled = await gateway.headTransaction(txId, signal);
  return pooled === undefined ? [] : [{ kind: "seen-in-pool", txId, at: clock.now() }];
}

/**
 * The proof that a solidified block holds the transaction, with its outcome. Empty when that block is not solidified yet, holds
 * something else, or when a contract's receipt is not to be had yet.
 */
export async function solidFacts(txId: TxId, height: number, inquiry: Inquiry): Promise<readonly JournalEntry[]> {
  const [block] = await inquiry.gateway.solidBlocks(height, height + 1, inquiry.signal);
  const transaction = block?.transactions.find((it) => it.txId === txId);
  if (block === undefined || transaction === undefined) return [];
  return factsInBlock(block, transaction, inquiry);
}

/** The same for a transaction of a block that was read. Costs a request for contracts and none for anything else. */
export async function factsInBlock(
  { number, id, timestamp }: Block,
  transaction: BlockTransaction,
  { gateway, clock, signal }: Inquiry,
): Promise<readonly JournalEntry[]> {
  const { txId, contractType } = transaction;
  const info = needsInfo(transaction) ? await gateway.solidTransactionInfo(txId, signal) : undefined;
  if (needsInfo(transaction) && info === undefined) return [];
  const outcome = info === undefined ? outcomeInBlock(transaction) : outcomeInInfo(info, contractType);
  return [{ kind: "solidified", txId, at: clock.now(), block: { number, id, timestamp }, outcome }];
}

function sighting({ txId, state, signed }: TrackedTransaction, info: TransactionInfo, at: number): JournalEntry[] {
  const block = { number: info.blockNumber, timestamp: info.blockTimestamp };
  if (state.kind === "included" && state.block.number === block.number) return [];
  const outcome = outcomeInInfo(info, typeOfIntent(signed?.intent.kind));
  return [{ kind: "seen-in-head", txId, at, block, ...(outcome && { outcome }) }];
}

/** Enough of the contract's type to know whether it has a receipt. */
function typeOfIntent(kind: string | undefined): string | undefined {
  if (kind === "contract-call") return "TriggerSmartContract";
  if (kind === "contract-creation") return "CreateSmartContract";
  return kind === undefined ? undefined : "TransferContract";
}
