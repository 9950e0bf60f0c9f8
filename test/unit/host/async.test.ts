import assert from "node:assert/strict";
import { lazy, SerialQueue } from "../../../src/host/async.ts";

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

describe("SerialQueue", () => {
  it("runs tasks one after another, also after a failed task", async () => {
    const queue = new SerialQueue();
    const events: string[] = [];
    const task = (name: string) => async (): Promise<string> => {
      events.push(`${name} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} ends`);
      if (name === "b") throw new Error(name);
      return name;
    };

    const results = await Promise.allSettled(["a", "b", "c"].map((name) => queue.run(task(name))));

    assert.deepEqual(
      results.map((it) => (it.status === "fulfilled" ? it.value : "failed")),
      ["a", "failed", "c"],
    );
    assert.deepEqual(events, ["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
  });

  it("is idle when all tasks so far have ended", async () => {
    const queue = new SerialQueue();
    let isDone = false;
    void queue.run(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isDone = true;
    });

    await queue.idle();

    assert.equal(isDone, true);
  });
});
