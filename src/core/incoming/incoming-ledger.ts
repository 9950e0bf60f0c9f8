import type { BlockReference } from "../primitives/block.ts";
import type { IncomingEntry } from "./incoming-entry.ts";
import { chainKey, type IncomingWatch, type Payment, paymentKey, receiverKey } from "./incoming-watch.ts";

/** How a watch stands. Times are Unix ms of the local clock. */
export interface WatchStanding {
  readonly watch: IncomingWatch;
  /** Every block after `watch.after` and up to this one was read for it. */
  readonly readTo: BlockReference;
  readonly readAt: number;
  /** Since when nothing is read for it any more, by hand. */
  readonly stoppedAt?: number;
  /** Since when it is not shown any more. */
  readonly hiddenAt?: number;
  /** Since when the chain that was read is not to be found. */
  readonly partedAt?: number;
  /** The gateway tells no receipts by block, so payments that contracts made by themselves may be missing. */
  readonly partly?: true;
}

/** A payment, and whether the chain as it is told now does not hold it any more. */
export interface FoundPayment {
  readonly payment: Payment;
  readonly withdrawn: boolean;
}

type Entry<K extends IncomingEntry["kind"]> = Extract<IncomingEntry, { kind: K }>;

/** So many places are kept at which a chain that went back can be met again. */
const MARKS = 200;
/** So many payments stand on one line. */
const PAYMENTS_A_LINE = 200;

/**
 * What is known of incoming payments: the fold of all entries in the order of the file. The same entry twice changes
 * nothing, and a read that does not continue what a watch has read does not count for it.
 */
export class IncomingLedger {
  readonly #watches = new Map<string, WatchStanding>();
  readonly #groups = new Map<string, Entry<"group">>();
  /** By chain and by place in the chain. */
  readonly #payments = new Map<string, Map<string, FoundPayment>>();
  /** By chain and by who is paid in what: the keys of its payments. */
  readonly #received = new Map<string, Map<string, Set<string>>>();
  /** By chain: ends of reads, in ascending order. */
  readonly #marks = new Map<string, readonly BlockReference[]>();

  /** In the order in which they began. */
  list(): readonly WatchStanding[] {
    return [...this.#watches.values()];
  }

  get(id: string): WatchStanding | undefined {
    return this.#watches.get(id);
  }

  /** What counts for a watch, the oldest first. */
  paymentsOf({ watch, readTo }: WatchStanding): readonly FoundPayment[] {
    const chain = chainKey(watch);
    const keys = this.#received.get(chain)?.get(receiverKey({ to: watch.address, token: watch.token })) ?? [];
    return [...keys]
      .flatMap((key) => this.#payments.get(chain)?.get(key) ?? [])
      .filter(({ payment: { block }, withdrawn }) => {
        return block.number > watch.after.number && (withdrawn || block.number <= readTo.number);
      })
      .sort((left, right) => left.payment.block.number - right.payment.block.number);
  }

  /** What came in of a watch, in the unit of its token. */
  receivedBy(standing: WatchStanding): bigint {
    const counted = this.paymentsOf(standing).filter(({ withdrawn }) => !withdrawn);
    return counted.reduce((sum, { payment: { amount } }) => sum + amount, 0n);
  }

  /** Whether blocks are still read for it: it was not stopped, and what it waits for did not come. */
  isActive(standing: WatchStanding): boolean {
    if (standing.stoppedAt !== undefined) return false;
    const { expected } = standing.watch;
    return expected === undefined || this.receivedBy(standing) < expected;
  }

  /** Whether reads under this name are known to serve just these. */
  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  /** Places of a chain that were read, the newest first. */
  marksOf(chain: string): readonly BlockReference[] {
    const begins = this.list().filter(({ watch }) => chainKey(watch) === chain);
    const all = [...(this.#marks.get(chain) ?? []), ...begins.map(({ watch }) => watch.after)];
    return [...new Map(all.map((it) => [it.id, it])).values()].sort((left, right) => right.number - left.number);
  }

  /** @returns the payments that were not known before, each with the watches that wait for it */
  fold(entries: readonly IncomingEntry[]): readonly Payment[] {
    return entries.flatMap((it) => this.#foldOne(it));
  }

  /** Entries from which the same ledger comes. */
  entries(): readonly IncomingEntry[] {
    const chains = new Set(this.list().map(({ watch }) => chainKey(watch)));
    const found = [...chains].flatMap((of): IncomingEntry[] => {
      const all = [...(this.#payments.get(of)?.values() ?? [])];
      const marks = this.#marks.get(of) ?? [];
      const lines = inParts(all, PAYMENTS_A_LINE).map((payments, at) => ({
        of,
        payments,
        marks: at === 0 ? marks : [],
      }));
      return (lines.length === 0 ? [{ of, payments: [], marks }] : lines).map((it) => ({ kind: "found", ...it }));
    });
    return [...found, ...this.list().map((standing): IncomingEntry => ({ kind: "begun", ...standing }))];
  }

  #foldOne(entry: IncomingEntry): readonly Payment[] {
    switch (entry.kind) {
      case "begun":
        this.#begin(entry);
        return [];
      case "stopped":
        this.#change([entry.id], (it) => ({ ...it, stoppedAt: it.stoppedAt ?? entry.at }));
        return [];
      case "hidden":
        this.#change([entry.id], (it) => ({
          ...it,
          stoppedAt: it.stoppedAt ?? entry.at,
          hiddenAt: it.hiddenAt ?? entry.at,
        }));
        return [];
      case "group":
        this.#groups.set(entry.group, entry);
        return [];
      case "read":
        return this.#read(entry);
      case "found":
        for (const { payment, withdrawn } of entry.payments) this.#put(entry.of, payment, withdrawn);
        for (const mark of entry.marks) this.#mark(entry.of, mark);
        return [];
      case "forked":
        this.#goBack(entry);
        return [];
      case "parted":
        this.#change(this.#activeOf(entry.of), (it) => ({ ...it, partedAt: it.partedAt ?? entry.at }));
        return [];
    }
  }

  #begin({ kind: _kind, readTo, readAt, ...begun }: Entry<"begun">): void {
    const { watch } = begun;
    const known = this.#watches.get(watch.id);
    const standing = { ...begun, readTo: readTo ?? watch.after, readAt: readAt ?? watch.at };
    if (known === undefined || known.readTo.number < standing.readTo.number) this.#watches.set(watch.id, standing);
  }

  #read({ group, after, to, at, payments, partly }: Entry<"read">): readonly Payment[] {
    const { ids = [], of = "" } = this.#groups.get(group) ?? {};
    const served = ids.filter((id) => {
      const standing = this.#watches.get(id);
      return standing !== undefined && standing.stoppedAt === undefined && continues(standing.readTo, after, to);
    });
    if (served.length === 0) return [];
    const fresh = payments.filter((payment) => this.#put(of, payment, false));
    this.#change(served, ({ partedAt: _parted, ...it }) => {
      return { ...it, readTo: to, readAt: at, ...(partly === undefined ? {} : { partly }) };
    });
    this.#mark(of, to);
    return fresh;
  }

