import assert from "node:assert/strict";
import { replayNotes } from "../../../../src/features/traces/replay-notes.view.ts";

const slot = { name: "slot 0x0 of the contract 41aa", recorded: "0x5", present: "0x6" };
const other = { name: "slot 0x1 of the contract 41aa", recorded: "0x1", present: "0x0" };
const nothing = { differences: [], changed: [], explainedBy: [], readNow: [] };

describe("replayNotes", () => {
  it("says that the replay on the record equals the receipt", () => {
    const [note = "", ...rest] = replayNotes({ ...nothing, equals: "recorded" });
    assert.match(note, /recorded before it was signed/);
    assert.deepEqual(rest, []);
  });

  it("names the slots that others changed, with both values", () => {
    const changed = [slot, other];
    const notes = replayNotes({
      ...nothing,
      differences: ["result"],
      changed,
      equals: "present",
      explainedBy: [slot.name],
    });
    assert.match(notes[0] ?? "", /others changed slot 0x0 of the contract 41aa/);
    assert.equal(notes[1], "Changed since the simulation: slot 0x1 of the contract 41aa (0x1, now 0x0).");
  });

  it("names the differences, and at most five items", () => {
    const readNow = ["a", "b", "c", "d", "e", "f", "g"];
    const notes = replayNotes({ ...nothing, differences: ["result", "energy"], readNow });
    assert.deepEqual(notes, [
      "The replay differs from the receipt: result, energy.",
      "Not recorded and read now: a, b, c, d, e and 2 more.",
    ]);
  });
});
