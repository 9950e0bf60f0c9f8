import assert from "node:assert/strict";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/prompts/quick-input.ts");
const { quickPickMany } = await loadWithEditor<Parts>("src/host/prompts/quick-input.ts");

describe("a list of check marks", () => {
  const rows = [{ label: "late", picked: true }, { label: "lost" }, { label: "twice", picked: true }];
  const words = { title: "Faults", placeholder: "What should go wrong?" };

  beforeEach(() => editor.reset());

  it("stays as it is for an Enter that is quicker than it is drawn", async () => {
    editor.entersLists = true;

    assert.deepEqual(await quickPickMany(rows, words), [rows[0], rows[2]]);
  });

  it("is nothing when it is left", async () => {
    assert.equal(await quickPickMany(rows, words), undefined);
  });
});
