import assert from "node:assert/strict";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { clipboard, loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/prompts/clipboard.ts");

describe("a secret on the clipboard", () => {
  let copyForAWhile: Parts["copyForAWhile"];
  let removeCopiedSecret: Parts["removeCopiedSecret"];

  before(async () => {
    ({ copyForAWhile, removeCopiedSecret } = await loadWithEditor<Parts>("src/host/prompts/clipboard.ts"));
  });

  it("is taken away after a minute", async () => {
    const clock = new FakeClock();

    await copyForAWhile(clock, "a secret");

    await clock.advance(59_999);
    assert.equal(clipboard.content, "a secret");
    await clock.advance(1);
    assert.equal(clipboard.content, "");
  });

  it("A9: is removed when the window closes within its minute, unless the clipboard has changed", async () => {
    const clock = new FakeClock();
    await copyForAWhile(clock, "a secret");

    await removeCopiedSecret();

    assert.equal(clipboard.content, "");
    await copyForAWhile(clock, "a secret");
    await clipboard.writeText("a recipe");
    await removeCopiedSecret();
    assert.equal(clipboard.content, "a recipe");
  });

  it("keeps a text that another program put there meanwhile", async () => {
    const clock = new FakeClock();
    await copyForAWhile(clock, "a secret");
    await clipboard.writeText("a recipe");

    await clock.advance(60_000);

    assert.equal(clipboard.content, "a recipe");
  });
});
