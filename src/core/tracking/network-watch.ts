import type { Gateway } from "../gateway/gateway.ts";
import type { TxId } from "../primitives/hash.ts";
import type { Clock } from "../time/clock.ts";
import { type AbsenceSubject, AbsenceWatch } from "./absence-watch.ts";
import { FIRST_PACE, pacePaused } from "./block-pace.ts";
import { BlockWatch } from "./block-watch.ts";
import { SingleWatch } from "./single-watch.ts";
import { describeTrouble, pauseAfter, type Trouble } from "./trouble.ts";
import type { WatchContext, WatchSubject } from "./watch-context.ts";

/** What a watch needs of the tracker. */
export interface WatchOptions extends WatchSubject, AbsenceSubject {
  readonly clock: Clock;
  readonly gateway: () => Promise<Gateway>;
  readonly troubled: (trouble: Trouble | undefined) => void;
}

/** Up to so many transactions, looking for each by its txID costs less than reading every block. */
const FEW = 5;

const WAKE = Symbol("wake");

/**
 * Follows the live transactions of one network, each time until none is left. With few of them it looks for each; with many it reads the
 * solidified blocks, one request a block, and stays with that until all are settled.
 */
export class NetworkWatch {
  readonly #options: WatchOptions;
  #context: WatchContext;
  #single: SingleWatch;
  #absence: AbsenceWatch;
  #blocks: BlockWatch | undefined;
  #failures = 0;
  #troubledSince = 0;
  #retryAt = 0;
  #nap = new AbortController();
  #lastNow = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
    const ended = new Set<TxId>();
    const live = () => options.live().filter(({ txId }) => !ended.has(txId));
    this.#absence = new AbsenceWatch(options);
    const sawSolid: WatchContext["sawSolid"] = (block) => this.#absence.saw(block, options.clock.now());
    this.#context = { live, learned: options.learned, sawSolid, ended, pace: FIRST_PACE, solidTime: 0 };
    this.#single = new SingleWatch(this.#context);
  }

  /** Ends when nothing is live and nothing waits for a proof. @throws the reason of the signal, at once */
  async run(signal: AbortSignal): Promise<void> {
    while (this.#isOpen()) {
      this.#minded();
      await this.#rest(this.#pause(), signal);
      this.#minded();
      if (this.#isOpen()) await this.#tryRound(signal);
    }
    this.#blocks = undefined;
    this.#single.forget();
    this.#context.pace = pacePaused(this.#context.pace);
    this.#context.solidTime = 0;
    this.#settled();
  }

  /** Heights and times that were seen count no more; a look that is under way ends with them. */
  startOver(): void {
    this.#context = { ...this.#context, pace: pacePaused(this.#context.pace), solidTime: 0 };
    this.#single = new SingleWatch(this.#context);
    this.#absence = new AbsenceWatch(this.#options);
    this.#blocks = undefined;
    this.wake();
  }

  /** Ends the present rest, so that something new is looked at without delay; a pause after trouble goes on. */
  wake(): void {
    if (this.#failures === 0) this.#nap.abort(WAKE);
  }

  /** Plans are times of the local clock: when that was put back they would be too far away. */
  #minded(): void {
    const now = this.#options.clock.now();
    if (now < this.#lastNow) {
      this.startOver();
      this.#retryAt = Math.min(this.#retryAt, now);
    }
    this.#lastNow = now;
  }

  #isOpen(): boolean {
    return this.#context.live().length > 0 || this.#absence.waiting;
  }

  async #tryRound(signal: AbortSignal): Promise<void> {
    try {
      await this.#round(signal);
      this.#settled();
    } catch (error) {
      signal.throwIfAborted();
      this.#failed(error);
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { gateway, clock } = this.#options;
    const inquiry = { gateway: await gateway(), clock, signal };
    const { length } = this.#context.live();
    if (length > FEW) this.#blocks ??= new BlockWatch(this.#context, clock.now());
    if (length > 0) await (this.#blocks ?? this.#single).round(inquiry);
    await this.#absence.round(inquiry);
  }

  #failed(error: unknown): void {
    const { network, clock, troubled } = this.#options;
    const now = clock.now();
    if (this.#failures === 0) this.#troubledSince = now;
    this.#failures++;
    this.#retryAt = now + pauseAfter(error, this.#failures);
    troubled({ network, ...describeTrouble(error), since: this.#troubledSince, nextTryAt: this.#retryAt });
  }

  #settled(): void {
    if (this.#failures > 0) this.#options.troubled(undefined);
    this.#failures = 0;
  }

  #pause(): number {
    const now = this.#options.clock.now();
    if (this.#failures > 0) return this.#retryAt - now;
    const proof = this.#absence.pause(now);
    return this.#context.live().length === 0 ? proof : Math.min(proof, (this.#blocks ?? this.#single).pause(now));
  }

  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    this.#nap = new AbortController();
    try {
      await this.#options.clock.sleep(Math.max(0, ms), AbortSignal.any([signal, this.#nap.signal]));
    } catch (reason) {
      signal.throwIfAborted();
      if (reason !== WAKE) throw reason;
    }
  }
}
