import type { Trace, TraceFrame } from "@finality/tron/traces";
import { OPCODE } from "./frame-run.ts";
import type { CodeFlow, LineSource, LineSources } from "./line-sources.ts";

/** States of an internal call. */
const OWN = 0;
const SEVERAL = 1;
const FAILING = 2;

/**
 * Marks the instructions (with 1) of merged code whose line did not run. An optimizer merges equal code and gives it the
 * line of one statement. Such a line counts only if other code of its function ran; for code that reverts, of the line.
 */
export function sharedSteps(trace: Trace, { sourceOf, flowOf }: LineSources): Uint8Array {
  const { steps, frames } = trace;
  const count = steps?.pc.length ?? 0;
  const shared = new Uint8Array(count);
  const walks = frames.map((): Walk => ({ callers: [], state: OWN, jump: "-", opcode: -1 }));
  const reached = new ReachedLines();
  const sources = new InstructionCache(sourceOf);
  const flows = new InstructionCache(flowOf);
  for (let step = 0; steps !== undefined && step < count; step += 1) {
    const index = steps.frame[step] ?? 0;
    const frame = frames[index];
    const walk = walks[index];
    if (frame === undefined || walk === undefined) continue;
    const pc = steps.pc[step] ?? 0;
    const opcode = steps.opcode[step] ?? 0;
    const isFlow = opcode === OPCODE.jumpTarget || opcode === OPCODE.jump;
    const flow = isFlow ? flows.get(frame, pc) : undefined;
    enter(walk, opcode, flow);
    shared[step] = walk.state;
    if (walk.state === OWN) reached.add(sources.get(frame, pc));
    leave(walk, opcode, flow);
  }
  for (let step = 0; steps !== undefined && step < count; step += 1) {
    const state = shared[step] ?? OWN;
    const frame = frames[steps.frame[step] ?? 0];
    if (state === OWN || frame === undefined) continue;
    const pc = steps.pc[step] ?? 0;
    const source = sources.get(frame, pc);
    shared[step] = source === undefined || reached.has(source, state) ? 0 : 1;
  }
  return shared;
}

/** Position of a frame: states of the internal calls around it, its own one, and its last instruction. */
interface Walk {
  readonly callers: number[];
  state: number;
  jump: CodeFlow["jump"];
  opcode: number;
}

/** Sets the state of the block that an instruction begins. Straight code keeps that of the code before it. */
function enter(walk: Walk, opcode: number, flow: CodeFlow | undefined): void {
  if (walk.opcode === OPCODE.jumpIf) walk.state = OWN;
  if (opcode !== OPCODE.jumpTarget || flow === undefined || flow.entries === "one") return;
  // The entry of a function has several callers.
  if (walk.jump !== "i") walk.state = flow.entries === "failing" ? FAILING : Math.max(walk.state, SEVERAL);
}

function leave(walk: Walk, opcode: number, flow: CodeFlow | undefined): void {
  walk.opcode = opcode;
  walk.jump = opcode === OPCODE.jump ? (flow?.jump ?? "-") : "-";
  if (walk.jump === "i") {
    walk.callers.push(walk.state);
    walk.state = OWN;
  } else if (walk.jump === "o") walk.state = walk.callers.pop() ?? OWN;
}

/** Lines and functions with code that no optimizer merged. */
class ReachedLines {
  readonly #sources = new Set<LineSource>();
  readonly #lines = new Set<string>();
  readonly #functions = new Set<string>();

  add(source: LineSource | undefined): void {
    if (source === undefined || this.#sources.has(source)) return;
    this.#sources.add(source);
    this.#lines.add(lineKey(source));
    if (source.functionName !== undefined) this.#functions.add(functionKey(source));
  }

  has(source: LineSource, state: number): boolean {
    if (this.#lines.has(lineKey(source))) return true;
    return state !== FAILING && source.functionName !== undefined && this.#functions.has(functionKey(source));
  }
}

function lineKey({ file, line }: LineSource): string {
  return `${file}:${line}`;
}

function functionKey({ file, functionName }: LineSource): string {
  return `${file} ${functionName}`;
}

/** Values by code and program counter, each read once. */
class InstructionCache<Value> {
  readonly #read: (frame: TraceFrame, pc: number) => Value | undefined;
  readonly #values: (Value | null)[][] = [];

  constructor(read: (frame: TraceFrame, pc: number) => Value | undefined) {
    this.#read = read;
  }

  get(frame: TraceFrame, pc: number): Value | undefined {
    const { code = -1 } = frame;
    const known = this.#values[code + 1] ?? [];
    this.#values[code + 1] = known;
    const found = known[pc];
    if (found !== undefined) return found ?? undefined;
    const value = this.#read(frame, pc);
    known[pc] = value ?? null;
    return value;
  }
}
