import type { Block } from "../gateway/gateway.ts";
import type { LookUpContext } from "./look-up.ts";

/** Somebody besides the tracker who reads the solidified blocks of a network. They share what one of them read. */
export interface BlockFollower {
  /** Whether it has something to read for. */
  readonly waiting: boolean;
  /** Whether it asks for every block by itself: then a tracker that reads blocks too costs nothing more. */
  readonly readsEach: boolean;
  /** Whether nobody answered the last time. */
  readonly isUnreached: boolean;
  /** How long until it wants to read; ms. */
  pause(now: number): number;
  /** The local clock was set, or stood still: what was missed is read now. */
  planAgain(now: number): void;
  /** There is a reason to hope: where nobody answered, it is tried now, and from the shortest pause on. */
  resume(now: number): void;
  /** The gateway that asked for a pause is another one now, or answered something else. */
  endPause(now: number): void;
  /** The chain of development may have gone back. */
  startOver(): void;
  /** Takes solidified blocks that somebody else read, in order and linked by parent, before the next round. */
  offer(blocks: readonly Block[]): void;
  /**
   * Reads what is due. What goes wrong is its own to tell: only the reason of the signal is thrown.
   *
   * @param alone - whether nobody else asks for new blocks; else it waits until some are offered
   */
  round(context: LookUpContext, alone: boolean): Promise<void>;
}
