import type { Clock } from "@finality/client/gateway";

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
