import assert from "node:assert/strict";
import type { TrackingState } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import type { TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import { describeTimeline } from "../../../../src/features/tracking/timeline-page.view.ts";
import { clipboard, EventEmitter, FakePanel, loadWithEditor, panels, Uri } from "../../../support/fakes/fake-editor.ts";
import { nameOf, noReasons, tracked, txId } from "../../../support/tracking/tracked.ts";

type TestedModule = typeof import("../../../../src/features/tracking/timeline-panel.ts");
const { TimelinePanels } = await loadWithEditor<TestedModule>("src/features/tracking/timeline-panel.ts");

const [FIRST, SECOND, THIRD] = [txId("1"), txId("2"), txId("3")];

/** Pages of three transactions, and their reads as `txID again`. */
function pagesOf() {
  panels.length = 0;
  let now = 0;
  let state: TrackingState = { kind: "pending" };
  const reads: string[] = [];
  const changed = new EventEmitter<readonly TxId[] | undefined>();
  const context = {
    nameOf,
    timeOf: String,
    reasonOf: noReasons,
    sessionStart: 0,
    production: false,
    fallbackUrls: [],
    networkOf: () => "Shop",
  };
  const pages = new TimelinePanels({
    extensionUri: Uri.file("/extension") as never,
    clicks: { of: <T>(it: T) => it, has: () => false },
    now: () => now,
    describe: (id) =>
      [FIRST, SECOND, THIRD].includes(id)
        ? { ...describeTimeline(tracked({ txId: id, state }), context), title: `Tea ${id.slice(-1)}` }
        : undefined,
    read: (id, again = false) => reads.push(`${id.slice(-1)} ${again}`),
    onDidChange: changed.event as never,
  });
  return {
    pages,
    reads,
    later: (ms: number) => {
      now += ms;
    },
    become: (next: TrackingState) => {
      state = next;
      changed.fire([FIRST]);
    },
  };
}

const titles = (): readonly string[] => panels.map(({ title }) => title);

describe("TimelinePanels", () => {
  it("U8: reuses the preview for the next transaction, and takes the focus only when asked", () => {
    const { pages, later } = pagesOf();

    pages.show(FIRST, false);
    later(2_000);
    pages.show(SECOND, false);

    assert.deepEqual(titles(), ["Tea 2"]);
    assert.equal(panels[0]?.focused, 0);
    pages.show(SECOND, true);
    assert.equal(panels[0]?.focused, 1);
    assert.equal(pages.isShown(SECOND), true);
    assert.equal(pages.isShown(FIRST), false);
  });

  it("keeps a pinned page, and returns to it", () => {
    const { pages, later } = pagesOf();
    pages.show(FIRST, false);
    panels[0]?.send({ kind: "pin" });
    later(2_000);

    pages.show(SECOND, false);
    later(2_000);
    pages.show(THIRD, false);
    later(2_000);
    pages.show(FIRST, true);

    assert.deepEqual(titles(), ["Tea 1", "Tea 3"]);
    assert.deepEqual(
      panels.map(({ focused }) => focused),
      [1, 0],
    );
  });

  it("pins a page by two clicks within the time of a double click, not by slower ones", () => {
    const { pages, later } = pagesOf();
    pages.show(FIRST, false);
    later(3_000);
    pages.show(FIRST, false);
    later(3_000);
    pages.show(SECOND, false);
    later(200);
    pages.show(SECOND, false);
    later(3_000);
    pages.show(THIRD, false);

    assert.deepEqual(titles(), ["Tea 2", "Tea 3"]);
  });

  it("scrolls to a section once for each request", () => {
    const { pages, later, become } = pagesOf();
    const reveal = () => (panels[0]?.messages.at(-1) as { readonly reveal?: object } | undefined)?.reveal;
    pages.show(FIRST, true, "result");
    const first = reveal();
    assert.deepEqual(first, { section: "result", request: 0 });

    become({ kind: "pending" });
    assert.deepEqual(reveal(), first);
    later(3_000);
    pages.show(FIRST, true, "result");
    assert.deepEqual(reveal(), { section: "result", request: 3_000 });
    later(3_000);
    pages.show(FIRST, true);
    assert.equal(reveal(), null);
  });

  it("opens a new preview after the user closed it", () => {
    const { pages, later } = pagesOf();
    pages.show(FIRST, false);
    panels[0]?.dispose();
    later(2_000);

    pages.show(SECOND, false);

    assert.deepEqual(titles(), ["Tea 1", "Tea 2"]);
  });

  it("updates the page of a changed transaction, and reads what changed", () => {
    const { pages, reads, become } = pagesOf();
    pages.show(FIRST, false);
    const before = panels[0]?.messages.length ?? 0;

    become({ kind: "unknown", reason: "no answer" });
    pages.readAgain([FIRST, SECOND]);

    assert.equal(panels[0]?.messages.length, before + 1);
    assert.match(JSON.stringify(panels[0]?.messages.at(-1)), /Outcome unknown/);
    assert.deepEqual(reads, ["1 false", "1 false"]);
  });

  it("restores pages of the previous session without a request, at most one of them as preview", () => {
    const { pages, reads, later } = pagesOf();
    const [one, two, broken] = [new FakePanel(""), new FakePanel(""), new FakePanel("")];
    pages.revive(one as never, { txId: FIRST, pinned: false });
    pages.revive(two as never, { txId: SECOND, pinned: false });
    let isClosed = false;
    broken.onDidDispose(() => {
      isClosed = true;
    });
    pages.revive(broken as never, { txId: "x" });
    pages.readAgain([FIRST, SECOND]);

    assert.deepEqual([one.title, two.title, isClosed], ["Tea 1", "Tea 2", true]);
    assert.deepEqual(reads, []);
    later(2_000);
    pages.show(THIRD, false);
    assert.deepEqual([one.title, two.title], ["Tea 3", "Tea 2"]);
  });

  it("copies, reads again and follows links on behalf of the page, and ignores malformed messages", async () => {
    const { pages, reads } = pagesOf();
    pages.show(FIRST, false);
    const [page] = panels;

    page?.send({ kind: "copy", text: "abc" });
    page?.send({ kind: "act", action: "read-again" });
    page?.send({ kind: "act", action: "finality.deleteKey" });
    page?.send("hello");
    page?.send({ kind: "open", txId: SECOND });

    assert.equal(await clipboard.readText(), "abc");
    assert.deepEqual(reads, ["1 false", "1 true", "2 false"]);
    assert.deepEqual(titles(), ["Tea 2"]);
  });

  it("shows that a transaction is not in the journal", () => {
    const { pages } = pagesOf();
    pages.show(txId("f"), false);

    assert.match(JSON.stringify(panels[0]?.messages), /is not in the journal/);
  });
});
