import assert from "node:assert/strict";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../../src/host/prompts/quick-input.ts");
const { quickPickMany } = await loadWithEditor<TestedModule>("src/host/prompts/quick-input.ts");

describe("quickPickMany", () => {
  const rows = [{ label: "late", picked: true }, { label: "lost" }, { label: "twice", picked: true }];
  const words = { title: "Faults", placeholder: "What should go wrong?" };

  beforeEach(() => editor.reset());

  it("returns the initial selection for an immediate Enter", async () => {
    editor.entersLists = true;

    assert.deepEqual(await quickPickMany(rows, words), [rows[0], rows[2]]);
  });

  it("returns undefined when the user cancels", async () => {
    assert.equal(await quickPickMany(rows, words), undefined);
  });
});
