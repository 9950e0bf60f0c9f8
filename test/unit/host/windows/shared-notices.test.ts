import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type NoticesModule = typeof import("../../../../src/host/windows/shared-notices.ts");

describe("SharedNotices", () => {
  let parts: NoticesModule;
  let folder: string;
  /** Values of the context key for a hidden notice. */
  let shown: boolean[];

  before(async () => {
    parts = await loadWithEditor<NoticesModule>("src/host/windows/shared-notices.ts");
  });

  beforeEach(async () => {
    shown = [];
    folder = await mkdtemp(join(tmpdir(), "finality-notices-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** Opens a window on the shared folder. */
  function open({ its = folder, isFocused = true, clock = new FakeClock() } = {}) {
    const report = (error: unknown) => assert.ok(error instanceof Error);
    const { sleep } = clock;
    const isAnyHidden = { set: (it: boolean) => void shown.push(it) };
    return new parts.SharedNotices({ isAnyHidden, folder: its, report, isFocused: () => isFocused, sleep });
  }

  it("hides a notice in all open windows until the user shows all again", async () => {
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

  it("lets one window show a notice, the same one each time", async () => {
    const windows = Array.from({ length: 4 }, () => open());

    const first = await Promise.all(windows.map((it) => it.isShownHere("a failure")));
    const again = await Promise.all(windows.map((it) => it.isShownHere("a failure")));

    assert.equal(first.filter((it) => it).length, 1);
    assert.deepEqual(again, first);
    assert.equal(await open().isShownHere("another failure"), true);
  });

  it("prefers the focused window, or any one if none is focused", async () => {
    const clock = new FakeClock();
    const [one, two] = [open({ clock, isFocused: false }), open({ clock, isFocused: false })];

    const said = [one, open({ clock }), two].map((it) => it.isShownHere("seen by three"));
    // No time has passed for the others.
    await said[1];
    await clock.runUntil(Promise.all(said));
    const unseen = [one, two].map((it) => it.isShownHere("unseen"));
    await clock.runUntil(Promise.all(unseen));

    assert.deepEqual(await Promise.all(said), [false, true, false]);
    assert.equal((await Promise.all(unseen)).filter((it) => it).length, 1);
  });

  it("shows nothing in a closed window, and leaves no timer", async () => {
    const clock = new FakeClock();
    const closed = open({ clock, isFocused: false });
    const said = closed.isShownHere("it");

    closed.dispose();

    assert.deepEqual([await said, clock.sleeping, await open().isShownHere("it")], [false, 0, true]);
  });

  it("shows a notice in each window when the folder cannot be used", async () => {
    const nowhere = { its: "/dev/null/nowhere" };

    assert.deepEqual([await open(nowhere).isShownHere("it"), await open(nowhere).isShownHere("it")], [true, true]);
  });
});
