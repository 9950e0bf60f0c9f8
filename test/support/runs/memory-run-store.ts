import type { Clock } from "../../../packages/client/src/gateway/clock.ts";
import type { NetworkRef } from "../../../packages/client/src/gateway/network.ts";
import {
  type Claim,
  type ClaimOptions,
  type CommitResult,
  isDecidingFact,
  isExecuted,
  isSameRows,
  type Leadership,
  type NewRow,
  type NewRun,
  type RetryReason,
  type RunControl,
  type RunStore,
  type SignedEntry,
  type StoredRow,
  type StoredRun,
  type Worker,
} from "../../../packages/client/src/runs/run-store.ts";
import type { JournalEntry, JournalStore } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { ChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { MemoryJournal } from "../tracking/memory-journal.ts";

type Listener = (entries: readonly JournalEntry[]) => void;

interface HeldRow extends NewRow {
  attempts: readonly TxId[];
  retryAfter?: TxId;
  fence: bigint;
  leaseUntil: number;
}

interface HeldRun {
  readonly run: NewRun;
  control: RunControl;
  readonly rows: Map<number, HeldRow>;
  /** Number of rows with an attempt. */
  attempted: number;
  /** Rows that may need work. */
  readonly open: Set<number>;
}

/** A store in memory, shared by all workers that have it. `connect` gives a worker a journal that reports the others. */
export class MemoryRunStore implements RunStore {
  readonly journal: MemoryJournal;
  readonly #clock: Clock;
  readonly #runs = new Map<string, HeldRun>();
  readonly #keys = new Map<string, string>();
  readonly #rowOf = new Map<TxId, string>();
  readonly #decided = new Set<TxId>();
  readonly #executed = new Set<TxId>();
  readonly #leaders = new Map<string, AbortController>();
  readonly #views = new Map<JournalStore, Set<Listener>>();

  constructor(clock: Clock, journal: MemoryJournal = new MemoryJournal()) {
    this.#clock = clock;
    this.journal = journal;
    this.#observe(journal.entries);
    const append = journal.append.bind(journal);
    journal.append = async (entries) => {
      await append(entries);
      this.#observe(entries);
    };
    journal.onDidAppend((entries) => this.#observe(entries));
  }

  /** Returns this store for one more worker: its journal reports what the others append. */
  connect(): RunStore {
    const { journal } = this;
    const listeners = new Set<Listener>();
    const view: JournalStore = {
      load: () => journal.load(),
      append: async (entries) => {
        await journal.append(entries);
        for (const [other, heard] of this.#views) if (other !== view) for (const it of heard) it(entries);
      },
      onDidAppend: (listener) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
    };
    this.#views.set(view, listeners);
    journal.onDidAppend((entries) => {
      for (const it of listeners) it(entries);
    });
    return new Proxy<RunStore>(this, {
      get: (store, name) => {
        const value: unknown = name === "journal" ? view : Reflect.get(store, name);
        return typeof value === "function" ? value.bind(store) : value;
      },
    });
  }

  async create(run: NewRun, rows: readonly NewRow[]): Promise<void> {
    await Promise.resolve();
    const known = this.#runs.get(run.id);
    if (known !== undefined) {
      if (isSameRun(known, run, rows)) return;
      throw new ChainError("RUN_DIFFERS", { run: run.id });
    }
    const names = new Set<string>();
    for (const { key } of rows) {
      const name = keyName(run, key);
      const other = names.has(name) ? run.id : this.#keys.get(name);
      if (other !== undefined) throw new ChainError("RUN_KEY_USED", { key, run: other });
      names.add(name);
    }
    for (const name of names) this.#keys.set(name, run.id);
    this.#runs.set(run.id, {
      run,
      control: "running",
      attempted: 0,
      rows: new Map(rows.map((it) => [it.row, { ...it, attempts: [], fence: 0n, leaseUntil: 0 }])),
      open: new Set(rows.map(({ row }) => row)),
    });
  }

  async runs(): Promise<readonly StoredRun[]> {
    await Promise.resolve();
    return [...this.#runs.values()].map(storedRun);
  }

  async run(id: string): Promise<StoredRun | undefined> {
    await Promise.resolve();
    const held = this.#runs.get(id);
    return held && storedRun(held);
  }

  async rows(run: string, query: { readonly from: number; readonly limit: number }): Promise<readonly StoredRow[]> {
    await Promise.resolve();
    const rows = [...(this.#runs.get(run)?.rows.values() ?? [])].filter(({ row }) => row >= query.from);
    return rows.slice(0, query.limit).map(({ fence: _fence, leaseUntil: _until, ...row }) => row);
  }

  async claim(worker: Worker, { run, limit, leaseMs }: ClaimOptions): Promise<readonly Claim[]> {
    await Promise.resolve();
    const now = this.#clock.now();
    const claims: Claim[] = [];
    for (const held of this.#runs.values()) {
      const { id, version } = held.run;
      if ((run !== undefined && run !== id) || held.control !== "running" || version > worker.version) continue;
      for (const number of held.open) {
        const row = held.rows.get(number);
        if (claims.length === limit) return claims;
        if (row === undefined || row.leaseUntil > now) continue;
        if (!this.#needsWork(row)) {
          held.open.delete(number);
          continue;
        }
        row.fence += 1n;
        row.leaseUntil = now + leaseMs;
        claims.push({ run: id, ...row });
      }
    }
    return claims;
  }

  async extend(claims: readonly Claim[], leaseMs: number): Promise<readonly Claim[]> {
    await Promise.resolve();
    const leaseUntil = this.#clock.now() + leaseMs;
    return claims.flatMap((claim) => {
      const row = this.#heldRow(claim);
      if (row === undefined) return [];
      row.leaseUntil = leaseUntil;
      return [{ ...claim, leaseUntil }];
    });
  }

  async release(claims: readonly Claim[]): Promise<void> {
    await Promise.resolve();
    for (const claim of claims) {
      const row = this.#heldRow(claim);
      if (row !== undefined) row.leaseUntil = 0;
    }
  }

  async commitAttempt(claim: Claim, entry: SignedEntry): Promise<CommitResult> {
    await Promise.resolve();
    const held = this.#runs.get(claim.run);
    if (held?.rows.get(claim.row)?.attempts.at(-1) === entry.txId) return "committed";
    const row = this.#heldRow(claim);
    if (held === undefined || row === undefined) return "fenced";
    const last = row.attempts.at(-1);
    const isKnown = row.attempts.length === claim.attempts.length;
    if (!isKnown || (last !== undefined && row.retryAfter !== last)) return "attempt-exists";
    if (this.#rowOf.has(entry.txId)) return "tx-id-used";
    await this.journal.append([entry]);
    this.journal.report([entry]);
    this.#rowOf.set(entry.txId, claim.run);
    if (last === undefined) held.attempted++;
    row.attempts = [...row.attempts, entry.txId];
    return "committed";
  }

  async permitRetry(run: string, number: number, after: TxId, _reason: RetryReason): Promise<void> {
    await Promise.resolve();
    const held = this.#runs.get(run);
    const row = held?.rows.get(number);
    if (row?.attempts.at(-1) !== after) return;
    row.retryAfter = after;
    row.leaseUntil = 0;
    held?.open.add(number);
  }

  async setControl(run: string, control: RunControl): Promise<void> {
    await Promise.resolve();
    const held = this.#runs.get(run);
    if (held !== undefined) held.control = control;
  }

  async lead({ network }: NetworkRef): Promise<Leadership | undefined> {
    await Promise.resolve();
    if (this.#leaders.has(network)) return undefined;
    const lost = new AbortController();
    this.#leaders.set(network, lost);
    return {
      lost: lost.signal,
      release: async () => {
        if (this.#leaders.get(network) === lost) this.#leaders.delete(network);
      },
    };
  }

  /** Ends all leases, as time does for dead workers. */
  expireLeases(): void {
    for (const { rows } of this.#runs.values()) for (const row of rows.values()) row.leaseUntil = 0;
  }

  /** Ends the lead of a network, as a lost connection does. */
  loseLead(network: string): void {
    this.#leaders.get(network)?.abort();
    this.#leaders.delete(network);
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }

  #observe(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (isDecidingFact(entry)) this.#decided.add(entry.txId);
      if (isExecuted(entry)) this.#executed.add(entry.txId);
    }
  }

  #needsWork({ attempts, retryAfter }: HeldRow): boolean {
    const last = attempts.at(-1);
    if (last === undefined) return true;
    return retryAfter === last ? !this.#executed.has(last) : !this.#decided.has(last);
  }

  /** Returns the row of a claim; undefined if another worker claimed it since. */
  #heldRow({ run, row: number, fence }: Claim): HeldRow | undefined {
    const row = this.#runs.get(run)?.rows.get(number);
    return row?.fence === fence ? row : undefined;
  }
}

function keyName({ network, owner }: NewRun, key: string): string {
  return JSON.stringify([network.chain, owner, key]);
}

function storedRun({ run, control, rows, attempted }: HeldRun): StoredRun {
  return { ...run, control, rows: rows.size, attempted };
}

function isSameRun({ run, rows }: HeldRun, other: NewRun, otherRows: readonly NewRow[]): boolean {
  const isSameOwner = run.owner === other.owner && run.network.chain === other.network.chain;
  return isSameOwner && isSameRows([...rows.values()], otherRows);
}
