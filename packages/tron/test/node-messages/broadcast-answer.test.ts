import assert from "node:assert/strict";
import { readBroadcastAnswer } from "../../src/node-messages/answers.ts";

const TX_ID = "ab".repeat(32);
const kind = (answer: Parameters<typeof readBroadcastAnswer>[0]): string => readBroadcastAnswer(answer).kind;

describe("readBroadcastAnswer", () => {
  it("G8: returns accepted for result true only", () => {
    assert.equal(kind({ result: true }), "accepted");
    assert.equal(kind({ result: true, code: "SUCCESS", txid: TX_ID }), "accepted");
    assert.equal(kind({ result: true, code: "SIGERROR" }), "contradiction");
    assert.equal(kind({ result: true, code: 1, txid: TX_ID }), "contradiction");
  });

  it("G7: returns no-success for a missing or false result without a code, with its message decoded", () => {
    for (const answer of [
      {},
      { result: false },
      { result: "true" },
      { code: "" },
      { code: "SUCCESS" },
      { txid: TX_ID },
    ]) {
      assert.deepEqual(readBroadcastAnswer({ ...answer, message: "6e6f" }), { kind: "no-success", message: "no" });
    }
  });

  it("reads a numeric code only beside a txID", () => {
    assert.deepEqual(readBroadcastAnswer({ code: 1, txid: TX_ID }), {
      kind: "rejected",
      code: "SIGERROR",
      message: "",
    });
    assert.equal(kind({ code: 1, result: false }), "unknown");
    assert.equal(kind({ code: 77, txid: TX_ID }), "unknown");
  });

  it("distinguishes the node's exceptions from messages of the gateway", () => {
    assert.equal(kind({ Error: "class java.lang.NullPointerException : null" }), "rejected");
    assert.equal(kind({ Error: "class java.lang.OutOfMemoryError : Java heap space" }), "unknown");
    assert.equal(kind({ Error: "no" }), "turned-away");
    assert.equal(kind({ Error: "request too quickly" }), "http");
    assert.equal(kind({ code: 403, message: "Forbidden" }), "http");
  });
});
