import assert from "node:assert/strict";
import { SerialQueue } from "../src/serial-queue.ts";

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
