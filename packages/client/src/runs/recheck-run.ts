import { isChainError } from "@finality/tron/errors";
import { isoTime } from "@finality/tron/format";
import { type Hex, hexToBytes, isHexPairs, type TxId } from "@finality/tron/primitives";
import { decodeRawData, intentFromRawData } from "@finality/tron/transaction";
import type { Block, BlockTransaction, Gateway, TransactionInfo } from "../gateway/gateway.ts";
import { type RecheckOptions, readProof, recheckOnChain, recheckProof } from "../proof/proof-document.ts";
import {
  type ExecutionOutcome,
  needsInfo,
  outcomeInBlock,
  outcomeInInfo,
} from "../transaction-state/execution-outcome.ts";
import { type PaymentCells, paymentCells, type ReconciledColumn, type ReconciledLine } from "./reconciliation.ts";

/**
 * A cell that the chain or another line contradicts. `missing`: the chain does not have it there. `repeated`: another line
 * has it too. `unusable`: it cannot be read or checked.
 */
export interface RunMismatch {
  readonly row: string;
  readonly column: ReconciledColumn;
  readonly problem: "differs" | "missing" | "repeated" | "unusable";
  readonly inFile: string;
  /** Value on the chain, if it differs. */
  readonly onChain: string;
}

/** Result of checking a reconciliation file. */
export interface RunRecheck {
  readonly mismatches: readonly RunMismatch[];
  /** Rows whose last attempt is not final in the file, or that have none. */
  readonly open: readonly string[];
  /** Number of blocks that were read for transactions. */
  readonly blocks: number;
}

/** States of attempts that are in a block. */
const EXECUTED: ReadonlySet<string> = new Set(["succeeded", "failed"]);
/** States of attempts that no block has. */
const NOT_EXECUTED: ReadonlySet<string> = new Set(["provenAbsent", "rejected", "replaced"]);

/** Checks lines against each other: no transaction and no key belongs to two rows, and no row succeeded twice. */
export function recheckLines(lines: readonly ReconciledLine[]): RunRecheck {
  const mismatches: RunMismatch[] = [];
  const seen = new Map<string, string>();
  const claim = (line: ReconciledLine, column: ReconciledColumn, value: string, by: string): void => {
    const known = seen.get(`${column} ${value}`);
    if (known === undefined) seen.set(`${column} ${value}`, by);
    else if (known !== by) mismatches.push(mismatch(line, column, "repeated"));
  };
  const last = new Map<string, ReconciledLine>();
  for (const line of lines) {
    const { run, row, attempt, key, txID, state, chain, owner } = line;
    const name = `${run} ${row}`;
    const before = last.get(name);
    last.set(name, line);
    if (!/^[1-9]\d*$/.test(row)) mismatches.push(mismatch(line, "row", "unusable"));
    claim(line, "key", `${chain} ${owner} ${key}`, name);
    if (txID !== "") claim(line, "txID", txID, `${name} ${attempt}`);
    if (state === "succeeded") claim(line, "state", name, `${name} ${attempt}`);
    if (Number(attempt) !== (before === undefined ? Math.sign(txID.length) : Number(before.attempt) + 1))
      mismatches.push(mismatch(line, "attempt", "unusable"));
  }
  const open = [...last.values()].filter(({ state }) => !EXECUTED.has(state) && !NOT_EXECUTED.has(state));
  return { mismatches, open: open.map(({ row }) => row), blocks: 0 };
}

function mismatch(
  line: ReconciledLine,
  column: ReconciledColumn,
  problem: Exclude<RunMismatch["problem"], "differs">,
): RunMismatch {
  return { row: line.row, column, problem, inFile: line[column], onChain: "" };
}

/** Returns the cells that differ from those of the chain. */
function differences(line: ReconciledLine, chain: Partial<ReconciledLine>): readonly RunMismatch[] {
  return Object.entries(chain).flatMap(([name, onChain]): readonly RunMismatch[] => {
    const column = name as ReconciledColumn;
    if (line[column] === onChain) return [];
    return [{ row: line.row, column, problem: "differs", inFile: line[column], onChain }];
  });
}

/**
 * Checks a reconciliation file with the blocks of a network alone, and believes no journal. Each executed attempt has to
 * be in the block of its line, with the bytes and the result of the line. No block has the other attempts.
 *
 * @throws the errors of an unreachable gateway, and the signal's reason
 */
