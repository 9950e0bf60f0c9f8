import { ChainError, isChainError } from "@finality/tron/errors";
import { type Address, type BlockReference, bytesToHex, sha256 } from "@finality/tron/primitives";
import type { EventWatch, WatchedEvent } from "../events/event-entry.ts";
import { eventsInReceipt } from "../events/events-in-receipt.ts";
import type { Clock } from "../gateway/clock.ts";
import type { Block } from "../gateway/gateway.ts";
import { linked, runFrom, type ScanCursor } from "../proof/solidified-blocks.ts";
import { describeIssue, isUnreachable, pauseAfter } from "../tracking/connection-issue.ts";
import {
  afterPoll,
  INITIAL_POLL_INTERVAL,
  type PollInterval,
  timeUntilBlocks,
  withoutProgress,
} from "../tracking/poll-interval.ts";
import type { BlockFollower } from "../tracking/polling.ts";
import type { QueryContext } from "../transaction-state/transaction-query.ts";
import { chainKey, type IncomingEntry, isEventWatch, type Payment, receiverKey, subjectKey } from "./incoming-entry.ts";
import type { BlockWatchStatus, IncomingLedger } from "./incoming-ledger.ts";
import { paymentsInBlock, paymentsInReceipt, readReceipts } from "./payments-in-block.ts";

export interface IncomingReaderOptions {
  readonly clock: Clock;
  /** True if requests are free, like those to the local chain. Each block is then read as soon as it exists. */
  readonly isFree: boolean;
  readonly ledger: () => IncomingLedger;
  /** Active watches on this network. */
  readonly open: () => readonly BlockWatchStatus[];
  /** Resolves when the entries are on disk and in the ledger. */
  readonly recordEntries: (entries: readonly IncomingEntry[]) => Promise<void>;
  /** Called with the reason why blocks cannot be read; undefined when reading continues. */
  readonly onIssue: (message: string | undefined) => void;
}

const BLOCKS_A_REQUEST = 100;
/**
 * Maximum number of blocks per stored line. Blocks up to that line are on disk, so a crash costs no more requests than
 * these.
 */
const BLOCKS_A_LINE = 25;
/** Maximum number of blocks of a gap to read at once, so that other requests to the gateway get their turn. */
const REQUESTS_A_ROUND = 30;
const REST_IN_A_HOLE_MS = 500;
/** A gateway with several nodes may return a block of a wrong one: only a second mismatch counts. */
const BREAKS_BEFORE_A_SEARCH = 2;
const REST_OF_THE_PARTED_MS = 3_000;
const SEARCH_INTERVAL_MS = 60_000;

interface BlockItems {
  readonly payments: readonly Payment[];
  readonly events: readonly WatchedEvent[];
  /** True if no event, and no payment made by contracts, can be missing. */
  readonly isWhole: boolean;
}

/** Watches of one chain for which the same blocks are read, and the last block that was read. */
interface Group {
  readonly of: string;
  readonly ids: readonly string[];
  readonly name: string;
  readonly cursor: BlockReference;
  readonly receivers: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
  readonly contracts: ReadonlyMap<Address, readonly EventWatch[]>;
  readonly partedAt: number | undefined;
}

/**
 * Reader of the solidified blocks of a network for all watches on it. It needs one request per block, for any number of
 * addresses, and one more for the receipts if contracts ran. Watches for events of contracts share these requests. It
 * skips no block: the file stores its position with the payments found so far. A gateway that reports another chain is
 * trusted as much as before: payments it takes back are marked, not deleted.
 */
export class IncomingReader implements BlockFollower {
  readonly #options: IncomingReaderOptions;
  readonly #budget = new ReadBudget();
  /** Number of consecutive times that the next block did not continue this one. */
  readonly #breaks = new Map<string, number>();
  /** Times of the next search for missing blocks, Unix ms of the local clock. */
  readonly #searchAt = new Map<string, number>();
  #pollInterval: PollInterval = INITIAL_POLL_INTERVAL;
  #offered: readonly Block[] = [];
  #newest: Block | undefined;
  /** Blocks of the last range, some of which may be for a later round. */
  #ahead: readonly Block[] = [];
  #nextAt = 0;
  #failures = 0;
  /** Number of times the pause grew since it began, or since `endPause` reset it. */
  #growths = 0;
  #noAnswer = false;
  /** Pause after the last failure; ms. */
  #failurePause = 0;
  /** Requests since the budget was updated; a gap takes several rounds. */
  #requests = 0;
  #roundFrom = 0;
  #receipts = 0;
  #groups: readonly Group[] | undefined;

