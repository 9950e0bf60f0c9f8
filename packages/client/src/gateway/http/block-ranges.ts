import { type AnyChainError, isChainError } from "@finality/tron/errors";
import type { Clock } from "../../time/clock.ts";
import type { Block } from "../gateway.ts";
import type { HeightRange } from "./endpoints.ts";
import { isSilence } from "./exchange-verdict.ts";
import { backoff } from "./retry-policy.ts";

/** How many blocks one request may bring (protocol reference §14.2). */
export const MAX_BLOCKS = 100;

export interface RangeSource {
  readonly clock: Clock;
  /** From 0 to before 1. */
  readonly random: () => number;
  /** How long it is tried with ever less; ms. */
  readonly deadlineMs: number;
  /** @param splits - the caller asks for less where it takes too long, so it is not asked again */
  readonly read: (range: HeightRange, splits: boolean, signal: AbortSignal | undefined) => Promise<readonly Block[]>;
}

/**
 * Ranges of blocks in one view, in pieces that a gateway can bear: half as many after each that took too long, came cut
 * or made the gateway fail, and twice as many after each that came whole.
 */
export class BlockRanges {
  readonly #source: RangeSource;
  #size = MAX_BLOCKS;

  constructor(source: RangeSource) {
    this.#source = source;
  }

  /** Up to the first block that is not there. */
  async read({ start, end }: HeightRange, signal?: AbortSignal): Promise<readonly Block[]> {
    const blocks: Block[] = [];
    while (start + blocks.length < end) {
      const from = start + blocks.length;
      const piece = await this.#piece({ start: from, end }, signal);
      const inOrder = piece.blocks.filter(({ number }) => number >= from && number < piece.end);
      blocks.push(...inOrder);
      if (inOrder.length < piece.end - from) break;
    }
    return blocks;
  }

  async #piece({ start, end }: HeightRange, signal: AbortSignal | undefined) {
    const { clock, random, deadlineMs } = this.#source;
    const deadline = clock.now() + deadlineMs;
    for (let failures = 1; ; failures++) {
      const size = Math.min(end - start, this.#size);
      const range = { start, end: start + size };
      try {
        const blocks = await this.#source.read(range, size > 1, signal);
        if (size === this.#size) this.#size = Math.min(MAX_BLOCKS, 2 * size);
        return { blocks, end: range.end };
      } catch (error) {
        if (!isChainError(error) || size === 1 || !isTooMuch(error) || clock.now() >= deadline) throw error;
        this.#size = Math.floor(size / 2);
        await clock.sleep(backoff(failures, random()), signal);
      }
    }
  }
}

/** A timeout, an answer that is cut, or a failure of the gateway itself. */
function isTooMuch(error: AnyChainError): boolean {
  switch (error.code) {
    case "GATEWAY_UNREACHABLE":
    case "GATEWAY_SILENT":
      return isSilence(error);
    case "GATEWAY_HTTP_STATUS":
      return error.details.status >= 500;
    default:
      return error.code === "GATEWAY_ANSWER_MALFORMED";
  }
}
