import assert from "node:assert/strict";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { clipboard, loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../../src/host/prompts/clipboard.ts");

describe("copyForAWhile", () => {
  let copyForAWhile: TestedModule["copyForAWhile"];
  let removeCopiedSecret: TestedModule["removeCopiedSecret"];

  before(async () => {
    ({ copyForAWhile, removeCopiedSecret } = await loadWithEditor<TestedModule>("src/host/prompts/clipboard.ts"));
  });

  it("clears the secret after a minute", async () => {
    const clock = new FakeClock();

    await copyForAWhile(clock, "a secret");

    await clock.advance(59_999);
    assert.equal(clipboard.content, "a secret");
    await clock.advance(1);
    assert.equal(clipboard.content, "");
  });

  it("A9: clears the secret when the window closes, unless the clipboard changed", async () => {
    const clock = new FakeClock();
    await copyForAWhile(clock, "a secret");

    await removeCopiedSecret();

    assert.equal(clipboard.content, "");
    await copyForAWhile(clock, "a secret");
    await clipboard.writeText("a recipe");
    await removeCopiedSecret();
    assert.equal(clipboard.content, "a recipe");
  });

  it("keeps a text of another program", async () => {
    const clock = new FakeClock();
    await copyForAWhile(clock, "a secret");
    await clipboard.writeText("a recipe");

    await clock.advance(60_000);

    assert.equal(clipboard.content, "a recipe");
  });
});
