import { setImmediate as turn } from "node:timers/promises";

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
