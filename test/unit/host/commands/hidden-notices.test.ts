import assert from "node:assert/strict";
import { editor, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/commands/hidden-notices.ts");

describe("notices that a person has had enough of", () => {
  let parts: Parts;

  before(async () => {
    parts = await loadWithEditor<Parts>("src/host/commands/hidden-notices.ts");
  });

  it("stay hidden in every window until they are asked for again", () => {
    const state = memento();
    const hidden = new parts.HiddenNotices(state);
    hidden.hide("failed");
    hidden.hide("failed");

    const elsewhere = new parts.HiddenNotices(state);
    assert.deepEqual([elsewhere.has("failed"), elsewhere.has("clock")], [true, false]);
    assert.equal(elsewhere.showAll(), 1);
    assert.deepEqual([hidden.has("failed"), hidden.showAll()], [false, 0]);
  });

  it("are offered to come again in a window that learns only by looking that another one hid some", () => {
    const state = memento();
    const here = new parts.HiddenNotices(state);
    const elsewhere = new parts.HiddenNotices(state);
    elsewhere.hide("failed");
    editor.contexts = {};

    here.has("failed");
    assert.equal(editor.contexts["finality.hasHiddenNotice"], true);

    elsewhere.showAll();
    here.has("failed");
    assert.equal(editor.contexts["finality.hasHiddenNotice"], false);
  });

  it("are said once where once is enough", () => {
    const state = memento();

    assert.deepEqual(
      [new parts.HiddenNotices(state).isFirst("first-final"), new parts.HiddenNotices(state).isFirst("first-final")],
      [true, false],
    );
  });
});
