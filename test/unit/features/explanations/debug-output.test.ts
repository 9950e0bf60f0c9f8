import assert from "node:assert/strict";
import { loadWithEditor, trackers } from "../../../support/fakes/fake-editor.ts";

type DebugOutputs = typeof import("../../../../src/features/explanations/debug-output.ts");

const printing = (output: string): unknown => ({ type: "event", event: "output", body: { output } });

describe("DebugOutput", () => {
  it("keeps the last output in order until it is disposed", async () => {
    const { DebugOutput } = await loadWithEditor<DebugOutputs>("src/features/explanations/debug-output.ts");
    const output = new DebugOutput();
    const [tracker] = trackers;

    tracker?.onDidSendMessage(printing("one "));
    tracker?.onDidSendMessage({ type: "event", event: "stopped" });
    tracker?.onDidSendMessage(printing("two"));
    assert.equal(output.printed, "one two");

    tracker?.onDidSendMessage(printing(`${"x".repeat(200_000)}end`));
    assert.equal(output.printed.length, 131_072);
    assert.match(output.printed, /xend$/);

    output.dispose();
    assert.deepEqual(trackers, []);
  });
});

const event = (body: unknown): unknown => ({ seq: 1, type: "event", event: "output", body });

describe("printedIn", () => {
  let printedIn: DebugOutputs["printedIn"];

  before(async () => {
    ({ printedIn } = await loadWithEditor<DebugOutputs>("src/features/explanations/debug-output.ts"));
  });

  it("returns the printed text", () => {
    assert.equal(printedIn(event({ category: "stderr", output: "SIGERROR\n" })), "SIGERROR\n");
    assert.equal(printedIn(event({ output: "no category" })), "no category");
  });

  it("is empty for telemetry, other events and malformed messages", () => {
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
      others.map((it) => printedIn(it)),
      others.map(() => ""),
    );
  });
});
