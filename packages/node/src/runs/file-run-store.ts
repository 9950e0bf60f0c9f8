import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Clock, NetworkRef } from "@finality/client/gateway";
import {
  type Claim,
  type ClaimOptions,
  type CommitResult,
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
} from "@finality/client/runs";
import type { JournalEntry } from "@finality/client/tracking";
import { ChainError, isChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { JournalFile, type JournalOptions } from "../journal/journal-file.ts";
import { SerialQueue } from "../serial-queue.ts";
import { AppendLog } from "../storage/append-log.ts";
import { codeOf, createFile, draftOf, linesOf, syncFolder } from "../storage/durable-file.ts";
import { isLed, isTooLong, leadBySocket } from "./leader-socket.ts";
import { RunJournal } from "./run-journal.ts";
import { encode, encodeRows, encodeSigned, type IndexLine, readIndexLine } from "./run-lines.ts";
import { claimOf, type LoggedRow, RunLog, storedRow } from "./run-log.ts";

/** Name of the link to the folder. */
const LINK = "runs";

interface IndexedRun {
  readonly run: NewRun;
  readonly log: RunLog;
}

/**
 * Store of runs in a folder beside the journal: an index with the keys of all runs, and one append-only file for each
 * run. The processes of one computer share it.
 */
export class FileRunStore implements RunStore {
  readonly journal: RunJournal;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #file: JournalFile;
  readonly #index: AppendLog;
  readonly #writer = randomBytes(6).toString("hex");
  readonly #runs = new Map<string, IndexedRun>();
  /** Run of each key, by chain and owner. */
  readonly #keys = new Map<string, string>();
  readonly #queue = new SerialQueue();
  #isIndexOpen = false;
  /** Temporary folder with a link to the folder, if the path of the latter is too long for a socket. */
  #linkFolder: Promise<string> | undefined;

  /** @param folder - folder of the journal; created if it is missing */
  constructor(folder: string, clock: Clock, options?: JournalOptions) {
    this.#folder = join(folder, "runs");
    this.#clock = clock;
    this.#file = new JournalFile(folder, options);
    this.journal = new RunJournal(this.#file, (entries) => this.#missingSigned(entries));
    this.#index = new AppendLog(join(this.#folder, "index.jsonl"));
  }

  /** @throws {ChainError} `JOURNAL_NEWER` if a newer version wrote to the journal */
  requireReadable(): void {
    this.#file.requireReadable();
  }

  create(run: NewRun, rows: readonly NewRow[]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#readIndex(true);
      if (await this.#isStored(run, rows)) return;
      const keys = rows.map(({ key }) => key);
      this.#requireNewKeys(run, keys);
      const text = encodeRows(rows);
      const file = `${createHash("sha256").update(`${run.id}\n${text}`).digest("hex").slice(0, 32)}.jsonl`;
      await this.#createLog(file, text);
      await this.#index.append([encode({ file, run, keys } satisfies IndexLine)]);
      await this.#readIndex();
      if (this.#runs.has(run.id) && (await this.#isStored(run, rows))) return;
      // Another process was faster with one of the keys.
      this.#requireNewKeys(run, keys);
    });
  }

  runs(): Promise<readonly StoredRun[]> {
    return this.#inTurn(async () => {
      await this.#readIndex();
      const runs: StoredRun[] = [];
      for (const indexed of this.#runs.values()) runs.push(await storedRun(indexed));
      return runs;
    });
  }

  run(id: string): Promise<StoredRun | undefined> {
    return this.#inTurn(async () => {
      const indexed = await this.#find(id);
      return indexed && (await storedRun(indexed));
    });
  }

  rows(id: string, { from, limit }: { readonly from: number; readonly limit: number }): Promise<readonly StoredRow[]> {
    return this.#inTurn(async () => {
      const indexed = await this.#find(id);
      await indexed?.log.catchUp();
      const found: StoredRow[] = [];
      for (const row of indexed?.log.rows.values() ?? []) {
        if (found.length === limit) break;
        if (row.row >= from) found.push(storedRow(row));
      }
      return found;
    });
  }

  claim(worker: Worker, { run, limit, leaseMs }: ClaimOptions): Promise<readonly Claim[]> {
    return this.#inTurn(async () => {
      if (run === undefined || !this.#runs.has(run)) await this.#readIndex();
      const claims: Claim[] = [];
      for (const { run: stored, log } of this.#runs.values()) {
        if (claims.length >= limit || stored.version > worker.version) continue;
        if (run !== undefined && stored.id !== run) continue;
        claims.push(...(await this.#claimIn(stored.id, log, { limit: limit - claims.length, leaseMs })));
      }
      return claims;
    });
  }

  async extend(claims: readonly Claim[], leaseMs: number): Promise<readonly Claim[]> {
    const until = this.#clock.now() + leaseMs;
    return await this.#forHeld(claims, (rows) => ({ kind: "extend", until, rows }));
  }

  async release(claims: readonly Claim[]): Promise<void> {
    await this.#forHeld(claims, (rows) => ({ kind: "release", rows }));
  }

  async commitAttempt({ run, row, fence, attempts }: Claim, entry: SignedEntry): Promise<CommitResult> {
    const indexed = this.#runs.get(run);
    if (indexed === undefined) return "fenced";
    const { txId } = entry;
    try {
      const line = encodeSigned(entry);
      const event = { kind: "attempt", row, fence, after: attempts.length, txId, entry: line } as const;
      const result = await indexed.log.submit(event);
      if (typeof result !== "string") return "fenced";
      if (result === "committed") await this.journal.appendSigned(entry);
      return result;
    } catch (error) {
      if (isChainError(error) && error.code === "RUN_STORE_UNAVAILABLE") throw error;
      throw new ChainError("RUN_COMMIT_UNKNOWN", { txId, reason: reasonOf(error) }, { cause: error });
    }
  }

  permitRetry(run: string, row: number, txId: SignedEntry["txId"], { kind, message }: RetryReason): Promise<void> {
    return this.#inTurn(async () => {
      const log = (await this.#find(run))?.log;
      await log?.catchUp();
      if (log === undefined || log.rows.get(row)?.retryAfter === txId) return;
      await this.#submit(log, { kind: "permit", row, txId, reason: kind, why: message });
    });
  }

  setControl(run: string, control: RunControl): Promise<void> {
    return this.#inTurn(async () => {
      const log = (await this.#find(run))?.log;
      if (log !== undefined) await this.#submit(log, { kind: "control", control });
    });
  }

  async lead({ network, chain }: NetworkRef): Promise<Leadership | undefined> {
    return await leadBySocket(await this.#socket(chain ?? network));
  }

  /**
   * Holds a run, so that one window executes it.
   *
   * @returns undefined while another process holds it
   * @throws {ChainError} `RUN_STORE_UNAVAILABLE` if the paths of the store and of temporary files are both too long
   */
  async hold(run: string): Promise<Leadership | undefined> {
    const socket = await this.#socket(run);
    if (!isTooLong(socket)) return await leadBySocket(socket);
    throw new ChainError("RUN_STORE_UNAVAILABLE", { store: socket, reason: t`the path is too long for a socket` });
  }

  /** Returns true while a process holds a run, this one included. */
  async isHeld(run: string): Promise<boolean> {
    return await isLed(await this.#socket(run));
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    for (const { log } of this.#runs.values()) await log.close();
    await this.#index.close();
    await this.#file.close();
    const linkFolder = await this.#linkFolder?.catch(() => undefined);
    if (linkFolder !== undefined) await rm(linkFolder, { recursive: true, force: true });
  }

  /** Returns the path of a socket that one process can listen on. */
  async #socket(name: string): Promise<string> {
    const hash = (text: string, length: number): string =>
      createHash("sha256").update(text).digest("hex").slice(0, length);
    if (process.platform === "win32") return `\\\\.\\pipe\\finality-run-${hash(this.#folder, 16)}-${hash(name, 8)}`;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = `${hash(name, 8)}.sock`;
    const path = join(this.#folder, file);
    if (!isTooLong(path)) return path;
    this.#linkFolder ??= this.#createLink();
    return join(await this.#linkFolder, LINK, file);
  }

  /** Creates a temporary folder of this user with a short link to the folder: the socket is in the folder all the same. */
  async #createLink(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "finality-socket-"));
    await symlink(resolve(this.#folder), join(folder, LINK));
    return folder;
  }

  async #claimIn(run: string, log: RunLog, { limit, leaseMs }: ClaimOptions): Promise<readonly Claim[]> {
    await log.catchUp();
    if (log.control !== "running") return [];
    const now = this.#clock.now();
    const rows: LoggedRow[] = [];
    for (const number of log.open) {
      if (rows.length >= limit) break;
      const row = log.rows.get(number);
      if (row === undefined || (row.leaseUntil > now && isAlive(row.pid))) continue;
      if (this.#needsWork(row)) rows.push(row);
      else log.open.delete(number);
    }
    if (rows.length === 0) return [];
    const fences = rows.map(({ row, fence }) => ({ row, fence }));
    const event = { kind: "claim", until: now + leaseMs, pid: process.pid, rows: fences } as const;
    const claimed = await this.#submit(log, event);
    return rows.filter(({ row }) => claimed.includes(row)).map((row) => claimOf(run, row));
  }

  #needsWork({ attempts, retryAfter }: LoggedRow): boolean {
    const last = attempts.at(-1);
    if (last === undefined) return true;
    return retryAfter === last ? !this.journal.isExecuted(last) : !this.journal.isDecided(last);
  }

  /** Submits an event for each run of the claims. @returns the claims that are still held */
  async #forHeld(
    claims: readonly Claim[],
    event: (rows: readonly Pick<Claim, "row" | "fence">[]) => Parameters<RunLog["submit"]>[0],
  ): Promise<readonly Claim[]> {
    const held: Claim[] = [];
    for (const [run, of] of Map.groupBy(claims, (it) => it.run)) {
      const log = this.#runs.get(run)?.log;
      if (log === undefined) continue;
      const rows = new Set(await this.#submit(log, event(of.map(({ row, fence }) => ({ row, fence })))));
      for (const claim of of) {
        const row = rows.has(claim.row) ? log.rows.get(claim.row) : undefined;
        if (row !== undefined) held.push({ ...claim, leaseUntil: row.leaseUntil });
      }
    }
    return held;
  }

  async #submit(log: RunLog, event: Parameters<RunLog["submit"]>[0]): Promise<readonly number[]> {
    const result = await log.submit(event).catch((error: unknown) => {
      throw this.#unavailable(error);
    });
    return typeof result === "string" ? [] : result;
  }

  async #find(id: string): Promise<IndexedRun | undefined> {
    if (!this.#runs.has(id)) await this.#readIndex();
    return this.#runs.get(id);
  }

  /** @param creates - false to leave a folder without runs as it is */
  async #readIndex(creates = false): Promise<void> {
    if (!creates && !this.#isIndexOpen && !existsSync(this.#index.file)) return;
    const change = await this.#index.open();
    const text = change === undefined ? await this.#index.readNew() : undefined;
    if (text !== undefined) return this.#addRuns(text);
    if (this.#isIndexOpen) throw this.#unavailable(new Error(t`another program removed or changed the file`));
    this.#isIndexOpen = true;
    await this.#index.readAll((part) => this.#addRuns(part));
  }

  #addRuns(text: string): void {
    for (const line of linesOf(text)) {
      const indexed = readIndexLine(line);
      if (indexed !== undefined) this.#addRun(indexed);
    }
  }

  /** The first line with a key counts, in every process alike. */
  #addRun({ file, run, keys }: IndexLine): void {
    const names = keys.map((key) => keyName(run, key));
    if (this.#runs.has(run.id) || names.some((it) => this.#keys.has(it))) return;
    for (const name of names) this.#keys.set(name, run.id);
    this.#runs.set(run.id, { run, log: new RunLog(join(this.#folder, file), this.#writer) });
  }

  /** @throws {ChainError} `RUN_KEY_USED` */
  #requireNewKeys(run: NewRun, keys: readonly string[]): void {
    const own = new Set<string>();
    for (const key of keys) {
      const other = own.has(key) ? run.id : this.#keys.get(keyName(run, key));
      if (other !== undefined) throw new ChainError("RUN_KEY_USED", { key, run: other });
      own.add(key);
    }
  }

  /** @throws {ChainError} `RUN_DIFFERS` */
  async #isStored(run: NewRun, rows: readonly NewRow[]): Promise<boolean> {
    const known = this.#runs.get(run.id);
    if (known === undefined) return false;
    await known.log.catchUp();
    const isSameOwner = known.run.owner === run.owner && known.run.network.chain === run.network.chain;
    if (isSameOwner && isSameRows([...known.log.rows.values()], rows)) return true;
    throw new ChainError("RUN_DIFFERS", { run: run.id });
  }

  /** Creates the file of a run with its rows. The name is of its content, so an existing file is the same one. */
  async #createLog(name: string, rows: string): Promise<void> {
    const file = join(this.#folder, name);
    const draft = draftOf(file);
    await createFile(draft, `${rows}\n`);
    try {
      await link(draft, file).catch((error: unknown) => {
        if (codeOf(error) !== "EEXIST") throw error;
      });
    } finally {
      await rm(draft, { force: true });
    }
    await syncFolder(this.#folder);
  }

  /**
   * Returns the signed bytes of attempts that the journal lacks because the process ended in between. Adds attempts that
   * only the journal has, so that a damaged file does not pay a row twice.
   */
  async #missingSigned(entries: readonly JournalEntry[]): Promise<readonly JournalEntry[]> {
    return await this.#inTurn(async () => {
      await this.#readIndex();
      const signed = new Set<string>();
      for (const { run, log } of this.#runs.values()) await log.catchUp().catch((error) => this.#damaged(run, error));
      for (const entry of entries) {
        if (entry.kind !== "signed") continue;
        signed.add(entry.txId);
        const log = entry.run && this.#runs.get(entry.run.id)?.log;
        const row = entry.run && log?.rows.get(entry.run.row);
        if (log !== undefined && row !== undefined && !row.attempts.includes(entry.txId)) log.addAttempt(row, entry);
      }
      const attempts = [...this.#runs.values()].flatMap(({ log }) => [...log.attempts.values()]);
      return attempts.filter(({ txId }) => !signed.has(txId));
    });
  }

  #damaged({ id }: NewRun, error: unknown): never {
    throw new ChainError("RUN_STORE_UNAVAILABLE", { store: `${this.#folder} (${id})`, reason: reasonOf(error) });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() =>
      work().catch((error: unknown) => {
        throw this.#unavailable(error);
      }),
    );
  }

  #unavailable(cause: unknown): unknown {
    if (isChainError(cause)) return cause;
    return new ChainError("RUN_STORE_UNAVAILABLE", { store: this.#folder, reason: reasonOf(cause) }, { cause });
  }
}

async function storedRun({ run, log }: IndexedRun): Promise<StoredRun> {
  await log.catchUp();
  return { ...run, control: log.control, rows: log.rows.size, attempted: log.attempted };
}

function keyName({ network, owner }: NewRun, key: string): string {
  return JSON.stringify([network.chain, owner, key]);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns false for a process that has ended: its leases end with it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}