export async function recheckRun(
  lines: readonly ReconciledLine[],
  gateway: Gateway,
  options: RecheckOptions,
): Promise<RunRecheck> {
  const { mismatches: own, open } = recheckLines(lines);
  const mismatches = [...own];
  for (const line of lines)
    if (options.chain !== undefined) mismatches.push(...differences(line, { chain: options.chain }));
  const byHeight = new Map<number, ReconciledLine[]>();
  for (const line of lines) {
    if (!EXECUTED.has(line.state)) continue;
    const height = /^\d{1,15}$/.test(line.block) ? Number(line.block) : undefined;
    if (height === undefined) mismatches.push(mismatch(line, "block", "unusable"));
    else byHeight.set(height, [...(byHeight.get(height) ?? []), line]);
  }
  let blocks = 0;
  for (const [height, inBlock] of byHeight) {
    options.signal.throwIfAborted();
    const [block] = await gateway.solidBlocks(height, height + 1, options.signal);
    const infos =
      block === undefined ? new Map<TxId, TransactionInfo>() : await readInfos(block, inBlock, gateway, options.signal);
    for (const line of inBlock) mismatches.push(...checkExecuted(line, block, infos));
    options.read?.(++blocks);
  }
  for (const line of lines)
    if (line.txID !== "" && !EXECUTED.has(line.state))
      mismatches.push(...(await checkNotExecuted(line, gateway, options)));
  return { mismatches, open, blocks };
}

type Infos = ReadonlyMap<TxId, TransactionInfo>;

/** Reads the receipts that the block does not contain: those of several transactions with one request. */
async function readInfos(
  block: Block,
  lines: readonly ReconciledLine[],
  gateway: Gateway,
  signal: AbortSignal,
): Promise<Infos> {
  const named = new Set(lines.map(({ txID }) => txID));
  const uncovered = block.transactions.filter((it) => named.has(it.txId) && needsInfo(it));
  const listed = uncovered.length > 1 ? await gateway.solidTransactionInfos(block.number, signal) : undefined;
  const infos = new Map(listed?.map((it) => [it.txId, it]));
  for (const { txId } of uncovered) {
    const info = infos.get(txId) ?? (await gateway.solidTransactionInfo(txId, signal));
    if (info !== undefined) infos.set(txId, info);
  }
  return infos;
}

function checkExecuted(line: ReconciledLine, block: Block | undefined, infos: Infos): readonly RunMismatch[] {
  if (block === undefined) return [mismatch(line, "block", "missing")];
  if (!block.complete) return [mismatch(line, "block", "unusable")];
  const found = block.transactions.find((it) => it.txId === line.txID);
  const actual = { blockID: block.id, blockTime: isoTime(block.timestamp) };
  if (found === undefined) return [mismatch(line, "txID", "missing"), ...differences(line, actual)];
  const payment = found.rawDataHex === undefined ? undefined : cellsInBytes(found.rawDataHex);
  const outcome = outcomeOf(found, infos);
  if (payment === undefined) return [mismatch(line, "txID", "unusable")];
  if (outcome === undefined) return [mismatch(line, "result", "unusable")];
  const isSuccess = outcome.kind === "success";
  const end = { state: isSuccess ? "succeeded" : "failed", result: isSuccess ? "SUCCESS" : outcome.result };
  return differences(line, { ...actual, ...payment, ...end });
}

/** Returns what the bytes of a transaction do; undefined if they cannot be read. */
function cellsInBytes(rawDataHex: Hex): PaymentCells | undefined {
  try {
    return paymentCells(intentFromRawData(decodeRawData(hexToBytes(rawDataHex))));
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

function outcomeOf(transaction: BlockTransaction, infos: Infos): ExecutionOutcome | undefined {
  if (!needsInfo(transaction)) return outcomeInBlock(transaction);
  const info = infos.get(transaction.txId);
  return info && outcomeInInfo(info, transaction.contractType);
}

/** The chain does not have the transaction of the line; a proof of absence is repeated. */
async function checkNotExecuted(
  line: ReconciledLine,
  gateway: Gateway,
  options: RecheckOptions,
): Promise<readonly RunMismatch[]> {
  const { txID, state, proof } = line;
  if (!/^[0-9a-f]{64}$/.test(txID)) return [mismatch(line, "txID", "unusable")];
  const txId = txID as TxId;
  const info = await gateway.solidTransactionInfo(txId, options.signal);
  const found = info ?? (await gateway.solidTransaction(txId, options.signal));
  if (found !== undefined) return [{ ...mismatch(line, "state", "unusable"), problem: "differs", onChain: "executed" }];
  if (state !== "provenAbsent" && proof === "") return [];
  const document = readProof(proof);
  if (document === undefined || document.txId !== txId || recheckProof(proof).kind === "refused")
    return [mismatch(line, "proof", "unusable")];
  const payment = isHexPairs(document.rawDataHex) ? cellsInBytes(document.rawDataHex) : undefined;
  if (payment === undefined) return [mismatch(line, "proof", "unusable")];
  const { read: _, ...quiet } = options;
  const onChain = await recheckOnChain(gateway, document, quiet);
  if (onChain.kind === "refused") return [mismatch(line, "proof", "missing")];
  return differences(line, { ...payment, ...(state === "replaced" ? {} : { state: "provenAbsent" }) });
}
