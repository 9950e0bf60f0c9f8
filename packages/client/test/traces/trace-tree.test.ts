import assert from "node:assert/strict";
import { createAbiIndex } from "@finality/tron/abi";
import { type Address, hex, parseAddress } from "@finality/tron/primitives";
import type { Trace, TraceFrame } from "@finality/tron/traces";
import { energyTotals, flameTree, placeFlame } from "../../src/traces/flame.ts";
import type { SourceOf } from "../../src/traces/line-sources.ts";
import { traceLines, treeText } from "../../src/traces/trace-report.ts";
import { failingFrames, passesFilter, traceTree } from "../../src/traces/trace-tree.ts";
import { failureText, type TraceNames, traceLabel } from "../../src/traces/trace-tree-labels.ts";

const VAULT = parseAddress(`41${"aa".repeat(20)}`);
const LEAF = parseAddress(`41${"bb".repeat(20)}`);
const ALICE = parseAddress(`41${"cc".repeat(20)}`);
const WORD = "00".repeat(32);
const word = (value: string) => hex(value.padStart(64, "0"));

function frame(fields: Partial<TraceFrame>): TraceFrame {
  return {
    ...{ kind: "call", outcome: "returned", isPrecompile: false, depth: 0, start: 0, end: 1, code: 0 },
    ...{ from: ALICE, to: VAULT, codeAddress: VAULT, value: 0n, input: hex(""), output: hex("") },
    ...{ energyGiven: 1_000, energyUsed: 100, stipend: 0, energyOwn: 100, penalty: 0 },
    ...{ energyForCode: 0, energyLost: 0, instructions: 4 },
    ...fields,
  };
}

function trace(fields: Partial<Trace>): Trace {
  return {
    ...{ version: 1, kind: "transaction", blockNumber: 1, blockTime: 0, feeLimit: 0n, energyPrice: 100n },
    ...{ result: "SUCCESS", message: "", energy: 100, penalty: 0, instructions: 4, differences: [] },
    ...{ logs: [], writes: [], internals: [], codes: [], accounts: [], slots: [], opcodes: {}, truncated: [] },
    frames: [frame({})],
    ...fields,
  };
}

const NAMED: { readonly [address: string]: string } = { [VAULT]: "Vault", [LEAF]: "Leaf", [ALICE]: "Alice" };
const names: TraceNames = {
  nameOf: (address: Address) => NAMED[address],
  abiOf: () => createAbiIndex([]),
  contractNameOf: () => undefined,
  variableOf: () => undefined,
};
const entry = { frame: 0, pc: 3, step: 1 };
const write = { ...entry, address: VAULT, isTransient: false, slot: word("5"), before: hex(WORD), after: word("7") };

/** A call of Vault that writes, calls Leaf, writes again, and fails with the data of Leaf. */
const nested = trace({
  energy: 300,
  frames: [
    frame({ outcome: "reverted", output: hex("deadbeef"), end: 6, energyUsed: 300, energyOwn: 200 }),
    frame({
      ...{ parent: 0, depth: 1, start: 2, end: 4, to: LEAF, codeAddress: LEAF, outcome: "reverted", callPc: 9 },
      ...{ output: hex("deadbeef"), callStep: 1, code: 1 },
    }),
  ],
  writes: [
    { ...write, order: 1 },
    { ...write, order: 5, before: word("7") },
  ],
});

describe("traceTree", () => {
  it("lists calls and changes in the order of the run, without writes of the same value", () => {
    const kinds = traceTree(nested).map(({ kind, depth, end }) => [kind, depth, end]);

    assert.deepEqual(kinds, [
      ["frame", 0, 3],
      ["write", 1, 2],
      ["frame", 1, 3],
    ]);
  });

  it("numbers the rows below a call", () => {
    const places = traceTree(nested).map(({ position, siblings, parent }) => [position, siblings, parent]);

    assert.deepEqual(places, [
      [0, 1, undefined],
      [0, 2, 0],
      [1, 2, 0],
    ]);
  });

  it("lists 5,000 nested calls", () => {
    const frames = Array.from({ length: 5_000 }, (_, depth) =>
      frame({ depth, start: depth, end: 10_000 - depth, ...(depth > 0 && { parent: depth - 1 }) }),
    );

    assert.equal(traceTree(trace({ frames })).at(-1)?.depth, 4_999);
  });

  it("keeps failed calls, storage and transfers by filter", () => {
    const kept = (filter: Parameters<typeof passesFilter>[2]): number =>
      traceTree(nested).filter((it) => passesFilter(nested, it, filter)).length;

    assert.deepEqual(
      [kept("all"), kept("failed"), kept("storage"), kept("events"), kept("transfers")],
      [3, 2, 1, 0, 0],
    );
  });
});

