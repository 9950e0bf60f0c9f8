import type { Frame } from "./frame.ts";

/** What an operation does to its frame. */
export type Instruction = (frame: Frame) => void;

/** What an operation costs, in energy: always the same, or by what lies on the stack. */
export type Price = number | ((frame: Frame, name: string) => number);

/** One opcode. */
export interface Operation {
  readonly name: string;
  /** Words that it takes from the stack and puts there. */
  readonly takes: number;
  readonly gives: number;
  readonly price: Price;
  readonly run: Instruction;
  /** How much of the CPU limit it takes; 1 unless given. */
  readonly steps?: number;
  /** It passes energy on: what it passes on is not its own use. */
  readonly calls?: boolean;
}

/** By opcode; what is absent is an illegal operation. */
export type Operations = readonly (Operation | undefined)[];
