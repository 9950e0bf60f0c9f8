import type { Address } from "@finality/tron/primitives";
import type { Block, TransactionInfo } from "../gateway/gateway.ts";
import type { EventWatch, WatchedEvent } from "./event-entry.ts";
import { matchesFilter } from "./event-filter.ts";

/** Returns the events of a receipt that one of the watches counts. Each event is there once. */
export function eventsInReceipt(
  { number, id, timestamp }: Block,
  { txId, logs = [] }: TransactionInfo,
  watches: ReadonlyMap<Address, readonly EventWatch[]>,
): readonly WatchedEvent[] {
  return logs.flatMap((log, index) => {
    const isWatched = watches.get(log.address)?.some(({ filter }) => matchesFilter(filter, log)) === true;
    if (!isWatched) return [];
    const { address: contract, topics, data } = log;
    return [{ txId, index, contract, topics, data, block: { number, id, timestamp } }];
  });
}
