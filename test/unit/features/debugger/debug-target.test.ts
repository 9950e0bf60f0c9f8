import assert from "node:assert/strict";
import { callFields, parseTarget } from "../../../../src/features/debugger/debug-target.ts";

const ID = "ab".repeat(32);
const OWNER = `41${"11".repeat(20)}`;

describe("target of a debug configuration", () => {
  it("is a transaction, a call or a call of a file", () => {
    assert.deepEqual(parseTarget({ transaction: ` ${ID} `, network: "Shop" }), {
      kind: "transaction",
      txId: ID,
      network: "Shop",
    });
    assert.deepEqual(parseTarget({ callFile: "calls/leaf.finality.jsonc" }), {
      kind: "file",
      callFile: "calls/leaf.finality.jsonc",
      line: 1,
    });
    const target = parseTarget({ call: { from: OWNER, data: "0xAB", value: 7, tokenId: "1000001", tokenValue: "2" } });
    assert.ok("kind" in target && target.kind === "call");
    assert.deepEqual(target.run, { owner: OWNER, data: "ab", callValue: 7n, tokenId: 1000001n, tokenValue: 2n });
    assert.deepEqual(parseTarget({ call: callFields(target.run) }), target);
  });

  it("is refused with a sentence for any other value", () => {
    const wrong: readonly object[] = [
      {},
      { transaction: ID, call: { from: OWNER } },
      { transaction: "ab" },
      { transaction: 7 },
      { transaction: ID, network: 7 },
      { call: [] },
      { call: { from: "nobody" } },
      { call: { from: OWNER, to: "nobody" } },
      { call: { from: OWNER, data: "0xabc" } },
      { call: { from: OWNER, data: 7 } },
      { call: { from: OWNER, value: -1 } },
      { call: { from: OWNER, value: "1e3" } },
      { call: { from: OWNER, tokenId: 1.5 } },
      { callFile: "" },
      { callFile: 7 },
      { callFile: "a", line: 0 },
    ];
    for (const configuration of wrong) {
      const target = parseTarget(configuration);
      assert.ok("problem" in target && /^.{10,}\.$/.test(target.problem), JSON.stringify(configuration));
    }
  });
});
