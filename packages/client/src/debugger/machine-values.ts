import { opcodeName } from "../traces/disassembly.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { runIndex } from "./values/run-index.ts";

/** State of the virtual machine before an instruction. */
export interface MachineState {
  readonly pc: number;
  /** `SLOAD` */
  readonly opcode: string;
  /** Words as hex, the topmost first. */
  readonly stack: readonly string[];
  /** Bytes. */
  readonly memorySize: number;
}

/** Returns the state of the machine before an instruction. */
export function machineAt({ trace }: RecordedRun, step: number): MachineState {
  const { steps } = trace;
  const index = runIndex(trace);
  const view = index.stack(step);
  const height = view?.height ?? 0;
  return {
    pc: steps?.pc[step] ?? 0,
    opcode: opcodeName(steps?.opcode[step] ?? 0),
    stack: Array.from({ length: height }, (_, at) => `0x${(view?.at(height - 1 - at) ?? 0n).toString(16)}`),
    memorySize: index.memory(steps?.frame[step] ?? 0)?.sizeAt(step) ?? 0,
  };
}

/** Range of bytes. */
export interface MemoryRange {
  readonly offset: number;
  readonly length: number;
}

/** Returns bytes of the memory of a frame before an instruction, as far as the memory goes. */
export function memoryBefore(
  { trace }: RecordedRun,
  frame: number,
  step: number,
  { offset, length }: MemoryRange,
): Uint8Array {
  const memory = runIndex(trace).memory(frame);
  const end = Math.min(offset + length, memory?.sizeAt(step) ?? 0);
  return end <= offset || memory === undefined ? new Uint8Array() : memory.read(step, offset, end - offset);
}
