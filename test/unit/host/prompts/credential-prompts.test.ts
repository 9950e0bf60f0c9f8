import assert from "node:assert/strict";
import { editor, env, loadWithEditor, UIKind } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/prompts/credential-prompts.ts");

describe("where a new key goes", () => {
  let ask: Parts["chooseKeyStorage"];

  before(async () => {
    ({ chooseKeyStorage: ask } = await loadWithEditor<Parts>("src/host/prompts/credential-prompts.ts"));
  });

  beforeEach(() => editor.reset());
  afterEach(() => {
    env.uiKind = UIKind.Desktop;
  });

  it("is the session alone where the editor stores nothing, after the reason was read", async () => {
    editor.answer = "Keep for This Session";

    assert.equal(await ask({ kind: "missing", reason: "the keyring is locked" }), "session");
    assert.match(editor.asked[0]?.title ?? "", /the keyring is locked/);
    assert.deepEqual(editor.asked[0]?.buttons, ["Keep for This Session", "Help"]);
  });

  it("is asked where the editor has forgotten, and the session comes first", async () => {
    editor.answer = "Store Anyway";

    assert.equal(await ask({ kind: "forgot" }), "store");
    assert.deepEqual(editor.asked[0]?.buttons, ["Keep for This Session", "Store Anyway", "Help"]);
  });

  it("is asked once in a browser whose storage is not proven, and not on a desktop", async () => {
    assert.equal(await ask({ kind: "unproven" }), "store");
    assert.equal(editor.asked.length, 0);
    env.uiKind = UIKind.Web;
    editor.answer = "Keep for This Session";

    assert.equal(await ask({ kind: "unproven" }), "session");
    assert.match(editor.asked[0]?.title ?? "", /may not keep keys/);
    editor.answer = "Store Key";
    for (let time = 0; time < 3; time++) assert.equal(await ask({ kind: "unproven" }), "store");
    assert.equal(editor.asked.length, 2);
  });

  it("is nowhere when the person leaves", async () => {
    for (const kind of ["forgot", "missing"] as const) assert.equal(await ask({ kind, reason: "locked" }), undefined);
  });
});
