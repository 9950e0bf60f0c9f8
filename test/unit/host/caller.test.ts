import assert from "node:assert/strict";
import { calledByProgram, markRows, mayBeProgram, ownClick, passOn, runFor } from "../../../src/host/caller.ts";

/** Returns the caller that a running command sees. */
const callerOf = (raw: unknown) => runFor(raw, () => [calledByProgram(), mayBeProgram()]);

describe("command caller", () => {
  it("A7: is the user without an argument or with an own button", () => {
    for (const raw of [undefined, null, ownClick({ txId: "ab" })]) assert.deepEqual(callerOf(raw), [false, false]);
  });

  it("A7: may be a program for a tree item, which JSON can name", () => {
    const [row] = markRows([{ kind: "transaction", txId: "ab" }]);

    assert.deepEqual(callerOf(row), [false, true]);
  });

  it("A7: is a program for any other argument", () => {
    const click = ownClick({ kind: "timeline", txId: "ab" });
    for (const raw of [{}, { kind: "transaction", txId: "ab" }, { ...click }, structuredClone(click), "ab", 1, []])
      assert.deepEqual(callerOf(raw), [true, true], JSON.stringify(raw));
  });

  it("is kept across awaits and concurrent commands", async () => {
    const seen = await Promise.all(
      [{}, undefined].map((raw) =>
        runFor(raw, async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return calledByProgram();
        }),
      ),
    );

    assert.deepEqual(seen, [true, false]);
  });

  it("is passed to nested commands", () => {
    const inner = (raw: unknown) => runFor(raw, () => runFor(passOn({ label: "a" }), calledByProgram));

    assert.deepEqual([inner({}), inner(undefined)], [true, false]);
  });
});
