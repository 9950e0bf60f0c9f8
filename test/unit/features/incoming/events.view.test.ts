import assert from "node:assert/strict";
import { eventWatch, type FoundEvent, watchedEvent } from "../../../../packages/client/src/events/event-entry.ts";
import { EVERY_EVENT } from "../../../../packages/client/src/events/event-filter.ts";
import type { WatchStatus } from "../../../../packages/client/src/incoming/incoming-ledger.ts";
import { eventsCsv } from "../../../../packages/client/src/labels/events.ts";
import { candidateFromJson, createAbiIndex } from "../../../../packages/tron/src/abi/abi-index.ts";
import { topicOf } from "../../../../packages/tron/src/abi/abi-signature.ts";
import {
  checkFrom,
  describeEvent,
  describeEventWatch,
  type EventWatchState,
  eventsExport,
  readRequired,
} from "../../../../src/features/incoming/events.view.ts";
import { party } from "../../../support/incoming/incoming-fixture.ts";

const BLOCK = { number: 7, id: `${"0".repeat(15)}7${"ab".repeat(24)}`, timestamp: Date.UTC(2026, 0, 2) };
const CONTEXT = { nameOf: () => undefined, timeOf: (ms: number) => `T${ms}` };
const PAID = candidateFromJson(
  { type: "event", name: "Paid", inputs: [{ name: "amount", type: "uint256", indexed: false }] },
  "Shop",
);
const ABI = createAbiIndex(PAID === undefined ? [] : [PAID]);

function found(topic: string, withdrawn = false): FoundEvent {
  const event = watchedEvent({
    ...{ txId: "cd".repeat(32), index: 2, contract: party(2), topics: [topic] },
    ...{ data: "5".padStart(64, "0"), block: BLOCK },
  });
  return { event, withdrawn };
}

function state(events: readonly FoundEvent[], more: Partial<EventWatchState> = {}): EventWatchState {
  const watch = eventWatch({
    ...{ id: "0123456789abcdef", network: "Shop", contract: party(2), filter: EVERY_EVENT },
    ...{ after: { ...BLOCK, number: 5 }, at: 1 },
  });
  const standing: WatchStatus<typeof watch> = {
    watch,
    readTo: watchedEvent(found("ab".repeat(32)).event).block,
    readAt: 2,
  };
  return { standing, events, abi: ABI, active: true, full: false, network: "Shop", issue: undefined, ...more };
}

describe("row of an event", () => {
  it("has the names of the ABI, or topics and data of an unknown event", () => {
    const known = describeEvent(found(topicOf("Paid(uint256)")), ABI, CONTEXT);
    const unknown = describeEvent(found("ab".repeat(32)), ABI, CONTEXT);

    assert.deepEqual([known.label, known.description], ["Paid(amount: 5)", "block 7"]);
    assert.match(unknown.label, /^unknown event: 0x(ab){32} 0x0+5$/);
  });

  it("says that a reorganization removed the event", () => {
    const { description, tooltip } = describeEvent(found(topicOf("Paid(uint256)"), true), ABI, CONTEXT);

    assert.equal(description, "removed · was in block 7");
    assert.match(tooltip.join("\n"), /not found in them/);
  });
});

describe("row of a watch for events", () => {
  it("counts the events that the chain has", () => {
    const row = describeEventWatch(state([found("ab".repeat(32)), found("cd".repeat(32), true)]), CONTEXT);

    assert.equal(row.description, "1 event · 1 event removed · watching");
  });

  it("names the block from which another watch continues when it is full", () => {
    const row = describeEventWatch(state([], { active: false, full: true }), CONTEXT);

    assert.match(row.description, /full$/);
    assert.match(row.tooltip.join("\n"), /watch from block 8/);
    assert.equal(row.contextValue, "events.ended");
  });

  it("can be resumed after it was stopped", () => {
    const { standing } = state([]);
    const row = describeEventWatch(state([], { active: false, standing: { ...standing, stoppedAt: 3 } }), CONTEXT);

    assert.equal(row.contextValue, "events.stopped");
  });
});

describe("export of events", () => {
  it("writes a CSV line and a JSON object per event", () => {
    const states = [state([found(topicOf("Paid(uint256)"))])];
    const [, line] = eventsCsv(states).split("\r\n");
    const { watches } = JSON.parse(eventsExport(states));

    assert.match(line ?? "", /^7,2026-01-02T00:00:00\.000Z,(cd){32},2,T\w{33},Paid,"\{""amount"":""5""\}",/);
    assert.deepEqual([watches[0].events[0].name, watches[0].events[0].arguments[0].value], ["Paid", "5"]);
  });
});

describe("required values of events", () => {
  it("are separated by commas before another name", () => {
    assert.deepEqual(readRequired("to = TWAF, ids = [1, 2],2=5"), [
      { parameter: "to", value: "TWAF" },
      { parameter: "ids", value: "[1, 2]" },
      { parameter: "2", value: "5" },
    ]);
    assert.deepEqual(readRequired("  "), []);
    for (const text of ["to", "to =", "= 5", "to = 1, "]) assert.equal(readRequired(text), undefined, text);
  });

  it("begin at a block, or at new blocks", () => {
    assert.deepEqual(
      ["", "12", "0", "x"].map((it) => checkFrom(it)).map((it) => (it.kind === "good" ? it.value : it.kind)),
      ["new", 12, "wrong", "wrong"],
    );
  });
});
