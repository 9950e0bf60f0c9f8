import type { Sender, Step } from "./send-side-by-side.ts";

export type Kind = "coins" | "tokens";

/** A running chain to measure. Its transactions are signed beforehand. */
export interface Contestant extends AsyncDisposable {
  readonly name: string;
  readonly firstAnswerMs: number;
  readonly memory: number;
  readonly cpuMs: number;
  /** Signs so many transfers, shared among all senders. */
  sign(kind: Kind, count: number): readonly Sender[];
  /**
   * Sends them until all are in blocks.
   *
   * @param blockEach - a block for each of them, where a chain does not do so by itself
   * @returns the time that it took, in ms
   */
  send(senders: readonly Sender[], blockEach?: boolean): Promise<number>;
  /** The height of the newest block. */
  height(): Promise<number>;
  /** Returns the receiver's balance of the token or the coin. */
  received(kind: Kind): Promise<bigint>;
}

export const SENDERS = 8;

/** Deals out what is made, one to each sender in turn. */
export function deal(count: number, make: (sender: number) => Step): readonly Sender[] {
  const senders: Step[][] = Array.from({ length: SENDERS }, () => []);
  for (let made = 0; made < count; made += 1) senders[made % SENDERS]?.push(make(made % SENDERS));
  return senders;
}
