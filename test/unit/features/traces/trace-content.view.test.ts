import assert from "node:assert/strict";
import { createAbiIndex } from "@finality/tron/abi";
import { hex, parseAddress } from "@finality/tron/primitives";
import type { Trace, TraceFrame } from "@finality/tron/traces";
import { TraceContent, type TraceSubject } from "../../../../src/features/traces/trace-content.view.ts";
import { traceJson, traceReport } from "../../../../src/features/traces/trace-report.view.ts";
import type { ToTracePage } from "../../../../src/webview-messages/trace.ts";

const VAULT = parseAddress(`41${"aa".repeat(20)}`);
const word = (value: string) => hex(value.padStart(64, "0"));

function frame(fields: Partial<TraceFrame>): TraceFrame {
  return {
    ...{ kind: "call", outcome: "returned", isPrecompile: false, depth: 0, start: 0, end: 1, code: 0 },
    ...{ from: VAULT, to: VAULT, codeAddress: VAULT, value: 0n, input: hex(""), output: hex("") },
    ...{ energyGiven: 1_000, energyUsed: 100, stipend: 0, energyOwn: 100, penalty: 0 },
    ...{ energyForCode: 0, energyLost: 0, instructions: 4 },
    ...fields,
  };
}

function trace(fields: Partial<Trace>): Trace {
  return {
    ...{ version: 1, kind: "transaction", blockNumber: 7, blockTime: 0, feeLimit: 1_000_000n, energyPrice: 100n },
    ...{ result: "SUCCESS", message: "", energy: 100, penalty: 0, instructions: 4, differences: [] },
    ...{ logs: [], writes: [], internals: [], codes: [], accounts: [], slots: [], opcodes: {}, truncated: [] },
    frames: [frame({})],
    ...fields,
  };
}

function subject(shown: Trace, sites: TraceSubject["sources"]["sites"] = []): TraceSubject {
  return {
    trace: shown,
    txId: undefined,
    network: "Local chain",
    names: {
      nameOf: () => "Vault",
      abiOf: () => createAbiIndex([]),
      contractNameOf: () => undefined,
      variableOf: () => undefined,
    },
    notes: [],
    sources: {
      sourceOf: () => undefined,
      flowOf: () => undefined,
      sites,
      note: undefined,
      textOf: () => "one\ntwo\n\tthree\nfour",
    },
  };
}

/** One call that makes 999 calls, the last of which fails with the data that the first passes on. */
const many = trace({
  frames: Array.from({ length: 1_000 }, (_, at) =>
    frame({
      start: at,
      ...(at === 0 ? { outcome: "reverted", output: hex("00") } : { parent: 0, depth: 1 }),
      ...(at === 999 ? { outcome: "reverted", output: hex("00") } : {}),
    }),
  ),
});

type Rows = Extract<ToTracePage, { kind: "rows" }>;

function rowsOf(content: TraceContent, from = 0, count = 10): Rows {
  const message = content.rows(from, count);
  return message.kind === "rows" ? message : assert.fail();
}

describe("TraceContent", () => {
  it("sends only the requested rows, and selects the failing call", () => {
    const { total, rows, selected } = rowsOf(new TraceContent(subject(many)), 990, 5);

    assert.deepEqual([total, rows.length, rows[0]?.id, selected], [1_000, 5, 990, 999]);
  });

  it("closes and opens calls", () => {
    const content = new TraceContent(subject(many));

    content.open(0, false);
    assert.deepEqual([rowsOf(content).total, rowsOf(content).selected], [1, 0]);
    content.open(0, true);
    assert.equal(rowsOf(content).total, 1_000);
  });

  it("finds rows in closed calls, with the calls above them", () => {
    const content = new TraceContent(subject(many));
    content.open(0, false);

    content.find("", "failed");

    const { total, found } = rowsOf(content);
    assert.deepEqual([total, found], [2, 2]);
    content.find("nothing", "all");
    assert.deepEqual([rowsOf(content).total, rowsOf(content).found], [0, 0]);
    content.find("", "all");
    assert.equal(rowsOf(content).total, 1);
  });

  it("names the share of the fee limit and the source lines of a failure", () => {
    const site = { text: "Vault.pay (Vault.sol:3)", file: "Vault.sol", line: 3 };
    const { rows, failure } = new TraceContent(subject(many, [site])).head();

    assert.equal(rows.find(({ name }) => name === "Energy")?.value, "100 (1.0 % of the fee limit)");
    assert.deepEqual(
      failure?.lines.filter(({ isSite }) => isSite),
      [{ number: 3, text: "    three", isSite: true }],
    );
    assert.deepEqual(failure?.sites, [{ text: site.text, canOpen: true }]);
  });

  it("says what is left out", () => {
    const { notes } = new TraceContent(
      subject(trace({ truncated: [{ part: "frames", left: 12 }], differences: ["energy"] })),
    ).head();

    assert.match(notes.join("\n"), /12 more entries of “frames”[\s\S]*differs from the receipt in: energy/);
  });

  it("shows storage before and after in the details of a call", () => {
    const write = { frame: 0, order: 1, pc: 0, step: 0, address: VAULT, isTransient: false };
    const content = new TraceContent(
      subject(trace({ writes: [{ ...write, slot: word("5"), before: word("0"), after: word("ff") }] })),
    );

    const message = content.details();

    const [table] = message.kind === "details" ? message.details.tables : [];
    assert.deepEqual(
      table?.rows.map((cells) => cells.map(({ text }) => text)),
      [["0x5", "0", "255"]],
    );
  });

  it("reports the tree as Markdown in which names are code, and as JSON with the record", () => {
    const content = new TraceContent(subject(many));
    const json = JSON.parse(traceJson(content.subject)) as { readonly tree: readonly object[]; readonly trace: object };

    assert.match(traceReport(content), /^# Trace of Vault[\s\S]*\n```\n\[100 100\.0 %\] Vault\.receive\(\)/);
    assert.equal(json.tree.length, 1_000);
    assert.ok("frames" in json.trace);
  });
});
