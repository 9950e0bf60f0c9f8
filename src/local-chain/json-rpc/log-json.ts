import type { JsonObject } from "../../core/primitives/json.ts";
import type { Block } from "../chain/block.ts";
import type { ContractLog } from "../chain/transaction.ts";
import { quantity, shortAddress } from "./quantities.ts";

/** A log with its place. */
export interface PlacedLog {
  readonly log: ContractLog;
  readonly block: Block;
  /** Of its transaction in the block. */
  readonly transactionIndex: number;
  /** Of the log in the block. */
  readonly logIndex: number;
}

/** All logs of a block, in order. */
export function logsIn(block: Block): readonly PlacedLog[] {
  const logs: PlacedLog[] = [];
  for (const [transactionIndex, { info }] of block.transactions.entries()) {
    for (const log of info?.outcome?.logs ?? []) logs.push({ log, block, transactionIndex, logIndex: logs.length });
  }
  return logs;
}

/** @param removed - its block has given way to another one */
export function printRpcLog({ log, block, transactionIndex, logIndex }: PlacedLog, removed = false): JsonObject {
  return {
    address: shortAddress(log.address),
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.header.number),
    data: `0x${log.data}`,
    logIndex: quantity(logIndex),
    removed,
    topics: log.topics.map((it) => `0x${it}`),
    transactionHash: `0x${block.transactions[transactionIndex]?.transaction.id ?? ""}`,
    transactionIndex: quantity(transactionIndex),
  };
}
