import type { Trace, TraceFrame } from "@finality/tron/traces";
import type { LineSource, LineSources, SourceOf } from "./line-sources.ts";
import { sharedSteps } from "./shared-code.ts";
import { ownEnergy } from "./trace-tree.ts";

/** Energy of a source line in one run. */
export interface LineEnergy {
  /** Path as the compiler names it, and the line from 1. */
  readonly file: string;
  readonly line: number;
  /** Energy of the line itself, without the code that it calls. */
  readonly energy: number;
  /** Number of times that the line ran: that of the instruction that ran most often. */
  readonly count: number;
}

/** Energy of one run by source line and by function. */
export interface EnergyProfile {
  /** Energy of the run. The energy of all lines and `unknown` add up to it. */
  readonly total: number;
  /** Energy of code that no line has: without artifacts, added by the compiler, or merged code of several lines. */
  readonly unknown: number;
  /** Ordered by file and line. */
  readonly lines: readonly LineEnergy[];
  /** Own energy by function, such as `Leaf.transfer`; overloads are one function. */
  readonly functions: ReadonlyMap<string, number>;
}

/** Returns the energy of a run by line. Needs the instructions of the trace; those that it left out are unknown. */
export function energyProfile(trace: Trace, sources: LineSources): EnergyProfile {
  const profile = new ProfileBuilder(trace, sources.sourceOf);
  profile.addSteps(sharedSteps(trace, sources));
  profile.addRest();
  return profile.finish();
}

interface OpenLine {
  readonly source: LineSource;
  energy: number;
  /** Runs of the instruction that ran most often, by code. */
  readonly counts: Map<number, number>;
}

/** Sums of one instruction of a code. */
interface InstructionSums {
  energy: number;
  count: number;
}

class ProfileBuilder {
  readonly #trace: Trace;
  readonly #sourceOf: SourceOf;
  /** Sums of instructions by code and program counter: sources are looked up once for each. */
  readonly #sums = new Map<number, InstructionSums[]>();
  readonly #frames = new Map<number, TraceFrame>();
  readonly #lines = new Map<string, OpenLine>();
  readonly #functions = new Map<string, number>();
  #known = 0;

  constructor(trace: Trace, sourceOf: SourceOf) {
    this.#trace = trace;
    this.#sourceOf = sourceOf;
  }

  /** @param shared - instructions without a line, as `sharedSteps` marks them */
  addSteps(shared: Uint8Array): void {
    const { steps, frames } = this.#trace;
    const codes = frames.map(({ code = -1 }, index) => {
      const frame = frames[index];
      if (frame !== undefined && !this.#frames.has(code)) this.#frames.set(code, frame);
      return code;
    });
    for (let step = 0; steps !== undefined && step < steps.pc.length; step += 1) {
      if (shared[step] === 1) continue;
      const index = steps.frame[step] ?? 0;
      const cost = steps.cost[step] ?? 0;
      const sums = this.#sumsOf(codes[index] ?? -1, steps.pc[step] ?? 0);
      sums.energy += cost;
      sums.count += 1;
    }
    for (const [code, sums] of this.#sums) {
      const frame = this.#frames.get(code);
      for (const [pc, { energy, count }] of sums.entries())
        if (frame !== undefined && count > 0) this.#add(this.#sourceOf(frame, pc), energy, { code, count });
    }
  }

  /**
   * Adds what no instruction has. The line of a call has the price of a precompiled contract, the price of stored code, and
   * less by the energy that the callee gets for free. The last line of a frame has what its forced end lost.
   */
  addRest(): void {
    const { frames } = this.#trace;
    for (const frame of frames) {
      const { energyLost, lastPc, stipend, parent, callPc } = frame;
      const caller = parent === undefined ? undefined : frames[parent];
      const site = caller && callPc !== undefined ? this.#sourceOf(caller, callPc) : undefined;
      const lost = energyLost > 0 && lastPc !== undefined ? energyLost : 0;
      if (lost > 0) this.#add(this.#sourceOf(frame, lastPc ?? 0), lost);
      const ran = frame.isPrecompile ? 0 : frame.energyOwn;
      this.#add(site, ownEnergy(frame) - lost - stipend - ran);
    }
  }

  finish(): EnergyProfile {
    const lines = [...this.#lines.values()].map(({ source: { file, line }, energy, counts }) => ({
      file,
      line,
      energy,
      count: [...counts.values()].reduce((sum, it) => sum + it, 0),
    }));
    lines.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
    const { energy: total } = this.#trace;
    return { total, unknown: total - this.#known, lines, functions: this.#functions };
  }

  #sumsOf(code: number, pc: number): InstructionSums {
    let ofCode = this.#sums.get(code);
    if (ofCode === undefined) {
      ofCode = [];
      this.#sums.set(code, ofCode);
    }
    while (ofCode.length <= pc) ofCode.push({ energy: 0, count: 0 });
    return ofCode[pc] ?? { energy: 0, count: 0 };
  }

  #add(source: LineSource | undefined, energy: number, ran?: { readonly code: number; readonly count: number }): void {
    if (source === undefined) return;
    this.#known += energy;
    const { file, line: number, functionName } = source;
    const key = `${file}:${number}`;
    const line = this.#lines.get(key) ?? { source, energy: 0, counts: new Map<number, number>() };
    this.#lines.set(key, line);
    line.energy += energy;
    if (ran !== undefined) line.counts.set(ran.code, Math.max(line.counts.get(ran.code) ?? 0, ran.count));
    if (functionName !== undefined)
      this.#functions.set(functionName, (this.#functions.get(functionName) ?? 0) + energy);
  }
}

/** Energy of a source line in two runs; undefined before for a line that did not run, or that is another now. */
export interface LineChange {
  readonly after: LineEnergy;
  readonly before: number | undefined;
}

/** Returns the text of a source file; undefined if it is not known. */
export type FileText = (file: string) => string | undefined;

/**
 * Compares the lines of two runs by their text, so that lines which moved between two versions of a file are equal. Equal
 * lines of a file are compared in their order.
 */
export function compareLines(
  before: { readonly profile: EnergyProfile; readonly textOf: FileText },
  after: { readonly profile: EnergyProfile; readonly textOf: FileText },
): readonly LineChange[] {
  const known = new Map(keyedLines(before).map(([key, { energy }]) => [key, energy]));
  return keyedLines(after).map(([key, line]) => ({ after: line, before: known.get(key) }));
}

/** Returns the lines that ran with a key: the text of the line, and its number among equal lines of the file. */
function keyedLines(run: {
  readonly profile: EnergyProfile;
  readonly textOf: FileText;
}): readonly (readonly [string, LineEnergy])[] {
  const orders = new Map<string, readonly string[]>();
  return run.profile.lines.map((line) => {
    const keys = orders.get(line.file) ?? lineKeys(run.textOf(line.file) ?? "");
    orders.set(line.file, keys);
    return [`${line.file}\n${keys[line.line - 1] ?? line.line}`, line] as const;
  });
}

function lineKeys(text: string): readonly string[] {
  const seen = new Map<string, number>();
  return text.split("\n").map((it) => {
    const trimmed = it.trim();
    const order = seen.get(trimmed) ?? 0;
    seen.set(trimmed, order + 1);
    return `${order} ${trimmed}`;
  });
}