  constructor(options: IncomingReaderOptions) {
    this.#options = options;
  }

  get isWaiting(): boolean {
    return this.#all().length > 0;
  }

  get readsEveryBlock(): boolean {
    return this.isWaiting && this.#failures === 0 && this.#blocksToAwait === 1;
  }

  get isUnreached(): boolean {
    return this.isWaiting && this.#failures > 0 && this.#noAnswer;
  }

  get #blocksToAwait(): number {
    return this.#options.isFree ? 1 : this.#budget.blocksToAwait;
  }

  /** Called when watches began or ended, or more is known about them. */
  changed(): void {
    this.#groups = undefined;
  }

  pause(now: number): number {
    return this.isWaiting ? Math.max(0, this.#nextAt - now) : Infinity;
  }

  reschedule(now: number): void {
    this.#pollInterval = withoutProgress(this.#pollInterval);
    this.#nextAt = Math.min(this.#nextAt, now + this.#failurePause);
  }

  resume(now: number): void {
    if (this.isUnreached) this.endPause(now);
  }

  endPause(now: number): void {
    if (this.#failures === 0) return;
    this.#growths = 0;
    this.#failurePause = 0;
    this.reschedule(now);
  }

  startOver(): void {
    this.#pollInterval = withoutProgress(this.#pollInterval);
    for (const { readTo } of this.#options.open()) this.#breaks.set(readTo.id, BREAKS_BEFORE_A_SEARCH);
    this.#groups = undefined;
    this.#searchAt.clear();
    this.#nextAt = 0;
  }

  offer(blocks: readonly Block[]): void {
    if (!this.isWaiting) return;
    const last = this.#offered.at(-1);
    const continues = last !== undefined && blocks[0]?.parentId === last.id;
    this.#offered = continues ? [...this.#offered, ...blocks] : blocks;
  }

  async round(context: QueryContext, alone: boolean): Promise<void> {
    const { clock } = this.#options;
    const isDue = (alone && clock.now() >= this.#nextAt) || this.#offered.length > 0;
    if (!this.isWaiting || !isDue) return;
    this.#roundFrom = this.#requests;
    const isHole = await this.#tryRead(context);
    const newest = this.#newest?.number;
    this.#offered = [];
    if (!isHole || this.#failures > 0) {
      this.#newest = undefined;
      this.#ahead = [];
    }
    if (this.#failures > 0) return;
    if (isHole) this.#nextAt = clock.now() + REST_IN_A_HOLE_MS;
    else if (newest === undefined) this.#nextAt = clock.now() + REST_OF_THE_PARTED_MS;
    else this.#planAfter(newest, clock.now());
  }

  #planAfter(newest: number, now: number): void {
    const blocks = Math.max(0, newest - (this.#pollInterval.height ?? newest));
    this.#pollInterval = afterPoll(this.#pollInterval, newest, now);
    const hasEvents = this.#all().some(({ contracts }) => contracts.size > 0);
    this.#budget.perBlock = hasEvents ? REQUESTS_WITH_EVENTS : REQUESTS_A_BLOCK;
    this.#budget.spent(blocks, this.#requests, this.#receipts);
    [this.#requests, this.#receipts] = [0, 0];
    this.#nextAt = now + timeUntilBlocks(this.#pollInterval, this.#blocksToAwait, now);
  }

  /**
   * Repeats one step for the group that is furthest behind.
   *
   * @returns whether more can be read at once
   */
  async #tryRead(context: QueryContext): Promise<boolean> {
    const { clock, onIssue: troubled } = this.#options;
    const done = new Set<string>();
    let failure: unknown;
    for (let group = this.#next(done); group !== undefined; group = this.#next(done)) {
      if (this.#requests - this.#roundFrom >= REQUESTS_A_ROUND) return true;
      const isAtItsEnd = await this.#step(group, context).catch((error: unknown) => {
        context.signal.throwIfAborted();
        failure ??= error;
        return true;
      });
      if (isAtItsEnd) done.add(group.cursor.id);
    }
    this.#failures = failure === undefined ? 0 : this.#failures + 1;
    this.#growths = failure === undefined ? 0 : this.#growths + 1;
    this.#noAnswer = isUnreachable(failure);
    this.#failurePause = failure === undefined ? 0 : pauseAfter(failure, this.#growths);
    if (failure !== undefined) this.#nextAt = clock.now() + this.#failurePause;
    troubled(failure === undefined ? undefined : describeIssue(failure).message);
    return false;
  }

  #next(done: ReadonlySet<string>): Group | undefined {
    return this.#all().find(({ cursor }) => !done.has(cursor.id));
  }

  /** @returns whether the group is done for now */
  async #step(group: Group, context: QueryContext): Promise<boolean> {
    const { cursor, partedAt } = group;
    if (this.#options.clock.now() < (this.#searchAt.get(cursor.id) ?? 0)) return true;
    const breaks = this.#breaks.get(cursor.id) ?? 0;
    try {
      if (partedAt !== undefined || breaks >= BREAKS_BEFORE_A_SEARCH) return await this.#search(group, context);
      const isAtItsEnd = await this.#readOn(group, context);
      this.#breaks.delete(cursor.id);
      return isAtItsEnd;
    } catch (error) {
      if (isChainError(error) && error.code === "CHAIN_LINK_BROKEN") this.#breaks.set(cursor.id, breaks + 1);
      throw error;
    }
  }

  /**
   * Reads new solidified blocks up to the position of other groups of the chain; from there on they are read together.
   * A lagging node has nothing new.
   */
  async #readOn(group: Group, context: QueryContext): Promise<boolean> {
    const newest = await this.#newestBlock(context);
    const { of, cursor } = group;
    if (newest.number === cursor.number && newest.id !== cursor.id) throw broken(cursor, newest);
    if (newest.number <= cursor.number) return true;
    const heights = this.#all().flatMap((it) => (it.of === of ? it.cursor.number : []));
    const meeting = Math.min(...heights.filter((it) => it > cursor.number));
    const run = (await this.#nextBlocks(cursor, newest, context)).filter(({ number }) => number <= meeting);
    await this.#take(group, run.slice(0, BLOCKS_A_LINE), context);
    return false;
  }

  async #newestBlock({ gateway, signal }: QueryContext): Promise<Block> {
    this.#newest ??= this.#offered.at(-1);
    if (this.#newest === undefined) {
      this.#requests++;
      this.#newest = await gateway.solidBlock(signal);
    }
    return this.#newest;
  }

  /** Returns blocks that were read before, up to the first gap; else a range to read. */
  async #nextBlocks(cursor: ScanCursor, newest: Block, { gateway, signal }: QueryContext): Promise<readonly Block[]> {
    const next = cursor.number + 1;
    const others = [...this.#offered, newest];
    const known = runFrom(next, [...this.#ahead, ...others]);
    if (known.length > 0) return linked(cursor, known);
    const end = Math.min(next + BLOCKS_A_REQUEST, ...others.map(({ number }) => number).filter((it) => it > next));
    this.#requests++;
    this.#ahead = await gateway.solidBlocks(next, end, signal);
    const run = runFrom(next, [...this.#ahead, ...others]);
    if (run.length === 0) throw new ChainError("CHAIN_BLOCK_MISSING", { height: next });
    return linked(cursor, run);
  }

  async #take(group: Group, blocks: readonly Block[], context: QueryContext): Promise<void> {
    const to = referenceTo(blocks.at(-1));
    if (to === undefined) return;
    const [found, events]: [Payment[], WatchedEvent[]] = [[], []];
    let partly = false;
    for (const block of blocks) {
      const items = await this.#itemsIn(group, block, context);
      found.push(...items.payments);
      events.push(...items.events);
      partly ||= !items.isWhole;
    }
    const { of, ids, name, cursor } = group;
    const introduction: IncomingEntry[] = this.#options.ledger().hasGroup(name)
      ? []
      : [{ kind: "group", group: name, of, ids }];
    const at = Math.round(this.#options.clock.now());
    const read: IncomingEntry = {
      kind: "read",
      group: name,
      after: { number: cursor.number, id: cursor.id },
      to,
      at,
      payments: found,
      ...(events.length > 0 ? { events } : {}),
      ...(partly ? { partly } : {}),
    };
    await this.#options.recordEntries([...introduction, read]);
  }

  async #itemsIn(group: Group, block: Block, { gateway, signal }: QueryContext): Promise<BlockItems> {
    if (!block.complete) throw new ChainError("CHAIN_BLOCK_UNCHECKED", { height: block.number });
    const isMine = (it: Payment) => group.addresses.has(it.to) && group.receivers.has(receiverKey(it));
    const { payments, ranCode } = readBytes(block);
    if (ranCode.length === 0) return { payments: payments.filter(isMine), events: [], isWhole: true };
    const addresses = new Set([...group.addresses, ...group.contracts.keys()]);
    const receipts = await readReceipts({ block, ranCode, addresses, gateway, signal });
    this.#requests += receipts.requests;
    this.#receipts += receipts.requests;
    const inReceipts = receipts.infos.flatMap((it) => paymentsInReceipt(block, it));
    return {
      payments: [...payments, ...inReceipts].filter(isMine),
      events: receipts.infos.flatMap((it) => eventsInReceipt(block, it, group.contracts)),
      isWhole: receipts.isWhole,
    };
  }

  /** Finds the newest block that was read and that the gateway still reports: reading continues from there. */
  async #search({ of, cursor, partedAt }: Group, context: QueryContext): Promise<boolean> {
    const { clock, recordEntries: learned } = this.#options;
    const to = await this.#lastCommon(cursor, context);
    const [at, from] = [Math.round(clock.now()), cursor.id];
    this.#breaks.delete(from);
    this.#groups = undefined;
    if (to === undefined) {
      this.#searchAt.set(from, at + SEARCH_INTERVAL_MS);
      if (partedAt === undefined) await learned([{ kind: "parted", of, from, at }]);
      return true;
    }
    this.#ahead = [];
    if (to.id !== from || partedAt !== undefined) await learned([{ kind: "forked", of, from, to, at }]);
    return false;
  }

  /** Searches in doubling steps: this repeats a few more blocks than necessary. */
  async #lastCommon(cursor: BlockReference, context: QueryContext): Promise<BlockReference | undefined> {
    const newest = await this.#newestBlock(context);
    const path = this.#options.ledger().pathTo(cursor);
    const marks = path.filter(({ number }) => number <= newest.number);
    for (let at = 0; at < marks.length; at = nextStep(at, marks.length)) {
      const mark = marks[at];
      if (mark !== undefined && (await this.#isThere(mark, newest, context))) return mark;
    }
    return undefined;
  }

  async #isThere({ number, id }: BlockReference, newest: Block, { gateway, signal }: QueryContext): Promise<boolean> {
    if (number === newest.number) return newest.id === id;
    this.#requests++;
    const [block] = await gateway.solidBlocks(number, number + 1, signal);
    return block?.id === id;
  }

  /**
   * Returns the groups, the one that is furthest behind first. A watch that received its full amount is read together
   * with others, and alone only if its chain is in doubt.
   */
  #all(): readonly Group[] {
    const { ledger, open } = this.#options;
    const isFollowed = ([first, ...others]: readonly BlockWatchStatus[]) =>
      first !== undefined &&
      ([first, ...others].some((it) => ledger().isActive(it)) || this.#breaks.has(first.readTo.id));
    this.#groups ??= [...Map.groupBy(open(), ({ watch, readTo }) => `${chainKey(watch)} ${readTo.id}`).values()]
      .filter(isFollowed)
      .map(groupOf)
      .sort((left, right) => left.cursor.number - right.cursor.number);
    return this.#groups;
  }
}

function groupOf(all: readonly BlockWatchStatus[]): Group {
  const [{ watch, readTo: cursor }] = all as readonly [BlockWatchStatus];
  const of = chainKey(watch);
  const ids = all.map((it) => it.watch.id).sort();
  const watches = all.map((it) => it.watch);
  const payments = watches.flatMap((it) => (isEventWatch(it) ? [] : [it]));
  const events = watches.filter(isEventWatch);
  return {
    of,
    ids,
    name: bytesToHex(sha256(Buffer.from(`${of} ${ids.join()}`))).slice(0, 16),
    cursor,
    receivers: new Set(payments.map(subjectKey)),
    addresses: new Set(payments.map((it) => it.address)),
    contracts: Map.groupBy(events, (it) => it.contract),
    partedAt: all.find((it) => it.partedAt !== undefined)?.partedAt,
  };
}

/** Returns 0, 1, 3, 7, …, and always the last one. */
function nextStep(at: number, count: number): number {
  return at === count - 1 ? count : Math.min(2 * at + 1, count - 1);
}

/** Reads the payments of a block from its bytes. Bytes that cannot be decoded are not transactions of a chain. */
function readBytes(block: Block): ReturnType<typeof paymentsInBlock> {
  try {
    return paymentsInBlock(block);
  } catch (cause) {
    throw new ChainError("CHAIN_BLOCK_UNCHECKED", { height: block.number }, { cause });
  }
}

function broken(cursor: BlockReference, { number, id }: Block): ChainError {
  return new ChainError("CHAIN_LINK_BROKEN", { height: number, expectedParent: cursor.id, parent: id });
}

function referenceTo(block: Block | undefined): BlockReference | undefined {
  return block && { number: block.number, id: block.id, timestamp: block.timestamp };
}

/** Average requests per block that reading may cost: 1.05, minus the cost of the first reads. */
const REQUESTS_A_BLOCK = 1.03;
/** The same while events are watched: the receipts of each block are read as soon as it is solidified. */
const REQUESTS_WITH_EVENTS = 2.03;
/**
 * Maximum debt of the budget, in requests. Overspending beyond it is dropped, so that an hour without blocks does not
 * cause a wait of minutes.
 */
const LARGEST_DEBT = 8;
const LARGEST_CREDIT = 1;
/** About four minutes at the usual block interval. */
const MOST_BLOCKS = 80;
/** Weight of the newest read in the estimate for the next ones. */
const WEIGHT_OF_NEWEST = 0.5;

/**
 * Budget for the number of blocks to await before a read, so that reading costs at most 1.05 requests per block over
 * time, or 2.05 with events. One new block costs one request, several cost two. Each block with contract calls costs
 * one more, for its receipts. If most blocks have such calls, many blocks must be read together.
 */
class ReadBudget {
  /** Average requests per block. */
  perBlock = REQUESTS_A_BLOCK;
  #left = 0;
  /** Share of the blocks with receipts to read. */
  #receipts: number | undefined;

  /** Records the number of new blocks that were read, the requests for them, and the part of these for receipts. */
  spent(blocks: number, requests: number, receipts: number): void {
    const left = this.#left + this.perBlock * blocks - requests;
    this.#left = Math.max(-LARGEST_DEBT, Math.min(LARGEST_CREDIT, left));
    if (blocks === 0) return;
    const weight = 1 - (1 - WEIGHT_OF_NEWEST) ** blocks;
    const before = this.#receipts ?? receipts / blocks;
    this.#receipts = before + (receipts / blocks - before) * weight;
  }

  /** Number of blocks to await before the next read. */
  get blocksToAwait(): number {
    const receipts = this.#receipts ?? 0;
    for (let blocks = 1; blocks < MOST_BLOCKS; blocks++) {
      const cost = (blocks === 1 ? 1 : 2) + receipts * blocks;
      if (cost <= this.#left + this.perBlock * blocks) return blocks;
    }
    return MOST_BLOCKS;
  }
}
