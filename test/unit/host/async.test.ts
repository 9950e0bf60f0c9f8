import assert from "node:assert/strict";
import { lazy } from "../../../src/host/async.ts";

describe("what is loaded on first use", () => {
  function counted() {
    const loads: number[] = [];
    const part = lazy(async () => loads.push(1));
    return { loads, part };
  }

  it("is not loaded before", () => {
    const { loads, part } = counted();

    part.ifLoaded(() => assert.fail("nobody asked for it"));

    assert.deepEqual(loads, []);
  });

  it("is loaded once, and is the same for all who ask", async () => {
    const { loads, part } = counted();

    const both = await Promise.all([part(), part()]);

    assert.deepEqual(both, [1, 1]);
    assert.deepEqual(loads, [1]);
  });

  it("is let go also when it is still on its way", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const part = lazy(() => promise);
    const asked = part();
    const used: string[] = [];

    part.ifLoaded((it) => used.push(it));
    resolve("loaded");
    await asked;

    assert.deepEqual(used, ["loaded"]);
  });
});
