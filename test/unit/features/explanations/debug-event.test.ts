import assert from "node:assert/strict";
import { printedIn } from "../../../../src/features/explanations/debug-event.ts";

const event = (body: unknown): unknown => ({ seq: 1, type: "event", event: "output", body });

describe("a message of a debug adapter", () => {
  it("tells what the program printed", () => {
    assert.equal(printedIn(event({ category: "stderr", output: "SIGERROR\n" })), "SIGERROR\n");
    assert.equal(printedIn(event({ output: "no category" })), "no category");
  });

  it("tells nothing when it is telemetry, another event, or has another form", () => {
    const others = [
      event({ category: "telemetry", output: "secret" }),
      { type: "event", event: "stopped", body: { output: "x" } },
      event({ output: 5 }),
      event(null),
      { event: "output" },
      "output",
      null,
      undefined,
      [],
    ];

    assert.deepEqual(
      others.map(printedIn),
      others.map(() => ""),
    );
  });
});
