import { ChainError, isChainError } from "@finality/tron/errors";
import { hexToBytes, type TxId, transactionId } from "@finality/tron/primitives";
import { readLifetime } from "@finality/tron/transaction";
import type { Clock } from "../gateway/clock.ts";
import type { Block, BlockTransaction, Gateway, TransactionInfo } from "../gateway/gateway.ts";
import { findReference } from "../proof/inclusion-interval.ts";
import { needsInfo, outcomeInBlock, outcomeInInfo, runsCode } from "./execution-outcome.ts";
import type { JournalEntry } from "./journal-entry.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** Gateway to query, clock that dates the results, and signal that ends the query. */
export interface QueryContext {
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Reads a solidified block; undefined if this height does not exist yet. If missing, each query reads for itself. */
  readonly solidBlockAt?: ((height: number) => Promise<Block | undefined>) | undefined;
}

/** Returns the same context for several queries, which share the blocks that they read. */
export function withSharedBlocks(
  context: QueryContext,
  read: (block: Block) => unknown = () => undefined,
): QueryContext {
  const blocks = new Map<number, Promise<Block | undefined>>();
  const readOne = async (height: number): Promise<Block | undefined> => {
    const block = await readSolidBlock(context, height);
    if (block !== undefined) read(block);
    return block;
  };
  const solidBlockAt = (height: number): Promise<Block | undefined> => {
    const block = blocks.get(height) ?? readOne(height);
    blocks.set(height, block);
    return block;
  };
  return { ...context, solidBlockAt };
}

async function readSolidBlock({ gateway, signal }: QueryContext, height: number): Promise<Block | undefined> {
  const [block] = await gateway.solidBlocks(height, height + 1, signal);
  return block;
}

/**
 * Returns the facts that the chain shows about one transaction now: first the solidified data, then the head. An empty
 * list means no new fact; a transaction that is not found proves nothing (gateway document, Endpoints rule 3).
 */
export async function queryTransaction(
  tracked: TrackedTransaction,
  context: QueryContext,
): Promise<readonly JournalEntry[]> {
  const facts = await querySolidified(tracked.txId, context);
  if (facts.length > 0) return facts;
  const inHead = await queryHead(tracked, context);
  const isThereWithoutInfo =
    inHead.length === 0 ? tracked.state.kind === "pending" : inHead[0]?.kind === "seen-in-pool";
  const solid = isThereWithoutInfo ? await querySolidifiedTransfer(tracked, context) : [];
  return solid.length > 0 ? solid : inHead;
}

/** Maximum number of requests of 100 blocks after the reference block that one transfer is worth. */
const MOST_REQUESTS = 10;
const BLOCKS_A_REQUEST = 100;

/**
 * Returns the facts of the solidified transaction itself, for gateways whose info omits transfers (gateway document,
 * Endpoints rule 1). It names no block, so the block is searched from its reference block on. Empty for transactions
 * that run code.
 */
export async function querySolidifiedTransfer(
  { txId, signed }: TrackedTransaction,
  context: QueryContext,
): Promise<readonly JournalEntry[]> {
  const { gateway, clock, signal } = context;
  const type = typeOfIntent(signed?.intent.kind);
  if (type !== undefined && runsCode(type)) return [];
  const found = await gateway.solidTransaction(txId, signal);
  if (found === undefined || transactionId(hexToBytes(found.rawDataHex)) !== txId) return [];
  const lifetime = readLifetime(found.rawDataHex);
  const { height } = await findReference(gateway, found.rawDataHex, { now: clock.now(), signal });
  if (lifetime === undefined || height === undefined) return [];
  let next = Math.max(height, signed?.solidHeight ?? 0) + 1;
  for (let requests = 0; requests < MOST_REQUESTS; requests++) {
    const blocks = await gateway.solidBlocks(next, next + BLOCKS_A_REQUEST, signal);
    const block = blocks.find((it) => it.transactions.some((one) => one.txId === txId));
    if (block !== undefined)
      return solidifiedFacts(txId, block.number, { ...context, solidBlockAt: async () => block });
    const last = blocks.at(-1);
    if (last === undefined || last.timestamp >= lifetime.expiration) return [];
    next = last.number + 1;
  }
  return [];
}

/** Returns the facts that solidified data show about a transaction. */
export async function querySolidified(txId: TxId, context: QueryContext): Promise<readonly JournalEntry[]> {
  const solid = await context.gateway.solidTransactionInfo(txId, context.signal);
  return solid === undefined ? [] : solidifiedFacts(txId, solid.blockNumber, context);
}

