import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "@finality/client/gateway";

/** Files that are compared before the event loop gets a turn. */
const AT_ONCE = 50;
/** A change younger than this may still be reported by a watcher; ms. */
const REPORTED_WITHIN_MS = 2_000;

interface Address {
  /** Uses `/`, without one at the end. */
  readonly path: string;
  toString(): string;
}

export interface FileTimes {
  /** Changes whenever the file is written. */
  readonly stamp: string;
  /** Time of the last write; ms of the local clock. */
  readonly mtime: number;
}

interface KnownFile<U> {
  readonly uri: U;
  readonly stamp: string;
}

export interface ChangedFilesOptions<U> {
  /** Finds all files, in batches. */
  readonly search: () => AsyncIterable<readonly U[]>;
  /** Returns the key of a file. */
  readonly nameOf: (uri: U) => string;
  /** @throws when it is not there */
  readonly timesOf: (uri: U) => Promise<FileTimes>;
  readonly now: () => number;
  readonly closed: AbortSignal;
}

/** Tracks which files were read and which have to be read again. */
export class ChangedFiles<U extends Address> {
  readonly #options: ChangedFilesOptions<U>;
  readonly #known = new Map<string, KnownFile<U>>();
  readonly #pending = new Map<string, U>();
  /** Paths of deleted files and folders. */
  readonly #gone = new Set<string>();

  constructor(options: ChangedFilesOptions<U>) {
    this.#options = options;
  }

  known(name: string): KnownFile<U> | undefined {
    return this.#known.get(name);
  }

  /** Stores the state in which a file was read. */
  remember(name: string, file: KnownFile<U>): void {
    this.#known.set(name, file);
  }

  forget(name: string): void {
    this.#known.delete(name);
  }

  clear(): void {
    this.#known.clear();
    this.stopReading();
  }

  /** Drops all pending files. */
  stopReading(): void {
    this.#pending.clear();
    this.#gone.clear();
  }

  /** Marks a file that was created, changed or deleted. */
  expect(uri: U): void {
    this.#pending.set(uri.toString(), uri);
  }

  /** Marks a file or folder that was deleted with its content. */
  expectGone({ path }: U): void {
    this.#gone.add(path);
  }

  /** Returns whether files are pending. */
  hasPending(): boolean {
    this.#expectFromGone();
    return this.#pending.size > 0;
  }

  /** Yields each pending file once, including files that are added meanwhile. */
  *takePending(): Generator<U> {
    for (const [key, uri] of this.#pending) {
      this.#pending.delete(key);
      yield uri;
    }
  }

  /**
   * Marks every file that differs from when it was read. Returns whether a watcher should have reported one of them.
   */
  async compare(): Promise<boolean> {
    const { search, nameOf, closed } = this.#options;
    const unseen = new Map(this.#known);
    let missed = false;
    for await (const found of search()) {
      for (const [at, uri] of found.entries()) {
        if (at % AT_ONCE === 0) await turn();
        if (closed.aborted) return false;
        const name = nameOf(uri);
        unseen.delete(name);
        missed = (await this.#isMissed(name, uri)) || missed;
      }
    }
    // VS Code does not find files that the user excludes from search.
    for (const { uri, stamp } of unseen.values()) if ((await this.#timesOf(uri))?.stamp !== stamp) this.expect(uri);
    return missed;
  }

  async #isMissed(name: string, uri: U): Promise<boolean> {
    const found = await this.#timesOf(uri);
    if (found === undefined || found.stamp === this.#known.get(name)?.stamp) return false;
    const isPending = this.#pending.has(uri.toString());
    this.expect(uri);
    return !isPending && this.#options.now() - found.mtime > REPORTED_WITHIN_MS;
  }

  async #timesOf(uri: U): Promise<FileTimes | undefined> {
    return await this.#options.timesOf(uri).catch(() => undefined);
  }

  /** Marks the files of deleted folders. */
  #expectFromGone(): void {
    const gone = new Set(this.#gone);
    this.#gone.clear();
    if (gone.size === 0) return;
    for (const { uri } of this.#known.values()) if (isBelow(gone, uri.path)) this.expect(uri);
  }
}

function isBelow(folders: ReadonlySet<string>, path: string): boolean {
  let at = path.lastIndexOf("/");
  while (at > 0 && !folders.has(path.slice(0, at))) at = path.lastIndexOf("/", at - 1);
  return at > 0;
}

/**
 * Times after which all files are compared; the last one repeats. New watchers miss changes for a while and do not
 * report when they start. They can also miss a folder that was created meanwhile.
 */
const COMPARE_DELAYS_MS = [1_000, 4_000, 15_000];
const AT_LAST_MS = 60_000;
/** Delay after a folder is created, which may have content before it is watched. */
const FOLDER_MS = 500;
/** Interval after a change was found that no watcher had reported. */
const DEAF_MS = 5_000;

export interface ComparisonScheduleOptions {
  readonly clock: Clock;
  /** Reads changed files. Resolves to whether a watcher should have reported one of them. */
  readonly compare: () => Promise<boolean>;
  /** Called when a comparison fails. The next one still runs. */
  readonly failed: (error: unknown) => void;
}

/** Schedule by which all files are compared although no watcher reported a change. */
export class ComparisonSchedule {
  readonly #options: ComparisonScheduleOptions;
  #round = new AbortController();
  /** Aborts when a folder is created. */
  #nap = new AbortController();

  constructor(options: ComparisonScheduleOptions) {
    this.#options = options;
  }

  /** Restarts the schedule after watchers were created. */
  restart(): void {
    this.dispose();
    this.#round = new AbortController();
    const { signal } = this.#round;
    this.#compareRepeatedly(signal).catch((error: unknown) => {
      if (!signal.aborted) this.#options.failed(error);
    });
  }

  /** Compares soon, once for all folders that are created until then. */
  folderMade(): void {
    this.#nap.abort();
  }

  dispose(): void {
    this.#round.abort();
  }

  async #compareRepeatedly(round: AbortSignal): Promise<void> {
    let isDeaf = false;
    for (let step = 0; ; step++) {
      const ms = isDeaf ? DEAF_MS : (COMPARE_DELAYS_MS[step] ?? AT_LAST_MS);
      if (await this.#isFolderMadeWithin(ms, round)) step = 0;
      const missed = await this.#compare();
      // A watcher need not have reported anything that early.
      isDeaf ||= missed && step > 0;
    }
  }

  /** Waits for the time to pass, or until shortly after a folder is created. */
  async #isFolderMadeWithin(ms: number, round: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    const nap = this.#nap.signal;
    try {
      await clock.sleep(ms, AbortSignal.any([round, nap]));
      return false;
    } catch (reason) {
      round.throwIfAborted();
      if (!nap.aborted) throw reason;
    }
    await clock.sleep(FOLDER_MS, round);
    this.#nap = new AbortController();
    return true;
  }

  async #compare(): Promise<boolean> {
    try {
      return await this.#options.compare();
    } catch (error) {
      this.#options.failed(error);
      return false;
    }
  }
}
