import assert from "node:assert/strict";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/prompts/while-working.ts");

describe("what is read before anything is signed", () => {
  let parts: Parts;

  before(async () => {
    parts = await loadWithEditor<Parts>("src/host/prompts/while-working.ts");
  });

  beforeEach(() => editor.reset());

  it("has no notice when it ends within a moment", async () => {
    const { cancel } = editor;

    assert.equal(await parts.whileWorking("Reading", async () => 7), 7);

    assert.equal(editor.cancel, cancel, "nobody could cancel anything");
  });

  it("fails as the work does", async () => {
    const refused = new Error("the gateway refused");

    await assert.rejects(
      parts.whileWorking("Reading", () => Promise.reject(refused)),
      refused,
    );
  });
});
