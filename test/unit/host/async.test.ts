import assert from "node:assert/strict";
import { lazy } from "../../../src/host/async.ts";

describe("lazy", () => {
  function counted() {
    const loads: number[] = [];
    const part = lazy(async () => loads.push(1));
    return { loads, part };
  }

  it("loads nothing before the first call", () => {
    const { loads, part } = counted();

    part.ifLoaded(() => assert.fail("loaded without a call"));

    assert.deepEqual(loads, []);
  });

  it("loads once for all callers", async () => {
    const { loads, part } = counted();

    const both = await Promise.all([part(), part()]);

    assert.deepEqual(both, [1, 1]);
    assert.deepEqual(loads, [1]);
  });

  it("calls ifLoaded when a pending load ends", async () => {
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
