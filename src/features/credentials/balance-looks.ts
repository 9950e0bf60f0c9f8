import type { Clock } from "@finality/client/gateway";
import type { TrackedTransaction } from "@finality/client/tracking";
import { type Address, BLOCK_INTERVAL_MS, type TxId } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";

/**
 * A hosted gateway counts requests and does not tell its limit: within the time of a block no more accounts than these.
 */
export const ACCOUNTS_A_BLOCK = 10;

export interface PacedLooksOptions {
  readonly clock: Clock;
  /** Whether anybody sees the answer. */
  readonly isWatched: () => boolean;
  /** How many accounts may be looked at within the time of a block. */
  readonly limit: () => number;
  /** Looks at these accounts. False ends the round: there is no sense in asking for the others now. */
  readonly look: (addresses: readonly Address[]) => Promise<boolean>;
}

/**
 * When accounts are looked at: each at most once within the time of a block, some at a time, and only while somebody
 * watches.
 */
export class PacedLooks {
  readonly #options: PacedLooksOptions;
  readonly #due = new Set<Address>();
  readonly #lookedAt = new Map<Address, number>();
  #round: Promise<void> | undefined;
  #startedAt = 0;
  #started = 0;
  #closing = new AbortController();

  constructor(options: PacedLooksOptions) {
    this.#options = options;
  }

  /** Looks at these accounts as soon as that is allowed. */
  want(addresses: readonly Address[]): void {
    for (const it of addresses) this.#due.add(it);
    void this.#go();
  }

  /**
   * The same at once, whoever looked at them a moment ago: a person asked. Resolves when all of them were looked at.
   */
  async ask(addresses: readonly Address[]): Promise<void> {
    for (const it of addresses) this.#lookedAt.delete(it);
    this.#cut();
    for (const it of addresses) this.#due.add(it);
    await this.#go(true);
  }

  /** What was seen counts no more: it was of another network. */
  startOver(): void {
    this.#lookedAt.clear();
    this.#due.clear();
    this.#started = 0;
    this.#cut();
  }

  dispose(): void {
    this.startOver();
  }

  /** Ends the present round; what it did not come to stays due. */
  #cut(): void {
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#round = undefined;
  }

  /** A round that had nothing to do would be over before it is known as the present one, and would stay so. */
  async #go(asked = false): Promise<void> {
    if (this.#round === undefined && this.#hasWork(asked)) this.#round = this.#run(asked, this.#closing.signal);
    await this.#round;
  }

  #hasWork(asked: boolean): boolean {
    return this.#due.size > 0 && (asked || this.#options.isWatched());
  }

  async #run(asked: boolean, signal: AbortSignal): Promise<void> {
    const { clock, look } = this.#options;
    while (this.#hasWork(asked)) {
      const now = clock.now();
      const some = this.#allowed(now);
      if (some.length === 0) await clock.sleep(this.#pause(now), signal).catch(() => undefined);
      else if (!(await look(some))) this.#due.clear();
      if (signal.aborted) return;
    }
    this.#round = undefined;
  }

  /** Those that may be looked at now; they are due no more. */
  #allowed(now: number): readonly Address[] {
    if (Math.abs(now - this.#startedAt) >= BLOCK_INTERVAL_MS) {
      this.#startedAt = now;
      this.#started = 0;
    }
    const room = Math.max(0, this.#options.limit() - this.#started);
    const some = [...this.#due].filter((it) => this.#freeAt(it, now) <= now).slice(0, room);
    for (const it of some) {
      this.#due.delete(it);
      this.#lookedAt.set(it, now);
    }
    this.#started += some.length;
    return some;
  }

  /** A clock that was put back keeps nobody waiting for longer. */
  #freeAt(address: Address, now: number): number {
    const last = this.#lookedAt.get(address);
    return last === undefined || last > now ? now : last + BLOCK_INTERVAL_MS;
  }

  #pause(now: number): number {
    const first = Math.min(...[...this.#due].map((it) => this.#freeAt(it, now)));
    const room = this.#options.limit() > this.#started ? now : this.#startedAt + BLOCK_INTERVAL_MS;
    return Math.max(1, Math.max(first, room) - now);
  }
}

/**
 * Whose balances moved: these accounts, or any, because what a contract or somebody else's transaction pays is not
 * known.
 */
export type Moved = readonly Address[] | "any";

/**
 * Tells whose balances a change of transactions may have moved. A balance moves when a block takes a transaction in or
 * loses it; that the same block is solidified later, that an answer came or that a proof is searched for moves nothing.
 */
export class MovedBalances {
  /** The height of the block that each was seen in last; undefined while it is in none. */
  readonly #heights = new Map<TxId, number | undefined>();

  after(changed: readonly TrackedTransaction[]): Moved {
    const moved = new Set<Address>();
    let any = false;
    for (const { txId, state, signed } of changed) {
      const height = state.kind === "included" || state.kind === "solidified" ? state.block.number : undefined;
      if (this.#heights.get(txId) === height) continue;
      this.#heights.set(txId, height);
      const parties = signed === undefined ? undefined : partiesOf(signed.intent);
      any ||= parties === undefined;
      for (const it of parties ?? []) moved.add(it);
    }
    return any ? "any" : [...moved];
  }
}

/** Who has something else by it; undefined when a contract decides about that. */
function partiesOf(intent: Intent): readonly Address[] | undefined {
  if (intent.kind === "contract-call" || intent.kind === "contract-creation") return undefined;
  const { owner, to, receiver, account } = { to: undefined, receiver: undefined, account: undefined, ...intent };
  return [owner, to, receiver, account].filter((it) => it !== undefined);
}