describe("failingFrames", () => {
  it("follows the data of a revert to the call that reverted first", () => {
    assert.deepEqual(failingFrames(nested), [0, 1]);
  });

  it("ends at a call that failed with data of its own", () => {
    const own = { ...nested, frames: nested.frames.map((it, at) => (at === 0 ? { ...it, output: hex("00") } : it)) };

    assert.deepEqual(failingFrames(own), [0]);
  });

  it("is empty for a run that did not fail", () => {
    assert.deepEqual(failingFrames(trace({})), []);
  });
});

describe("traceLabel", () => {
  it("names contracts, and shows call data without a known function as hex", () => {
    const [root] = traceTree(nested);
    assert.ok(root);

    assert.equal(traceLabel(nested, root, names).title, "Vault.receive()");
  });

  it("shows a slot without a known variable with its values", () => {
    const [, changed] = traceTree(nested);
    assert.ok(changed);

    assert.deepEqual(traceLabel(nested, changed, names), { title: "slot 0x5", result: "0 → 7" });
  });

  it("shows the result of the node for a forced end", () => {
    const halted = frame({ outcome: "halted", result: "OUT_OF_ENERGY", reason: "Not enough energy" });

    assert.equal(failureText(halted, names), "OUT_OF_ENERGY: Not enough energy");
  });

  it("shows sent coins, but not the repeated value of a delegate call", () => {
    const sends = trace({ frames: [frame({ value: 1_000_000n })] });
    const delegates = trace({ frames: [frame({ kind: "delegate", value: 1_000_000n })] });
    const titleOf = (it: Trace): string => traceTree(it).map((node) => traceLabel(it, node, names).title)[0] ?? "";

    assert.match(titleOf(sends), /\{1 coin\}$/);
    assert.equal(titleOf(delegates), "delegatecall Vault.receive()");
  });
});

describe("flameTree", () => {
  const nameOf = ({ codeAddress }: TraceFrame): string => NAMED[codeAddress] ?? "";
  const noSource = { by: "function", nameOf, sourceOf: () => undefined, flowOf: () => undefined } as const;

  it("has the energy of all calls", () => {
    const root = flameTree(nested, noSource);
    assert.ok(root);

    assert.deepEqual([root.total, root.own, root.children.get("call Leaf")?.total], [300, 200, 100]);
  });

  it("attributes instructions to internal functions and their calls", () => {
    const steps = {
      pc: Uint32Array.of(0, 9, 0, 20),
      opcode: new Uint8Array(4),
      frame: Uint32Array.of(0, 0, 1, 0),
      cost: Uint32Array.of(50, 100, 100, 50),
    };
    const sourceOf: SourceOf = (it, pc) =>
      it.codeAddress === VAULT
        ? {
            file: "Vault.sol",
            line: pc + 1,
            functionName: pc === 9 ? "Vault._pay" : "Vault.run",
            jump: JUMPS[pc] ?? "-",
          }
        : undefined;
    const JUMPS: { readonly [pc: number]: "i" | "o" } = { 0: "i", 9: "o" };
    const withSteps = { ...nested, steps };

    const root = flameTree(withSteps, { by: "function", nameOf, sourceOf, flowOf: () => undefined });
    const inner = root?.children.get("function Vault._pay");
    const lines = flameTree(withSteps, { by: "line", nameOf, sourceOf, flowOf: () => undefined });

    assert.equal(root?.total, 300);
    assert.deepEqual([inner?.own, inner?.total, inner?.children.get("call Leaf")?.total], [100, 200, 100]);
    assert.equal(lines?.total, 300);
    assert.deepEqual(
      energyTotals(lines ?? assert.fail()).map(({ name, own }) => [name, own]),
      [
        ["Vault.sol:10", 100],
        ["Leaf", 100],
        ["Vault.sol:1", 50],
        ["Vault.sol:21", 50],
      ],
    );
  });

  it("places boxes side by side, and leaves out narrow ones", () => {
    const root = flameTree(nested, noSource);
    assert.ok(root);

    assert.deepEqual(
      placeFlame(root, 0.01, 10).map(({ depth, left, width }) => [depth, left, width]),
      [
        [0, 0, 1],
        [1, 0, 1 / 3],
      ],
    );
    assert.equal(placeFlame(root, 0.5, 10).length, 1);
  });
});

describe("treeText", () => {
  it("indents calls and shows energy, results and failures", () => {
    const lines = treeText(
      traceLines(nested, names, () => undefined),
      nested.energy,
    ).split("\n");

    assert.equal(lines.length, 3);
    assert.match(lines[0] ?? "", /^\[300 100\.0 %\] Vault\.receive\(\) ✗ /);
    assert.equal(lines[1], "  storage slot 0x5 · 0 → 7");
    assert.match(lines[2] ?? "", /^ {2}\[100 33\.3 %\] Leaf\.receive\(\) ✗ /);
  });
});