/**
 * Runs `queryTransaction`. For a refused transaction it also queries the further URLs of the network until one of them
 * shows it. Its absence at the gateway is again only the gateway's claim.
 *
 * @param others - Called only if they are needed.
 * @throws the errors of the gateway; a further URL that does not answer is skipped
 */
export async function queryWithFallbacks(
  tracked: TrackedTransaction,
  context: QueryContext,
  others: () => Promise<readonly Gateway[]>,
): Promise<readonly JournalEntry[]> {
  const here = await queryTransaction(tracked, context);
  const isRefused = tracked.state.kind === "rejected" || tracked.state.kind === "replaced";
  return here.length > 0 || !isRefused ? here : await queryFirstOf(await others(), tracked, context);
}

/** Returns the facts of the first gateway that shows any. A gateway that does not answer is skipped. */
export async function queryFirstOf(
  gateways: readonly Gateway[],
  tracked: TrackedTransaction,
  context: QueryContext,
): Promise<readonly JournalEntry[]> {
  for (const gateway of gateways) {
    const facts = await queryTransaction(tracked, { ...context, gateway, solidBlockAt: undefined }).catch(
      (error: unknown) => {
        context.signal.throwIfAborted();
        if (isChainError(error)) return [];
        throw error;
      },
    );
    if (facts.length > 0) return facts;
  }
  return [];
}

/**
 * Returns the facts of the head view: the block that holds the transaction, its loss from that block, or its presence
 * in the pool.
 */
export async function queryHead(tracked: TrackedTransaction, context: QueryContext): Promise<readonly JournalEntry[]> {
  const { txId, state } = tracked;
  const { gateway, clock, signal } = context;
  const info = await gateway.headTransactionInfo(txId, signal);
  if (info !== undefined) return sighting(tracked, info, clock.now());
  if (state.kind === "included") return [{ kind: "lost-from-head", txId, at: clock.now() }];
  if (state.kind === "pending") return [];
  const pooled = await gateway.headTransaction(txId, signal);
  return pooled === undefined ? [] : [{ kind: "seen-in-pool", txId, at: clock.now() }];
}

/**
 * Returns the proof that a solidified block contains the transaction, with its outcome. Empty if that block is not
 * solidified yet, contains something else, or if a contract's outcome is not reported yet.
 *
 * @throws {ChainError} `CHAIN_BLOCK_UNCHECKED` if the block lists it, but its transactions do not match its ID
 */
export async function solidifiedFacts(
  txId: TxId,
  height: number,
  context: QueryContext,
): Promise<readonly JournalEntry[]> {
  const block = await (context.solidBlockAt?.(height) ?? readSolidBlock(context, height));
  const transaction = block?.transactions.find((it) => it.txId === txId);
  if (block === undefined || transaction === undefined) return [];
  if (!block.complete) throw new ChainError("CHAIN_BLOCK_UNCHECKED", { height });
  return factsInBlock(block, transaction, context);
}

/** Returns the same for a transaction of a block that was read. Costs a request for contracts, none otherwise. */
export async function factsInBlock(
  { number, id, timestamp }: Block,
  transaction: BlockTransaction,
  { gateway, clock, signal }: QueryContext,
): Promise<readonly JournalEntry[]> {
  const { txId, contractType, contractResult } = transaction;
  const info = needsInfo(transaction) ? await gateway.solidTransactionInfo(txId, signal) : undefined;
  const outcome = info === undefined ? outcomeInBlock(transaction) : outcomeInInfo(info, contractType);
  if (outcome === undefined) return [];
  const at = clock.now();
  const fact: JournalEntry = { kind: "solidified", txId, at, block: { number, id, timestamp }, outcome };
  // The block ID covers the result in the block, but not a receipt.
  const isDenied = outcome.kind === "failed" && contractResult === "SUCCESS";
  if (!isDenied) return [fact];
  return [fact, { kind: "outcome-told", txId, at, endpoint: gateway.endpoint, outcome: { kind: "success" } }];
}

function sighting({ txId, state, signed }: TrackedTransaction, info: TransactionInfo, at: number): JournalEntry[] {
  const block = { number: info.blockNumber, timestamp: info.blockTimestamp };
  const outcome = outcomeInInfo(info, typeOfIntent(signed?.intent.kind));
  const isSeen = state.kind === "included" && state.block.number === block.number;
  if (isSeen && (outcome === undefined || state.outcome !== undefined)) return [];
  return [{ kind: "seen-in-head", txId, at, block, ...(outcome && { outcome }) }];
}

/** The contract's type decides whether it has a receipt. */
function typeOfIntent(kind: string | undefined): string | undefined {
  if (kind === "contract-call") return "TriggerSmartContract";
  if (kind === "contract-creation") return "CreateSmartContract";
  return kind === undefined ? undefined : "TransferContract";
}
