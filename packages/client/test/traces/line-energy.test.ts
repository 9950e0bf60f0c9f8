import assert from "node:assert/strict";
import { hex, parseAddress } from "@finality/tron/primitives";
import type { Trace, TraceFrame } from "@finality/tron/traces";
import { compareLines, energyProfile } from "../../src/traces/line-energy.ts";
import type { LineSources, SourceOf } from "../../src/traces/line-sources.ts";

const VAULT = parseAddress(`41${"aa".repeat(20)}`);

function frame(fields: Partial<TraceFrame>): TraceFrame {
  return {
    ...{ kind: "call", outcome: "returned", isPrecompile: false, depth: 0, start: 0, end: 1, code: 0 },
    ...{ from: VAULT, to: VAULT, codeAddress: VAULT, value: 0n, input: hex(""), output: hex("") },
    ...{ energyGiven: 1_000, energyUsed: 100, stipend: 0, energyOwn: 100, penalty: 0 },
    ...{ energyForCode: 0, energyLost: 0, instructions: 4 },
    ...fields,
  };
}

/** A trace whose instructions have the program counter, the frame and the cost of each triple. */
function trace(energy: number, frames: readonly TraceFrame[], steps: readonly (readonly number[])[]): Trace {
  const column = (at: number): number[] => steps.map((it) => it[at] ?? 0);
  return {
    ...{ version: 1, kind: "transaction", blockNumber: 1, blockTime: 0, feeLimit: 0n, energyPrice: 100n },
    ...{ result: "SUCCESS", message: "", penalty: 0, instructions: steps.length, differences: [] },
    ...{ logs: [], writes: [], internals: [], codes: [], accounts: [], slots: [], opcodes: {}, truncated: [] },
    ...{ energy, frames },
    steps: {
      pc: Uint32Array.from(column(0)),
      opcode: new Uint8Array(steps.length),
      frame: Uint32Array.from(column(1)),
      cost: Uint32Array.from(column(2)),
    },
  };
}

/** Program counters 0 to 9 are on line 10, 10 to 19 on line 11, and so on; those from 90 on have no line. */
const sourceOf: SourceOf = ({ code }, pc) =>
  pc >= 90
    ? undefined
    : {
        ...{ file: "Leaf.sol", line: 10 + Math.floor(pc / 10), jump: "-" },
        functionName: code === 0 ? "Leaf.run" : "Leaf.inner",
      };

const sources: LineSources = { sourceOf, flowOf: () => undefined };

describe("energy per line", () => {
  it("adds up to the energy of the run, and counts how often a line ran", () => {
    const steps = [
      [0, 0, 3],
      [1, 0, 5],
      [10, 0, 7],
      [0, 0, 3],
      [10, 0, 7],
      [95, 0, 2],
    ];
    const { lines, unknown, total, functions } = energyProfile(trace(27, [frame({ energyOwn: 27 })], steps), sources);
    assert.deepEqual(lines, [
      { file: "Leaf.sol", line: 10, energy: 11, count: 2 },
      { file: "Leaf.sol", line: 11, energy: 14, count: 2 },
    ]);
    assert.deepEqual(
      { unknown, total, functions: [...functions] },
      { unknown: 2, total: 27, functions: [["Leaf.run", 25]] },
    );
  });

  it("gives the price of a precompiled contract and the free energy of a call to the line of the caller", () => {
    const frames = [
      frame({ energyUsed: 9_060, energyOwn: 9_000 }),
      frame({ parent: 0, callPc: 10, callStep: 0, isPrecompile: true, energyOwn: 60, energyUsed: 60 }),
      frame({ parent: 0, callPc: 20, callStep: 0, code: 1, energyOwn: 100, energyUsed: 100, stipend: 2_300 }),
    ];
    const steps = [
      [10, 0, 0],
      [20, 0, 9_000],
      [30, 2, 100],
    ];
    const { lines, unknown } = energyProfile(trace(6_860, frames, steps), sources);
    assert.deepEqual(
      lines.map(({ line, energy }) => [line, energy]),
      [
        [11, 60],
        [12, 6_700],
        [13, 100],
      ],
    );
    assert.equal(unknown, 0);
  });

  it("gives the energy that a forced end lost to the line that ended", () => {
    const frames = [frame({ outcome: "halted", energyOwn: 3, energyLost: 97, lastPc: 15 })];
    const { lines } = energyProfile(trace(100, frames, [[0, 0, 3]]), sources);
    assert.deepEqual(
      lines.map(({ line, energy }) => [line, energy]),
      [
        [10, 3],
        [11, 97],
      ],
    );
  });

  it("leaves energy of instructions that were not recorded without a line", () => {
    const { unknown } = energyProfile(trace(100, [frame({})], [[0, 0, 30]]), sources);
    assert.equal(unknown, 70);
  });
});

describe("comparison of lines", () => {
  const run = (text: string, energies: readonly (readonly [line: number, energy: number])[]) => ({
    profile: {
      ...{ total: 0, unknown: 0, functions: new Map() },
      lines: energies.map(([line, energy]) => ({ file: "Leaf.sol", line, energy, count: 1 })),
    },
    textOf: () => text,
  });

  it("finds a line that moved, and tells equal lines apart by their order", () => {
    const before = run("a\nb\nb", [
      [1, 5],
      [2, 6],
      [3, 7],
    ]);
    const after = run("new\na\n  b\nb", [
      [1, 1],
      [2, 5],
      [3, 60],
      [4, 70],
    ]);
    assert.deepEqual(
      compareLines(before, after).map(({ after: { line, energy }, before: old }) => [line, energy, old]),
      [
        [1, 1, undefined],
        [2, 5, 5],
        [3, 60, 6],
        [4, 70, 7],
      ],
    );
  });
});
