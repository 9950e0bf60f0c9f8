import type { Address, BlockReference } from "@finality/tron/primitives";
import { defined } from "@finality/tron/primitives";
import type { EventWatch, FoundEvent, WatchedEvent } from "../events/event-entry.ts";
import { FoundEvents } from "../events/found-events.ts";
import {
  type BlockWatch,
  chainKey,
  type IncomingEntry,
  type IncomingWatch,
  isEventWatch,
  type Payment,
  paymentKey,
  receiverKey,
  subjectKey,
} from "./incoming-entry.ts";

/** Status of a watch. Times are Unix ms of the local clock. */
export interface WatchStatus<W extends BlockWatch = IncomingWatch> {
  readonly watch: W;
  /** Every block after `watch.after` up to this one was read for it. */
  readonly readTo: BlockReference;
  readonly readAt: number;
  /** Time when the user stopped it. */
  readonly stoppedAt?: number;
  /** Time when it was hidden. */
  readonly hiddenAt?: number;
  /** Time since when the chain that was read is missing. */
  readonly partedAt?: number;
  /** True if the gateway returns no receipts by block, so that payments made by contracts may be missing. */
  readonly partly?: true;
}

/** Payment, and whether the chain no longer contains it. */
export interface FoundPayment {
  readonly payment: Payment;
  readonly withdrawn: boolean;
}

/** Status of a watch of either kind. */
export type BlockWatchStatus = WatchStatus<BlockWatch>;

/** Payments and events that were new. */
export interface FreshItems {
  readonly payments: readonly Payment[];
  readonly events: readonly WatchedEvent[];
}

type Entry<K extends IncomingEntry["kind"]> = Extract<IncomingEntry, { kind: K }>;

/**
 * Maximum number of stored positions at which a reverted chain can be matched: the newest ones, and fewer of the older
 * ones.
 */
const MAX_MARKS = 32;
const NEWEST_MARKS = 10;
/** Maximum number of payments or events per line. */
const ITEMS_A_LINE = 200;
/** Usual maximum number of events of a watch. Reading then stops, and its position says where another watch begins. */
export const MOST_EVENTS = 20_000;

/**
 * State of incoming payments and watched events: the fold of all entries in the order of the file. A repeated entry
 * changes nothing. A read counts for a watch only if it began exactly at the position of that watch.
 */
export class IncomingLedger {
  readonly #mostEvents: number;
  readonly #watches = new Map<string, BlockWatchStatus>();
  readonly #groups = new Map<string, Entry<"group">>();
  /** By chain and location in the chain. */
  readonly #payments = new Map<string, Map<string, FoundPayment>>();
  readonly #events = new FoundEvents();
  /** Keys of payments, by chain, receiver and asset. */
  readonly #received = new Map<string, Map<string, Set<string>>>();
  /** Ends of the reads that led to the position of a watch, in ascending order, by the block at that position. */
  readonly #paths = new Map<string, readonly BlockReference[]>();

  constructor(mostEvents = MOST_EVENTS) {
    this.#mostEvents = mostEvents;
  }