  /** What lay behind is read again for those that still wait; until it is found there, it counts no more. */
  #goBack({ of, to }: Entry<"forked">): void {
    const active = this.#activeOf(of);
    const receivers = new Set<string>();
    this.#change(active, ({ partedAt: _parted, ...it }) => {
      receivers.add(receiverKey({ to: it.watch.address, token: it.watch.token }));
      // Blocks that were not there when it began are new to it, however low they are.
      const watch = it.watch.after.number > to.number ? { ...it.watch, after: to } : it.watch;
      return { ...it, watch, readTo: it.readTo.number > to.number ? to : it.readTo };
    });
    const found = this.#payments.get(of) ?? new Map<string, FoundPayment>();
    for (const [key, { payment }] of found) {
      if (payment.block.number > to.number && receivers.has(receiverKey(payment))) {
        found.set(key, { payment, withdrawn: true });
      }
    }
    this.#marks.set(
      of,
      (this.#marks.get(of) ?? []).filter(({ number }) => number <= to.number),
    );
  }

  /** @returns whether it was not known, or had been withdrawn */
  #put(of: string, payment: Payment, withdrawn: boolean): boolean {
    const found = this.#payments.get(of) ?? new Map<string, FoundPayment>();
    this.#payments.set(of, found);
    const key = paymentKey(payment);
    const known = found.get(key);
    if (known !== undefined && !known.withdrawn) return false;
    found.set(key, { payment, withdrawn });
    const received = this.#received.get(of) ?? new Map<string, Set<string>>();
    this.#received.set(of, received);
    const receiver = receiverKey(payment);
    received.set(receiver, (received.get(receiver) ?? new Set()).add(key));
    return known === undefined && !withdrawn;
  }

  #mark(of: string, to: BlockReference): void {
    const before = (this.#marks.get(of) ?? []).filter(({ number }) => number < to.number);
    this.#marks.set(of, [...before, to].slice(-MARKS));
  }

  /** Those of a chain that are not stopped; what came in whole may be taken back as well. */
  #activeOf(of: string): readonly string[] {
    const open = this.list().filter(({ watch, stoppedAt }) => chainKey(watch) === of && stoppedAt === undefined);
    return open.map(({ watch }) => watch.id);
  }

  #change(ids: readonly string[], change: (standing: WatchStanding) => WatchStanding): void {
    for (const id of ids) {
      const standing = this.#watches.get(id);
      if (standing !== undefined) this.#watches.set(id, change(standing));
    }
  }
}

/** Whether a read that began after one block and ended with another goes on from where a watch is. */
function continues(readTo: BlockReference, after: { number: number; id: string }, to: BlockReference): boolean {
  if (readTo.number === after.number) return readTo.id === after.id;
  return readTo.number > after.number && readTo.number < to.number;
}

function inParts<T>(items: readonly T[], length: number): readonly (readonly T[])[] {
  const parts = Math.ceil(items.length / length);
  return Array.from({ length: parts }, (_, part) => items.slice(part * length, (part + 1) * length));
}
