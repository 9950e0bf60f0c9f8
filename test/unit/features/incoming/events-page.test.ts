import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { eventWatch, type FoundEvent, watchedEvent } from "../../../../packages/client/src/events/event-entry.ts";
import { EVERY_EVENT } from "../../../../packages/client/src/events/event-filter.ts";
import { candidateFromJson, createAbiIndex } from "../../../../packages/tron/src/abi/abi-index.ts";
import { topicOf } from "../../../../packages/tron/src/abi/abi-signature.ts";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import type { EventWatchState } from "../../../../src/features/incoming/events.view.ts";
import type { IncomingServices } from "../../../../src/features/incoming/services.ts";
import type { ToEventsPage } from "../../../../src/webview-messages/events.ts";
import { commands, loadWithEditor, panels } from "../../../support/fakes/fake-editor.ts";
import { party } from "../../../support/incoming/incoming-fixture.ts";

type TestedModule = typeof import("../../../../src/features/incoming/events-page.ts");
type TestedView = typeof import("../../../../src/features/incoming/events-page.view.ts");
const { EventsPage } = await loadWithEditor<TestedModule>("src/features/incoming/events-page.ts");
const { eventLines } = await loadWithEditor<TestedView>("src/features/incoming/events-page.view.ts");

const CONTRACT = party(2);
const CONTEXT = { nameOf: () => undefined, timeOf: (ms: number) => `T${ms}` };
const PAID = candidateFromJson(
  { type: "event", name: "Paid", inputs: [{ name: "amount", type: "uint256", indexed: false }] },
  "Shop",
);
const ABI = createAbiIndex(PAID === undefined ? [] : [PAID]);

function blockOf(number: number, fork = "ab") {
  return { number, id: `${number.toString(16).padStart(16, "0")}${fork.repeat(24)}`, timestamp: number * 3_000 };
}

function found(number: number, topic = topicOf("Paid(uint256)"), more: { withdrawn?: boolean; fork?: string } = {}) {
  const event = watchedEvent({
    ...{ txId: number.toString(16).padStart(64, "0"), index: 0, contract: CONTRACT, topics: [topic] },
    ...{ data: number.toString(16).padStart(64, "0"), block: blockOf(number, more.fork) },
  });
  return { event, withdrawn: more.withdrawn ?? false };
}

function state(id: string, events: readonly FoundEvent[], stoppedAt?: number): EventWatchState {
  const watch = eventWatch({
    ...{ id: id.padStart(16, "0"), network: "Shop", contract: CONTRACT, filter: EVERY_EVENT },
    ...{ after: blockOf(1), at: 1 },
  });
  const standing = {
    watch,
    readTo: found(7).event.block,
    readAt: 2,
    ...(stoppedAt === undefined ? {} : { stoppedAt }),
  };
  const active = stoppedAt === undefined;
  return { standing, events, abi: ABI, active, full: false, network: "Shop", issue: undefined };
}

/** Opens a page. The services are those that it uses: none before a button is pressed. */
function open(states: readonly EventWatchState[], watch?: EventWatchState) {
  const clicks = { of: <T>(it: T) => it, has: () => true };
  const page = new EventsPage({ clicks, extensionUri: { path: "/" } } as unknown as IncomingServices, CONTEXT);
  page.show(states, watch);
  const panel = panels.at(-1) ?? assert.fail("No panel was created.");
  const messages = panel.messages as ToEventsPage[];
  const rows = () => messages.flatMap((it) => (it.kind === "rows" ? it.rows : []));
  return { page, panel, messages, rows };
}