  /** All watches, in the order of their start. */
  all(): readonly BlockWatchStatus[] {
    return [...this.#watches.values()];
  }

  /** Watches for payments, in the order of their start. */
  list(): readonly WatchStatus[] {
    return this.all().filter(isPaymentStatus);
  }

  /** Watches for events, in the order of their start. */
  eventWatches(): readonly WatchStatus<EventWatch>[] {
    return this.all().filter(isEventStatus);
  }

  get(id: string): WatchStatus | undefined {
    const status = this.#watches.get(id);
    return status !== undefined && isPaymentStatus(status) ? status : undefined;
  }

  /** Returns the events of a watch, the oldest first. */
  eventsOf({ watch, readTo }: WatchStatus<EventWatch>): readonly FoundEvent[] {
    return this.#events.of(chainKey(watch), watch, readTo.number);
  }

  /** Forgets the events in blocks up to a height, for a reader that passes them on. */
  forgetEvents(height: number): void {
    this.#events.forget(height);
  }

  /** Returns whether a watch has as many events as one can have: its position stays. */
  isFull({ watch }: WatchStatus<EventWatch>): boolean {
    return this.#events.count(chainKey(watch), watch) >= this.#mostEvents;
  }

  /** Returns the payments that count for a watch, the oldest first. */
  paymentsOf({ watch, readTo }: WatchStatus): readonly FoundPayment[] {
    const chain = chainKey(watch);
    const keys = this.#received.get(chain)?.get(receiverKey({ to: watch.address, token: watch.token })) ?? [];
    return [...keys]
      .flatMap((key) => this.#payments.get(chain)?.get(key) ?? [])
      .filter(({ payment: { block }, withdrawn }) => {
        return block.number > watch.after.number && (withdrawn || block.number <= readTo.number);
      })
      .sort((left, right) => left.payment.block.number - right.payment.block.number);
  }

  /** Returns the amount that a watch received, in the unit of its token. */
  receivedBy(status: WatchStatus): bigint {
    const counted = this.paymentsOf(status).filter(({ withdrawn }) => !withdrawn);
    return counted.reduce((sum, { payment: { amount } }) => sum + amount, 0n);
  }

  /** Returns true if blocks are still read for a watch: it was not stopped, and does not have all that it waits for. */
  isActive(status: BlockWatchStatus): boolean {
    if (status.stoppedAt !== undefined) return false;
    if (isEventStatus(status)) return !this.isFull(status);
    if (!isPaymentStatus(status)) return false;
    const { expected } = status.watch;
    return expected === undefined || this.receivedBy(status) < expected;
  }

  /** Returns true if the watches that reads under this group name serve are known. */
  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  /** Returns the ends of the reads that led to a position, the newest first. */
  pathTo(position: BlockReference): readonly BlockReference[] {
    return (this.#paths.get(position.id) ?? [position]).toReversed();
  }

  /** @returns the payments and events that were new */
  fold(entries: readonly IncomingEntry[]): FreshItems {
    const fresh: { payments: Payment[]; events: WatchedEvent[] } = { payments: [], events: [] };
    for (const entry of entries) {
      const { payments, events } = this.#foldOne(entry);
      fresh.payments.push(...payments);
      fresh.events.push(...events);
    }
    return fresh;
  }

  /** Returns entries that give the same ledger. */
  entries(): readonly IncomingEntry[] {
    const found = [...this.#payments].flatMap(([of, all]) =>
      inParts([...all.values()], ITEMS_A_LINE).map((payments): IncomingEntry => ({ kind: "found", of, payments })),
    );
    const events = this.#events
      .entries()
      .flatMap(([of, all]) =>
        inParts(all, ITEMS_A_LINE).map((part): IncomingEntry => ({ kind: "events-found", of, events: part })),
      );
    const paths = [...this.#paths.values()].map((path): IncomingEntry => ({ kind: "path", path }));
    const watches = this.all().map((status): IncomingEntry => {
      const { watch } = status;
      return isEventWatch(watch) ? { kind: "events-begun", ...status, watch } : { kind: "begun", ...status, watch };
    });
    return [...found, ...events, ...paths, ...watches];
  }

  #foldOne(entry: IncomingEntry): FreshItems {
    switch (entry.kind) {
      case "begun":
      case "events-begun":
        this.#begin(entry);
        return NOTHING;
      case "stopped":
        this.#change([entry.id], (it) => ({ ...it, stoppedAt: it.stoppedAt ?? entry.at }));
        return NOTHING;
      case "resumed":
        this.#change([entry.id], ({ stoppedAt, ...it }) => {
          return it.hiddenAt === undefined ? it : { ...it, ...defined({ stoppedAt }) };
        });
        return NOTHING;
      case "hidden":
        this.#change([entry.id], (it) => ({
          ...it,
          stoppedAt: it.stoppedAt ?? entry.at,
          hiddenAt: it.hiddenAt ?? entry.at,
        }));
        return NOTHING;
      case "group":
        this.#groups.set(entry.group, entry);
        return NOTHING;
      case "read":
        return this.#read(entry);
      case "found":
        for (const { payment, withdrawn } of entry.payments) this.#put(entry.of, payment, withdrawn);
        return NOTHING;
      case "events-found":
        for (const { event, withdrawn } of entry.events) this.#events.put(entry.of, event, withdrawn);
        return NOTHING;
      case "path":
        this.#storePath(entry.path);
        return NOTHING;
      case "forked":
        this.#goBack(entry);
        return NOTHING;
      case "parted":
        this.#change(this.#at(entry.of, [entry.from]), (it) => ({ ...it, partedAt: it.partedAt ?? entry.at }));
        return NOTHING;
    }
  }

  #begin({ kind: _kind, readTo, readAt, ...begun }: Entry<"begun" | "events-begun">): void {
    const { watch } = begun;
    const known = this.#watches.get(watch.id);
    const status = { ...begun, readTo: readTo ?? watch.after, readAt: readAt ?? watch.at };
    if (known !== undefined && known.readTo.number >= status.readTo.number) return;
    this.#watches.set(watch.id, status);
    if (isEventWatch(watch)) this.#events.watch(chainKey(watch), watch);
    this.#storePath([status.readTo]);
  }

  /**
   * Applies a read to the watches that were exactly at the block after which it began. No other watch has read all
   * blocks before it.
   */
  #read({ group, after, to, at, payments, events = [], partly }: Entry<"read">): FreshItems {
    const { ids = [], of = "" } = this.#groups.get(group) ?? {};
    const here = new Set(this.#at(of, [after.id]));
    const served = ids.filter((id) => here.has(id));
    if (served.length === 0) return NOTHING;
    const fresh = {
      payments: payments.filter((payment) => this.#put(of, payment, false)),
      events: events.filter((event) => this.#events.put(of, event, false)),
    };
    this.#change(served, ({ partedAt: _parted, ...it }) => {
      return { ...it, readTo: to, readAt: at, ...defined({ partly }) };
    });
    this.#storePath([...(this.#paths.get(after.id) ?? []), to]);
    if (!this.#hasWatchAt(of, after.id)) this.#paths.delete(after.id);
    return fresh;
  }

  /**
   * Moves all watches that passed the missing block back to the fork. The blocks after the fork are read again for
   * them. Payments in those blocks do not count until they are found again.
   */
  #goBack({ of, from, to }: Entry<"forked">): void {
    const path = this.#paths.get(from) ?? [];
    const gone = path.filter(({ number }) => number > to.number).map(({ id }) => id);
    const [receivers, contracts] = [new Set<string>(), new Set<Address>()];
    this.#change(this.#at(of, [from, ...gone]), ({ partedAt: _parted, ...it }) => {
      if (isEventWatch(it.watch)) contracts.add(it.watch.contract);
      else receivers.add(subjectKey(it.watch));
      // Blocks that did not exist when it began are new to it, even at lower heights.
      const watch = it.watch.after.number > to.number ? { ...it.watch, after: to } : it.watch;
      if (isEventWatch(watch)) this.#events.watch(of, watch);
      return { ...it, watch, readTo: to };
    });
    this.#events.withdraw(of, contracts, to.number);
    const found = this.#payments.get(of) ?? new Map<string, FoundPayment>();
    for (const [key, { payment }] of found) {
      if (payment.block.number > to.number && receivers.has(receiverKey(payment))) {
        found.set(key, { payment, withdrawn: true });
      }
    }
    for (const id of [from, ...gone]) if (!this.#hasWatchAt(of, id)) this.#paths.delete(id);
    this.#storePath([...path.filter(({ number }) => number < to.number), to]);
  }

  /** The newest read decides in which block it is. @returns whether it was new */
  #put(of: string, payment: Payment, withdrawn: boolean): boolean {
    const found = this.#payments.get(of) ?? new Map<string, FoundPayment>();
    this.#payments.set(of, found);
    const key = paymentKey(payment);
    const known = found.get(key);
    if (known?.withdrawn === false && known.payment.block.id === payment.block.id) return false;
    found.set(key, { payment, withdrawn });
    const received = this.#received.get(of) ?? new Map<string, Set<string>>();
    this.#received.set(of, received);
    const receiver = receiverKey(payment);
    received.set(receiver, (received.get(receiver) ?? new Set()).add(key));
    return known === undefined && !withdrawn;
  }

  /** Stores a path. If two paths lead to one block, the longer one is stored because it contains more. */
  #storePath(path: readonly BlockReference[]): void {
    const end = path.at(-1);
    const known = end && this.#paths.get(end.id);
    if (end !== undefined && path.length > (known?.length ?? 0)) this.#paths.set(end.id, thinned(path));
  }

  /** Returns the active watches of a chain that are at one of these blocks. */
  #at(of: string, blocks: readonly string[]): readonly string[] {
    const there = this.all().filter(({ watch, readTo, stoppedAt }) => {
      return stoppedAt === undefined && blocks.includes(readTo.id) && chainKey(watch) === of;
    });
    return there.map(({ watch }) => watch.id);
  }

  /** Returns whether a watch is at a block, stopped ones included: a watch that is resumed needs the path to its block. */
  #hasWatchAt(of: string, block: string): boolean {
    return this.all().some(({ watch, readTo, hiddenAt }) => {
      return hiddenAt === undefined && readTo.id === block && chainKey(watch) === of;
    });
  }

  #change(ids: readonly string[], change: (status: BlockWatchStatus) => BlockWatchStatus): void {
    for (const id of ids) {
      const status = this.#watches.get(id);
      if (status !== undefined) this.#watches.set(id, change(status));
    }
  }
}

const NOTHING: FreshItems = { payments: [], events: [] };

function isEventStatus(status: BlockWatchStatus): status is WatchStatus<EventWatch> {
  return isEventWatch(status.watch);
}

function isPaymentStatus(status: BlockWatchStatus): status is WatchStatus {
  return !isEventWatch(status.watch);
}

/** Removes every second one of the older ones each time, so that their distance grows with age. The first one stays. */
function thinned(path: readonly BlockReference[]): readonly BlockReference[] {
  if (path.length <= MAX_MARKS) return path;
  const older = path.slice(0, -NEWEST_MARKS).filter((_, at) => at % 2 === 0);
  return [...older, ...path.slice(-NEWEST_MARKS)];
}

function inParts<T>(items: readonly T[], length: number): readonly (readonly T[])[] {
  const parts = Math.ceil(items.length / length);
  return Array.from({ length: parts }, (_, part) => items.slice(part * length, (part + 1) * length));
}
