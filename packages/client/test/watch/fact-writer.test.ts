import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { signedEntry } from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import type { JournalEntry } from "../../src/life/journal-entry.ts";
import { FactWriter } from "../../src/watch/fact-writer.ts";

describe("the dates of what a window writes", () => {
  /** What the writer makes of an entry after it saw another one of the same transaction. */
  async function dateAfter(seen: JournalEntry, entry: JournalEntry): Promise<number | undefined> {
    const store = new MemoryJournal();
    const options = { network: "test", store, clock: new FakeClock(), log: undefined, troubled: () => undefined };
    const writer = new FactWriter(options);
    writer.saw(seen);
    const [written] = await writer.record([entry]);
    writer.close();
    return written?.at;
  }
  const hidden = (at: number): JournalEntry => ({ kind: "hidden", txId: signedEntry(1).txId, at });

  it("stay as they are where the clock went on", async () => {
    assert.equal(await dateAfter(signedEntry(1), signedEntry(1, { at: 1_001 })), 1_001);
    assert.equal(await dateAfter(signedEntry(1), hidden(1_000)), 1_000);
  });

  it("are later than what was known, although the clock was put back", async () => {
    assert.equal(await dateAfter(signedEntry(1), hidden(400)), 1_001);
  });

  it("tell signatures from those that they take the place of, within one millisecond too", async () => {
    assert.equal(await dateAfter(signedEntry(1), signedEntry(1)), 1_001);
    assert.equal(await dateAfter(hidden(1_000), signedEntry(1)), 1_001);
  });

  it("know nothing of other transactions", async () => {
    assert.equal(await dateAfter(signedEntry(2), signedEntry(1)), 1_000);
  });
});
