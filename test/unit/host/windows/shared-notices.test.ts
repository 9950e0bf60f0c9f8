import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/windows/shared-notices.ts");

describe("what windows share about notices", () => {
  let parts: Parts;
  let folder: string;
  /** Values of the context key for a hidden notice. */
  let shown: boolean[];

  before(async () => {
    parts = await loadWithEditor<Parts>("src/host/windows/shared-notices.ts");
  });

  beforeEach(async () => {
    shown = [];
    folder = await mkdtemp(join(tmpdir(), "finality-notices-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** A window: its own state of the editor, and the folder of all. */
  function open({ its = folder, isFocused = true, clock = new FakeClock() } = {}) {
    const report = (error: unknown) => assert.ok(error instanceof Error);
    const { sleep } = clock;
    const isAnyHidden = { set: (it: boolean) => void shown.push(it) };
    return new parts.SharedNotices({ isAnyHidden, folder: its, report, isFocused: () => isFocused, sleep });
  }

  it("is which of them a person has had enough of: in windows that are open too, until they are asked for again", async () => {
    const [here, there] = [open(), open()];
    assert.equal(await there.isHidden("failed"), false);

    await here.hide("failed");
    await here.hide("failed");

    assert.deepEqual([await there.isHidden("failed"), await there.isHidden("clock")], [true, false]);
    assert.equal(await there.showAll(), 1);
    assert.deepEqual([await here.isHidden("failed"), await here.showAll()], [false, 0]);
    await here.hide("failed");
    assert.deepEqual([await open().isHidden("failed"), shown.at(-1)], [true, true]);
  });

  it("is which window tells what: one of all that ask at once, and the same one when it asks again", async () => {
    const windows = Array.from({ length: 4 }, () => open());

    const said = await Promise.all(windows.map((it) => it.isSaidHere("a failure")));
    const again = await Promise.all(windows.map((it) => it.isSaidHere("a failure")));

    assert.equal(said.filter((it) => it).length, 1);
    assert.deepEqual(again, said);
    assert.equal(await open().isSaidHere("another failure"), true);
  });

  it("is that the window says it at which the person looks, and any one of them where that is none", async () => {
    const clock = new FakeClock();
    const [one, two] = [open({ clock, isFocused: false }), open({ clock, isFocused: false })];

    const said = [one, open({ clock }), two].map((it) => it.isSaidHere("seen by three"));
    // No time has passed for the others.
    await said[1];
    await clock.runUntil(Promise.all(said));
    const unseen = [one, two].map((it) => it.isSaidHere("seen by nobody"));
    await clock.runUntil(Promise.all(unseen));

    assert.deepEqual(await Promise.all(said), [false, true, false]);
    assert.equal((await Promise.all(unseen)).filter((it) => it).length, 1);
  });

  it("is nothing that a window says which was closed, nor keeps it a timer", async () => {
    const clock = new FakeClock();
    const closed = open({ clock, isFocused: false });
    const said = closed.isSaidHere("it");

    closed.dispose();

    assert.deepEqual([await said, clock.sleeping, await open().isSaidHere("it")], [false, 0, true]);
  });

  it("is nothing where the folder cannot be used: each window then tells for itself", async () => {
    const nowhere = { its: "/dev/null/nowhere" };

    assert.deepEqual([await open(nowhere).isSaidHere("it"), await open(nowhere).isSaidHere("it")], [true, true]);
  });
});
