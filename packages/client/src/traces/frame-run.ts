import type { Trace } from "@finality/tron/traces";
import type { CodeSources } from "./code-sources.ts";

/** Executed instructions of one frame, without those of the frames that it called. */
export interface FrameRun {
  readonly count: number;
  /** Program counter of each instruction. */
  readonly counters: Uint32Array;
  readonly opcodes: Uint8Array;
  /** Number of each instruction in the trace. */
  readonly steps: Uint32Array;
}

/** Call of a function inside a frame: the compiler marks its jumps into functions and out of them. */
export interface Activation {
  /** Activation that called it; absent for the code that begins a frame. */
  readonly caller: Activation | undefined;
  /** Jump into the function, as an index of the run; -1 for the code that begins a frame. */
  readonly jump: number;
  /** First instruction of the function. */
  readonly entry: number;
}

/** Returns the instructions of a frame; none if the trace has no instructions, or left some of them out. */
export function frameRun({ steps, frames }: Trace, frame: number): FrameRun | undefined {
  const expected = frames[frame]?.instructions ?? 0;
  if (steps === undefined || expected === 0) return undefined;
  const counters = new Uint32Array(expected);
  const opcodes = new Uint8Array(expected);
  const numbers = new Uint32Array(expected);
  let count = 0;
  for (let step = 0; step < steps.pc.length && count < expected; step += 1) {
    if (steps.frame[step] !== frame) continue;
    counters[count] = steps.pc[step] ?? 0;
    opcodes[count] = steps.opcode[step] ?? 0;
    numbers[count] = step;
    count += 1;
  }
  return count === expected ? { count, counters, opcodes, steps: numbers } : undefined;
}

export const OPCODE = {
  add: 0x01,
  sha3: 0x20,
  callDataSize: 0x36,
  callValue: 0x34,
  returnDataSize: 0x3d,
  returnDataCopy: 0x3e,
  codeSize: 0x3b,
  pop: 0x50,
  jump: 0x56,
  jumpIf: 0x57,
  jumpTarget: 0x5b,
  push0: 0x5f,
  swap16: 0x9f,
  callToken: 0xd0,
  create: 0xf0,
  call: 0xf1,
  callCode: 0xf2,
  delegateCall: 0xf4,
  create2: 0xf5,
  staticCall: 0xfa,
  revert: 0xfd,
  invalid: 0xfe,
} as const;

/** Returns true for instructions that only arrange the stack; their ranges often belong to a later instruction. */
export function arrangesStack(opcode: number): boolean {
  return opcode === OPCODE.pop || opcode === OPCODE.jumpTarget || (opcode >= OPCODE.push0 && opcode <= OPCODE.swap16);
}

/** Returns the activation of each instruction up to `last`. */
export function activationsOf(run: FrameRun, code: CodeSources, last: number): readonly Activation[] {
  const start: Activation = { caller: undefined, jump: -1, entry: 0 };
  const activations: Activation[] = [];
  let current = start;
  for (let index = 0; index <= last; index += 1) {
    activations.push(current);
    if (run.opcodes[index] !== OPCODE.jump) continue;
    const at = code.instructions.indexAt(run.counters[index] ?? 0);
    const { jump } = code.instructions.range(Math.max(at, 0));
    if (jump === "i") current = { caller: current, jump: index, entry: index + 1 };
    else if (jump === "o") current = current.caller ?? start;
  }
  return activations;
}
