import { randomBytes } from "node:crypto";
import type { Json } from "@finality/tron/primitives";
import type { Block } from "../chain/block.ts";
import type { View } from "../routes/route.ts";
import { type LogFilter, logsIn, matches, printRpcLog } from "./logs.ts";
import { nodeError } from "./rpc-error.ts";

/** So long a filter is kept that nobody asks for; ms of the clock on the wall, as on the node. */
const KEPT_MS = 300_000;
const ID_BYTES = 16;

/** What somebody wants to hear of. */
interface Filter {
  /** Absent for blocks. */
  readonly logs: LogFilter | undefined;
  /** The blocks that were there at the last question, from the solidified one on. */
  seen: readonly Block[];
  expiresAt: number;
}

/** The filters that clients have on this node. */
export class Filters {
  readonly #filters = new Map<string, Filter>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param logs - absent for a filter of blocks @returns the filter's id */
  add(view: View, logs?: LogFilter): string {
    const id = randomBytes(ID_BYTES).toString("hex");
    const expiresAt = this.#now() + KEPT_MS;
    this.#filters.set(id, { logs, seen: unsettled(view), expiresAt });
    return `0x${id}`;
  }

  /** @throws {RpcError} there is none */
  remove(id: string): void {
    this.#get(id);
    this.#filters.delete(bare(id));
  }

  /** The filter for logs of an id. @throws {RpcError} there is none */
  logs(id: string): LogFilter {
    const { logs } = this.#get(id);
    if (logs === undefined) throw notFound();
    return logs;
  }

  /** What has changed since somebody asked last. @throws {RpcError} there is none */
  changes(view: View, id: string): readonly Json[] {
    const filter = this.#get(id);
    filter.expiresAt = this.#now() + KEPT_MS;
    const { gone, come } = difference(view, filter.seen);
    filter.seen = unsettled(view);
    const { logs } = filter;
    if (logs === undefined) return come.map((it) => `0x${it.id}`);
    return [...gone.flatMap((it) => printed(it, logs, true)), ...come.flatMap((it) => printed(it, logs, false))];
  }

  #get(id: string): Filter {
    for (const [key, { expiresAt }] of this.#filters) if (expiresAt < this.#now()) this.#filters.delete(key);
    const filter = this.#filters.get(bare(id));
    if (filter === undefined) throw notFound();
    return filter;
  }
}

function notFound(): Error {
  return nodeError("filter not found");
}

function bare(id: string): string {
  return id.startsWith("0x") ? id.slice(2) : id;
}

function printed(block: Block, filter: LogFilter, removed: boolean): readonly Json[] {
  return logsIn(block)
    .filter((it) => matches(filter, it))
    .map((it) => printRpcLog(it, removed));
}

/** The blocks from the solidified one on. */
function unsettled(view: View): readonly Block[] {
  return between(view, view.solid.header.number, view.newest.header.number);
}

/** Blocks that were there and are no more, and those that came since. */
function difference(view: View, seen: readonly Block[]): { gone: readonly Block[]; come: readonly Block[] } {
  const still = seen.findLastIndex((it) => view.block(it.header.number)?.id === it.id);
  const last = seen[still]?.header.number ?? Math.min(seen[0]?.header.number ?? 0, view.newest.header.number + 1) - 1;
  return { gone: seen.slice(still + 1), come: between(view, last + 1, view.newest.header.number) };
}

function between(view: View, from: number, to: number): readonly Block[] {
  const blocks: Block[] = [];
  for (let height = from; height <= to; height += 1) {
    const block = view.block(height);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}
