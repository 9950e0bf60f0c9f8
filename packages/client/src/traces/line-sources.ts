import type { TraceFrame } from "@finality/tron/traces";

/** Source of an instruction. */
export interface LineSource {
  /** Path of the file, and the line from 1. */
  readonly file: string;
  readonly line: number;
  /** Name of the function, such as `Leaf._move`; undefined outside of functions. */
  readonly functionName: string | undefined;
  /** `i` enters a function, `o` leaves one. */
  readonly jump: "i" | "o" | "-";
}

/** Control flow of a jump or of the beginning of a block. */
export interface CodeFlow {
  /** Use of a jump, as the compiler notes it. */
  readonly jump: LineSource["jump"];
  /** `several`: the block has several entries, so an optimizer may have merged it. `failing`: it also reverts. */
  readonly entries: "one" | "several" | "failing";
}

/** Returns the source of an instruction of a frame; undefined if it is not known. */
export type SourceOf = (frame: TraceFrame, pc: number) => LineSource | undefined;

/** Sources of the code of a trace, by instruction. */
export interface LineSources {
  readonly sourceOf: SourceOf;
  /** Returns the control flow of an instruction; undefined if it is not known. */
  flowOf(frame: TraceFrame, pc: number): CodeFlow | undefined;
}
