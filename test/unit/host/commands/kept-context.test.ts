import assert from "node:assert/strict";
import { loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/commands/kept-context.ts");

describe("a context key that is kept", () => {
  it("is what it was the last time, until somebody knows better, and nothing of another form", async () => {
    const { KeptContext } = await loadWithEditor<Parts>("src/host/commands/kept-context.ts");
    const state = memento();

    const first = new KeptContext<string>(state, "finality.listed", "");
    first.set("+moving");
    assert.equal(state.get("finality.listed"), "+moving");

    first.set("");
    assert.equal(state.get("finality.listed"), undefined);
    await state.update("finality.listed", 7);
    new KeptContext<string>(state, "finality.listed", "").set("");
    assert.equal(state.get("finality.listed"), 7, "what cannot be read is nothing, and nothing is not written");
  });
});
