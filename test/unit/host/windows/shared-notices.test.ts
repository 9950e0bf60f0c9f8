import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/windows/shared-notices.ts");

describe("what windows share about notices", () => {
  let parts: Parts;
  let folder: string;

  before(async () => {
    parts = await loadWithEditor<Parts>("src/host/windows/shared-notices.ts");
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-notices-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** A window: its own state of the editor, and the folder of all. */
  const open = (its = folder) =>
    new parts.SharedNotices({ state: memento(), folder: its, report: (error) => assert.ok(error instanceof Error) });

  it("is which of them a person has had enough of: in windows that are open too, until they are asked for again", async () => {
    const [here, there] = [open(), open()];
    assert.equal(await there.isHidden("failed"), false);

    await here.hide("failed");
    await here.hide("failed");

    assert.deepEqual([await there.isHidden("failed"), await there.isHidden("clock")], [true, false]);
    assert.equal(await there.showAll(), 1);
    assert.deepEqual([await here.isHidden("failed"), await here.showAll()], [false, 0]);
    await here.hide("failed");
    assert.equal(await open().isHidden("failed"), true);
  });

  it("is which window tells what: one of all that ask at once, and the same one when it asks again", async () => {
    const windows = Array.from({ length: 4 }, () => open());

    const said = await Promise.all(windows.map((it) => it.isSaidHere("a failure")));
    const again = await Promise.all(windows.map((it) => it.isSaidHere("a failure")));

    assert.equal(said.filter((it) => it).length, 1);
    assert.deepEqual(again, said);
    assert.equal(await open().isSaidHere("another failure"), true);
  });

  it("is nothing where the folder cannot be used: each window then tells for itself", async () => {
    const nowhere = "/dev/null/nowhere";

    assert.deepEqual([await open(nowhere).isSaidHere("it"), await open(nowhere).isSaidHere("it")], [true, true]);
  });
});
