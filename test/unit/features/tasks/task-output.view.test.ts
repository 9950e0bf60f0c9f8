import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { FileEstimate } from "../../../../packages/client/src/labels/file-estimate.ts";
import {
  estimateExitCode,
  estimateText,
  stateExitCode,
  stateText,
} from "../../../../src/features/tasks/task-output.view.ts";
import type { TransactionState } from "../../../../src/public/api.ts";

function call(result: Partial<FileEstimate>): FileEstimate {
  return {
    ...{ file: "calls/leaf.finality.jsonc", line: 12, column: 5, name: "Leaf.transfer(Bob, 1)" },
    ...{ kind: "estimated", energy: undefined, before: undefined, text: "", problems: [] },
    ...result,
  };
}

const fails = call({ kind: "fails", text: "reverts", problems: ["OnlyOwner(Bob).\nAsk Alice."] });
const unavailable = call({ kind: "unavailable", text: "not available" });
const over = call({ energy: 103, before: 100 });

describe("estimateText", () => {
  const { pattern } = JSON.parse(readFileSync("package.json", "utf8")).contributes.problemMatchers[0];

  it("has a form that the problem matcher reads, in one line", () => {
    const [, file, line, column, severity, message] = new RegExp(pattern.regexp).exec(estimateText(fails, 0)) ?? [];

    assert.deepEqual([file, line, column, severity], ["calls/leaf.finality.jsonc", "12", "5", "error"]);
    assert.equal(message, "Leaf.transfer(Bob, 1): reverts. OnlyOwner(Bob). Ask Alice.");
  });

  it("is an error above the tolerance only", () => {
    const severityOf = (energy: number, before: number | undefined, tolerance: number) =>
      new RegExp(pattern.regexp).exec(estimateText(call({ energy, before }), tolerance))?.[pattern.severity];

    assert.equal(severityOf(102, 100, 2), "info");
    assert.equal(severityOf(103, 100, 2), "error");
    assert.equal(severityOf(99, 100, 0), "info");
    assert.equal(severityOf(103, undefined, 0), "info");
    assert.match(estimateText(over, 0), /103 energy, 100 in the snapshot$/);
  });
});

describe("estimateExitCode", () => {
  it("reports over budget before failing and unavailable calls", () => {
    assert.equal(estimateExitCode([unavailable, fails, over], 0), 5);
    assert.equal(estimateExitCode([unavailable, fails, over], 3), 1);
    assert.equal(estimateExitCode([unavailable, over], 3), 3);
    assert.equal(estimateExitCode([over], 3), 0);
    assert.equal(estimateExitCode([], 0), 0);
  });
});

describe("states of a transaction", () => {
  const block = { number: 12_345, timestamp: 0 };
  const states: readonly (readonly [TransactionState, RegExp, number | undefined])[] = [
    [{ kind: "signed" }, /not sent/, undefined],
    [{ kind: "unknown", reason: "timeout" }, /outcome unknown: timeout/, undefined],
    [{ kind: "pending" }, /^pending$/, undefined],
    [{ kind: "included", block, outcome: { kind: "success" } }, /12,345, not final/, undefined],
    [{ kind: "solidified", block, outcome: { kind: "success" } }, /^final: success, block 12,345$/, 0],
    [
      { kind: "solidified", block, outcome: { kind: "failed", result: "REVERT", message: "m", reason: "OnlyOwner()" } },
      /^final: failed, block 12,345: OnlyOwner\(\)$/,
      1,
    ],
    [{ kind: "rejected", code: "SIGERROR", message: "m", retry: "no" }, /SIGERROR/, 1],
    [{ kind: "proven-absent", from: 1, to: 20 }, /1 to 20/, 1],
    [{ kind: "replaced", by: "7f" }, /replaced by 7f/, 1],
  ];
  for (const [state, text, code] of states)
    it(`${state.kind} has ${code === undefined ? "no exit code" : `exit code ${code}`}`, () => {
      assert.match(stateText(state), text);
      assert.equal(stateExitCode(state), code);
    });
});