describe("page of events", () => {
  it("has each event of two watches once, with its arguments by name", () => {
    const paid = [found(3), found(4)];
    const { panel, rows, messages } = open([state("1", paid), state("2", [found(4), found(5, hex("cd".repeat(32)))])]);
    panel.send({ kind: "ready" });

    assert.deepEqual(
      rows().map(({ id, block, event, summary }) => [id, block, event, summary]),
      [
        [0, "3", "Paid", "amount: 3"],
        [1, "4", "Paid", "amount: 4"],
        [2, "5", "unknown event", `0x${"cd".repeat(32)} 0x${"5".padStart(64, "0")}`],
      ],
    );
    assert.deepEqual(rows()[0]?.details[0], { name: "amount (uint256)", value: "3", exact: true });
    assert.deepEqual(messages[0]?.kind === "show" && [messages[0].total, messages[0].page.contracts.length], [3, 1]);
  });

  it("gets only what changed: new events, and one that a reorganization removed", () => {
    const { page, panel, messages, rows } = open([state("1", [found(3), found(4)])]);
    panel.send({ kind: "ready" });
    messages.length = 0;

    page.update([state("1", [found(3), found(4, undefined, { withdrawn: true }), found(6)])]);
    assert.deepEqual(
      rows().map(({ id, event, removed }) => [id, event, removed]),
      [
        [1, "Paid (removed)", true],
        [2, "Paid", false],
      ],
    );
  });

  it("loses the events of a watch that leaves the list", () => {
    const [first, second] = [state("1", [found(3)]), state("2", [found(5)])];
    const { page, panel, messages, rows } = open([first, second]);
    panel.send({ kind: "ready" });
    messages.length = 0;

    page.update([second]);
    assert.deepEqual([messages[0]?.kind, rows().map(({ block }) => block)], ["show", ["5"]]);
  });

  it("filters by the contract of the watch for which it was opened, once", () => {
    const only = state("1", [found(3)]);
    const { panel, messages } = open([only], only);
    panel.send({ kind: "ready" });
    panel.send({ kind: "ready" });
    const filters = messages.flatMap((it) => (it.kind === "show" ? [it.contract] : []));

    assert.deepEqual(filters, [`Shop ${toBase58(CONTRACT)}`, null]);
  });

  it("offers to stop an active watch and to resume a stopped one", () => {
    const { panel, messages } = open([state("1", []), state("2", [], 5)]);
    panel.send({ kind: "ready" });

    assert.deepEqual(
      messages[0]?.page.watches.map(({ action, status }) => [action, status]),
      [
        ["stop", "0 events · watching · read up to block 7"],
        ["resume", "0 events · stopped · read up to block 7"],
      ],
    );
  });

  it("tracks the transaction of an event and opens its page, unless it cannot be tracked", async () => {
    const { panel } = open([state("1", [found(3)])]);
    panel.send({ kind: "ready" });
    commands.ran.length = 0;
    commands.results["finality.trackTransaction"] = undefined;
    panel.send({ kind: "open", row: 0 });
    await setImmediate();
    commands.results["finality.trackTransaction"] = {};
    panel.send({ kind: "open", row: 0 });
    await setImmediate();

    assert.deepEqual(
      commands.ran.map(([id]) => id),
      ["finality.trackTransaction", "finality.trackTransaction", "finality.showTimeline"],
    );
  });

  for (const message of [
    undefined,
    "ready",
    { kind: "open", row: -1 },
    { kind: "open", row: "0" },
    { kind: "act", action: "__proto__", watch: "1" },
    { kind: "act", action: "hidden", watch: "1" },
    { kind: "export", format: "exe", rows: [] },
    { kind: "export", format: "csv", rows: [1.5] },
    { kind: "run", command: "finality.sendCoins" },
  ])
    it(`ignores what no button of the page sends: ${JSON.stringify(message)}`, () => {
      const { panel, messages } = open([state("1", [found(3)])]);
      panel.send(message);

      assert.deepEqual(messages, []);
    });
});

describe("JSON Lines of events", () => {
  it("have an object for each event", () => {
    const lines = eventLines([{ events: [found(3), found(4)], abi: ABI, network: "Shop" }]).split("\n");

    assert.equal(lines.pop(), "");
    assert.deepEqual(
      lines.map((it) => JSON.parse(it)).map((it) => [it.network, it.block, it.name, it.arguments[0].value]),
      [
        ["Shop", 3, "Paid", "3"],
        ["Shop", 4, "Paid", "4"],
      ],
    );
  });
});
