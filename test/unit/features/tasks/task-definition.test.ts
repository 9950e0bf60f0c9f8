import assert from "node:assert/strict";
import { readTask } from "../../../../src/features/tasks/task-definition.ts";
import { txId } from "../../../support/tracking/tracked.ts";

const TXID = txId("7");

describe("readTask", () => {
  it("reads each task and its defaults", () => {
    assert.deepEqual(readTask({ type: "finality", task: "chain" }), { task: "chain" });
    assert.deepEqual(readTask({ task: "wait", txId: ` ${TXID}`, network: "Nile" }), {
      task: "wait",
      txId: TXID,
      network: "Nile",
    });
    assert.deepEqual(readTask({ task: "wait", txId: "" }), { task: "wait", txId: undefined, network: undefined });
    assert.deepEqual(readTask({ task: "estimate" }), { task: "estimate", files: undefined, tolerance: 0 });
    assert.deepEqual(readTask({ task: "estimate", files: "calls/*", tolerance: 3 }), {
      task: "estimate",
      files: "calls/*",
      tolerance: 3,
    });
  });

  for (const [definition, reason] of [
    [{ task: "send" }, /kind is not a known kind/],
    [{}, /kind/],
    [{ task: "wait", txId: "7f3a" }, /7f3a is not a txID/],
    [{ task: "estimate", tolerance: -1 }, /from 0 to 10000/],
    [{ task: "estimate", tolerance: 10_001 }, /from 0 to 10000/],
    [{ task: "estimate", tolerance: "3" }, /tolerance is not a whole number/],
    [{ task: "estimate", files: 1 }, /files is not text/],
  ] as const)
    it(`refuses ${JSON.stringify(definition)}`, () => {
      assert.throws(() => readTask(definition), { code: "COMMAND_ARGUMENT_MALFORMED", message: reason });
    });
});
