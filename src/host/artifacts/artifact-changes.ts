import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "@finality/client/gateway";

/** So many files are compared before others get their turn. */
const AT_ONCE = 50;
/** A change that is younger may still be told. */
const TOLD_WITHIN_MS = 2_000;

interface Address {
  /** With `/`, and without one at its end. */
  readonly path: string;
  toString(): string;
}

export interface FileTimes {
  /** Another one when the file was written again. */
  readonly stamp: string;
  /** When it was written, ms by the local clock. */
  readonly mtime: number;
}

interface KnownFile<U> {
  readonly uri: U;
  readonly stamp: string;
}

export interface ChangedFilesOptions<U> {
  /** All files that there are now, in lists as they are found. */
  readonly search: () => AsyncIterable<readonly U[]>;
  /** By this name a file is known. */
  readonly nameOf: (uri: U) => string;
  /** @throws when it is not there */
  readonly timesOf: (uri: U) => Promise<FileTimes>;
  readonly now: () => number;
  readonly closed: AbortSignal;
}

/** Which files were read, and which of them, or of others, are to be read now. */
export class ChangedFiles<U extends Address> {
  readonly #options: ChangedFilesOptions<U>;
  readonly #known = new Map<string, KnownFile<U>>();
  readonly #pending = new Map<string, U>();
  /** Files and folders that were deleted, by their paths. */
  readonly #gone = new Set<string>();

  constructor(options: ChangedFilesOptions<U>) {
    this.#options = options;
  }

  known(name: string): KnownFile<U> | undefined {
    return this.#known.get(name);
  }

  /** It was read when it was so. */
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

  /** Nothing that was told so far is to be read. */
  stopReading(): void {
    this.#pending.clear();
    this.#gone.clear();
  }

  /** A file came, changed or went. */
  expect(uri: U): void {
    this.#pending.set(uri.toString(), uri);
  }

  /** A file or folder went, with all that was in it. */
  expectGone({ path }: U): void {
    this.#gone.add(path);
  }

  /** Whether there are files to be read. */
  hasPending(): boolean {
    this.#expectFromGone();
    return this.#pending.size > 0;
  }

  /** Each of them once, also those that come meanwhile. */
  *takePending(): Generator<U> {
    for (const [key, uri] of this.#pending) {
      this.#pending.delete(key);
      yield uri;
    }
  }

  /**
   * Expects what is otherwise than when it was read. The result is whether somebody should have told of one of these
   * files.
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
    // The editor does not find what the person hides from it.
    for (const { uri, stamp } of unseen.values()) if ((await this.#timesOf(uri))?.stamp !== stamp) this.expect(uri);
    return missed;
  }

  async #isMissed(name: string, uri: U): Promise<boolean> {
    const found = await this.#timesOf(uri);
    if (found === undefined || found.stamp === this.#known.get(name)?.stamp) return false;
    const isPending = this.#pending.has(uri.toString());
    this.expect(uri);
    return !isPending && this.#options.now() - found.mtime > TOLD_WITHIN_MS;
  }

  async #timesOf(uri: U): Promise<FileTimes | undefined> {
    return await this.#options.timesOf(uri).catch(() => undefined);
  }

  /** The files that were in folders that are gone. */
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
 * Watchers see nothing for a while after they were made and do not say when they begin, and they may stay deaf to a
 * folder that was made just then: so long after each other all files are compared, and the last of these times again
 * and again.
 */
const LOOK_AGAIN_MS = [1_000, 4_000, 15_000];
const AT_LAST_MS = 60_000;
/** The same when a folder was made, which may be full by the time it is watched. */
const FOLDER_MS = 500;
/** The same once a change was found that no watcher has told. */
const DEAF_MS = 5_000;

export interface LookAgainOptions {
  readonly clock: Clock;
  /** Takes in what files say otherwise than before. The result is whether a watcher should have told of one of them. */
  readonly compare: () => Promise<boolean>;
  /** A comparison failed; the next one comes nevertheless. */
  readonly failed: (error: unknown) => void;
}

/** When all files are compared though no watcher has told of a change. */
export class LookAgain {
  readonly #options: LookAgainOptions;
  #round = new AbortController();
  /** Aborts when a folder is made. */
  #nap = new AbortController();

  constructor(options: LookAgainOptions) {
    this.#options = options;
  }

  /** Watchers were just made. */
  restart(): void {
    this.dispose();
    this.#round = new AbortController();
    const { signal } = this.#round;
    this.#lookOnAndOn(signal).catch((error: unknown) => {
      if (!signal.aborted) this.#options.failed(error);
    });
  }

  /** Looks soon, once for all folders that are made until then. */
  folderMade(): void {
    this.#nap.abort();
  }

  dispose(): void {
    this.#round.abort();
  }

  async #lookOnAndOn(round: AbortSignal): Promise<void> {
    let isDeaf = false;
    for (let step = 0; ; step++) {
      const ms = isDeaf ? DEAF_MS : (LOOK_AGAIN_MS[step] ?? AT_LAST_MS);
      if (await this.#isFolderMadeWithin(ms, round)) step = 0;
      const missed = await this.#compare();
      // So early no watcher needs to have told of anything.
      isDeaf ||= missed && step > 0;
    }
  }

  /** Waits so long, or shortly after a folder is made. */
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
