import { isChainError } from "../errors/chain-error.ts";
import type { NodeInfo } from "../gateway/gateway.ts";
import type { JournalEntry } from "../journal/journal.ts";
import type { TxId } from "../primitives/hash.ts";
import { MAX_EXPIRATION_AHEAD_MS } from "../transaction/reference-block.ts";
import { paceAfter, waitFor } from "./block-pace.ts";
import { type Inquiry, lookUpInHead, solidFacts } from "./look-up.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";
import type { SeenBlock } from "./tracking-state.ts";
import type { WatchContext } from "./watch-context.ts";

/** Until the pace of blocks was seen; ms. */
const FIRST_GUESS_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** However far away finality is, the head is looked at so often, in blocks, for a reorganisation. */
const LONGEST_WAIT_BLOCKS = 6;
/** How often nothing has to be found, after the expiration was reached, before nobody asks any more. */
const MISSES_TO_END = 3;
/** Every how many misses the solidified time is asked for. */
const MISSES_A_CLOCK = 4;
/** How long the heights that were asked for one transaction serve the others too, in blocks. */
const HEIGHTS_SERVE_BLOCKS = 0.3;

/** When one transaction is looked for next (local clock, Unix ms), and how often in a row it was not found. */
interface Plan {
  readonly at: number;
  readonly misses: number;
  readonly lateMisses: number;
}

/** Follows a few transactions, each by look-ups that are timed by the pace of blocks. */
export class SingleWatch {
  readonly #context: WatchContext;
  readonly #plans = new Map<TxId, Plan>();
  #knowsHeights = true;
  #lastHeights: { readonly info: NodeInfo; readonly at: number } | undefined;

  constructor(context: WatchContext) {
    this.#context = context;
  }

  pause(now: number): number {
    const times = this.#context.live().map((it) => this.#planOf(it, now).at);
    return Math.max(0, Math.min(...times) - now);
  }

  forget(): void {
    this.#plans.clear();
  }

  async round(inquiry: Inquiry): Promise<void> {
    const { clock } = inquiry;
    for (const tracked of this.#context.live()) {
      const plan = this.#planOf(tracked, clock.now());
      if (plan.at <= clock.now()) this.#plans.set(tracked.txId, await this.#look(tracked, plan, inquiry));
    }
  }

  /** Right after a broadcast nothing can be seen before the next block; everything else is looked at now. */
  #planOf({ txId, attempts, state }: TrackedTransaction, now: number): Plan {
    const known = this.#plans.get(txId);
    if (known !== undefined) return known;
    const sentAt = state.kind === "included" ? 0 : (attempts.at(-1)?.startedAt ?? 0);
    const nextBlock = sentAt + this.#wait(1);
    const first = { at: sentAt <= now && nextBlock > now ? nextBlock : now, misses: 0, lateMisses: 0 };
    this.#plans.set(txId, first);
    return first;
  }

  async #look(tracked: TrackedTransaction, plan: Plan, inquiry: Inquiry): Promise<Plan> {
    const { state } = tracked;
    if (state.kind === "included") return this.#awaitFinality(tracked, state.block, inquiry);
    const facts = await lookUpInHead(tracked, inquiry);
    await this.#context.learned(facts);
    const seen = facts.find((it) => it.kind === "seen-in-head");
    if (seen !== undefined) return this.#awaitFinality(tracked, seen.block, inquiry, facts);
    return facts.length > 0 ? this.#in(1, inquiry) : this.#missed(tracked, plan, inquiry);
  }

  /** The block that holds it is asked for when it should be solidified; until then the head may still change its mind. */
  async #awaitFinality(
    tracked: TrackedTransaction,
    { number }: SeenBlock,
    inquiry: Inquiry,
    known?: readonly JournalEntry[],
  ): Promise<Plan> {
    const heights = await this.#heights(inquiry);
    if (heights === undefined || heights.solid >= number) {
      const facts = await solidFacts(tracked.txId, number, inquiry);
      await this.#context.learned(facts);
      if (facts.length > 0) return this.#in(1, inquiry);
    }
    if (known === undefined) await this.#context.learned(await lookUpInHead(tracked, inquiry));
    const remaining = heights === undefined ? 2 : Math.max(1, number - heights.solid);
    return this.#in(Math.min(remaining, LONGEST_WAIT_BLOCKS), inquiry);
  }

  async #missed(tracked: TrackedTransaction, plan: Plan, inquiry: Inquiry): Promise<Plan> {
    const misses = plan.misses + 1;
    if (misses % MISSES_A_CLOCK === 0 && tracked.signed !== undefined) await this.#readSolidTime(inquiry);
    const late = this.#isLate(tracked, inquiry.clock.now());
    const lateMisses = late ? plan.lateMisses + 1 : 0;
    if (lateMisses >= MISSES_TO_END) this.#context.ended.add(tracked.txId);
    const patient = tracked.state.kind === "pending" ? Math.max(0, misses - 20) : misses;
    const pause = Math.min(LONGEST_PAUSE_MS, this.#wait(1) * 2 ** Math.min(patient, 12));
    return { at: inquiry.clock.now() + pause, misses, lateMisses };
  }

  /** Of a transaction of somebody else the expiration is not known, but no expiration is further away than a day. */
  #isLate({ signed, createdAt }: TrackedTransaction, now: number): boolean {
    if (signed === undefined) return now - createdAt > MAX_EXPIRATION_AHEAD_MS;
    return this.#context.solidTime >= signed.expiration;
  }

  async #readSolidTime({ gateway, signal }: Inquiry): Promise<void> {
    const block = await gateway.solidBlock(signal);
    this.#context.solidTime = Math.max(this.#context.solidTime, block.timestamp);
    this.#context.sawSolid(block);
  }

  /** Both heights, for the arithmetic; undefined from a gateway that does not tell. */
  async #heights({ gateway, clock, signal }: Inquiry): Promise<NodeInfo | undefined> {
    if (!this.#knowsHeights) return undefined;
    const last = this.#lastHeights;
    if (last !== undefined && clock.now() - last.at < this.#wait(HEIGHTS_SERVE_BLOCKS)) return last.info;
    try {
      const info = await gateway.nodeInfo(signal);
      this.#lastHeights = { info, at: clock.now() };
      this.#context.pace = paceAfter(this.#context.pace, info.head, clock.now());
      return info;
    } catch (error) {
      signal.throwIfAborted();
      if (!isNotOffered(error)) throw error;
      this.#knowsHeights = false;
      return undefined;
    }
  }

  #in(blocks: number, { clock }: Inquiry): Plan {
    return { at: clock.now() + this.#wait(blocks), misses: 0, lateMisses: 0 };
  }

  #wait(blocks: number): number {
    const { pace } = this.#context;
    return waitFor(pace.measured ? pace : { ...pace, intervalMs: FIRST_GUESS_MS }, blocks);
  }
}

/** A gateway may offer less than a node does: it says so with a status of the 4xx kind or a refusal. */
function isNotOffered(error: unknown): boolean {
  if (!isChainError(error)) return false;
  if (error.code === "GATEWAY_HTTP_STATUS") return error.details.status < 500;
  return error.code === "NODE_REFUSED" || error.code === "GATEWAY_ANSWER_MALFORMED";
}
