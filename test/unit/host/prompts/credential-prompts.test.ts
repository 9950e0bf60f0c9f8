import assert from "node:assert/strict";
import { editor, env, loadWithEditor, UIKind } from "../../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../../src/host/prompts/credential-prompts.ts");

describe("chooseKeyStorage", () => {
  let ask: TestedModule["chooseKeyStorage"];

  before(async () => {
    ({ chooseKeyStorage: ask } = await loadWithEditor<TestedModule>("src/host/prompts/credential-prompts.ts"));
  });

  beforeEach(() => editor.reset());
  afterEach(() => {
    env.uiKind = UIKind.Desktop;
  });

  it("offers only this session when the storage is missing", async () => {
    editor.answer = "Keep for This Session";

    assert.equal(await ask({ kind: "missing", reason: "the keyring is locked" }), "session");
    assert.match(editor.asked[0]?.title ?? "", /the keyring is locked/);
    assert.deepEqual(editor.asked[0]?.buttons, ["Keep for This Session", "Help"]);
  });

  it("offers this session first when the storage lost data", async () => {
    editor.answer = "Store Anyway";

    assert.equal(await ask({ kind: "forgot" }), "store");
    assert.deepEqual(editor.asked[0]?.buttons, ["Keep for This Session", "Store Anyway", "Help"]);
  });

  it("asks once in a browser with an unproven storage", async () => {
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

  it("returns undefined when the user cancels", async () => {
    for (const kind of ["forgot", "missing"] as const) assert.equal(await ask({ kind, reason: "locked" }), undefined);
  });
});
