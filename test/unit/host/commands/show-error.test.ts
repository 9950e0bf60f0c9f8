import assert from "node:assert/strict";
import { ChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/commands/show-error.ts");

const STACK = /\n|\bat \S+ \(|\.ts:\d+/;

describe("the message of a failed command", () => {
  let showError: Parts["showError"];
  const logged: unknown[] = [];
  const nothing = (): void => undefined;
  const log = {
    ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing },
    error: (_message: string, cause?: unknown) => void logged.push(cause),
  };

  before(async () => {
    ({ showError } = await loadWithEditor<Parts>("src/host/commands/show-error.ts"));
  });
  beforeEach(() => {
    editor.reset();
    logged.splice(0);
  });

  it("offers what to do next, and the log behind it", async () => {
    for (const [thrown, ...wanted] of [
      [new ChainError("NETWORK_NOT_CHOSEN", { available: 0 }), "Start Local Chain", "Add Network…"],
      [new ChainError("NETWORK_NOT_CHOSEN", { available: 2 }), "Switch Network…", "Start Local Chain"],
      [new ChainError("NETWORK_UNKNOWN", { network: "Shop" }), "Switch Network…"],
      [new Error("out of paper")],
    ] as const) {
      editor.reset();
      await showError(thrown, log);

      assert.deepEqual(editor.asked[0]?.buttons, [...wanted, "Show Log"]);
    }
  });

  it("U6: offers the details of a call that would fail, and to decode what its contract gave", async () => {
    const data = "82b42900";
    const place = { kind: "call", uri: "file:///calls.finality.jsonc", offset: "0" };
    const wouldFail = new ChainError("CALL_WOULD_FAIL", { reason: "No.", data });
    const reverted = new ChainError("CALL_REVERTED", { function: "f", contract: "Tea", reason: "No.", data });
    const withoutData = new ChainError("CALL_WOULD_FAIL", { reason: "No." });
    for (const [thrown, argument, ...wanted] of [
      [wouldFail, place, "Show Estimate Details", "Decode"],
      [wouldFail, { kind: "row" }, "Decode"],
      [reverted, place, "Decode"],
      [withoutData, undefined],
    ] as const) {
      editor.reset();
      await showError(thrown, log, argument);

      assert.deepEqual(editor.asked[0]?.buttons, [...wanted, "Show Log"]);
    }
  });

  it("shows no stack and no cause: those are in the log", async () => {
    const thrown = new Error("out of paper", { cause: new Error("deep below") });

    await showError(thrown, log);

    const [{ title = "" } = {}] = editor.asked;
    assert.match(title, /out of paper/);
    assert.doesNotMatch(title, STACK);
    assert.doesNotMatch(title, /deep below/);
    assert.deepEqual(logged, [thrown]);
  });
});
