import assert from "node:assert/strict";
import { ChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../../src/host/commands/show-error.ts");

const STACK = /\n|\bat \S+ \(|\.ts:\d+/;

describe("showError", () => {
  let showError: TestedModule["showError"];
  const logged: unknown[] = [];
  const nothing = (): void => undefined;
  const log = {
    ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing },
    error: (_message: string, cause?: unknown) => void logged.push(cause),
  };

  before(async () => {
    ({ showError } = await loadWithEditor<TestedModule>("src/host/commands/show-error.ts"));
  });
  beforeEach(() => {
    editor.reset();
    logged.splice(0);
  });

  it("offers the next step and the log", async () => {
    for (const [thrown, ...expected] of [
      [new ChainError("NETWORK_NOT_CHOSEN", { available: 0 }), "Start Local Chain", "Add Network…"],
      [new ChainError("NETWORK_NOT_CHOSEN", { available: 2 }), "Switch Network…", "Start Local Chain"],
      [new ChainError("NETWORK_UNKNOWN", { network: "Shop" }), "Switch Network…"],
      [new ChainError("LOCAL_CHAIN_FAILED", { reason: "EACCES" }), "Try Again"],
      [new Error("out of paper")],
    ] as const) {
      editor.reset();
      await showError(thrown, log);

      assert.deepEqual(editor.asked[0]?.buttons, [...expected, "Show Log"]);
    }
  });

  it("U6: offers the estimate's details, and to decode revert data", async () => {
    const data = "82b42900";
    const place = { kind: "call", uri: "file:///calls.finality.jsonc", offset: "0" };
    const wouldFail = new ChainError("CALL_WOULD_FAIL", { reason: "No.", data });
    const reverted = new ChainError("CALL_REVERTED", { function: "f", contract: "Tea", reason: "No.", data });
    const withoutData = new ChainError("CALL_WOULD_FAIL", { reason: "No." });
    for (const [thrown, argument, ...expected] of [
      [wouldFail, place, "Show Estimate Details", "Decode"],
      [wouldFail, { kind: "row" }, "Decode"],
      [reverted, place, "Decode"],
      [withoutData, undefined],
    ] as const) {
      editor.reset();
      await showError(thrown, log, argument);

      assert.deepEqual(editor.asked[0]?.buttons, [...expected, "Show Log"]);
    }
  });

  it("shows neither stack nor cause", async () => {
    const thrown = new Error("out of paper", { cause: new Error("deep below") });

    await showError(thrown, log);

    const [{ title = "" } = {}] = editor.asked;
    assert.match(title, /out of paper/);
    assert.doesNotMatch(title, STACK);
    assert.doesNotMatch(title, /deep below/);
    assert.deepEqual(logged, [thrown]);
  });
});
