import type { Address } from "@finality/tron/primitives";
import type { ChainParameters } from "../chain/parameters.ts";
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

/** Who asks. */
export interface PrecompileCaller {
  readonly frame: Frame;
  readonly caller: Address;
}

/** A contract without code that the machine itself runs. */
export interface Precompile {
  readonly energy: (input: Uint8Array) => number;
  /** @returns undefined when it fails, and all that the call passed on is lost */
  readonly run: (input: Uint8Array, asked: PrecompileCaller) => Uint8Array | undefined;
  /** What it leaves in memory when it fails: nothing unless given. */
  readonly failure?: Uint8Array;
  /** How much of the CPU limit it takes; 1 unless given. */
  readonly steps?: (input: Uint8Array) => number;
  /** Absent when it was always there. */
  readonly when?: (parameters: ChainParameters) => boolean;
}

/** By the whole word that a call names, not only its last 20 bytes. */
export type Precompiles = ReadonlyMap<bigint, Precompile>;
