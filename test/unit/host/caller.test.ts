import assert from "node:assert/strict";
import { calledByProgram, markRows, mayBeProgram, ownClick, passOn, runFor } from "../../../src/host/caller.ts";

/** Caller as the running command sees it. */
const known = (raw: unknown) => runFor(raw, () => [calledByProgram(), mayBeProgram()]);

describe("the caller of a command", () => {
  it("A7: is a person where nothing was passed, or an argument of a button of this extension", () => {
    for (const raw of [undefined, null, ownClick({ txId: "ab" })]) assert.deepEqual(known(raw), [false, false]);
  });

  it("A7: is no proven person where an element of a tree was passed, which JSON with its handle names too", () => {
    const [row] = markRows([{ kind: "transaction", txId: "ab" }]);

    assert.deepEqual(known(row), [false, true]);
  });

  it("A7: is a program for any other argument, whatever fields it has", () => {
    const click = ownClick({ kind: "life-line", txId: "ab" });
    for (const raw of [{}, { kind: "transaction", txId: "ab" }, { ...click }, structuredClone(click), "ab", 1, []])
      assert.deepEqual(known(raw), [true, true], JSON.stringify(raw));
  });

  it("stays the same for whatever a command waits for, also beside other commands", async () => {
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

  it("is handed on to a command that a command runs", () => {
    const inner = (raw: unknown) => runFor(raw, () => runFor(passOn({ label: "a" }), calledByProgram));

    assert.deepEqual([inner({}), inner(undefined)], [true, false]);
  });
});
