import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TransactionNotes } from "../../../../src/host/journal/transaction-notes.ts";
import { txId } from "../../../support/tracking/tracked.ts";

describe("TransactionNotes", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-notes-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("stores a note for the next window, and removes it with an empty one", async () => {
    const notes = new TransactionNotes(folder);
    await notes.write(txId("1"), "May #rent");
    await notes.write(txId("2"), "old");
    await notes.write(txId("2"), "new");

    const other = new TransactionNotes(folder);
    await other.read();
    assert.deepEqual([other.of(txId("1")), other.of(txId("2"))], ["May #rent", "new"]);
    await other.write(txId("1"), "");

    await notes.read();
    assert.deepEqual([notes.of(txId("1")), notes.of(txId("2"))], [undefined, "new"]);
  });

  it("skips a line that cannot be read", async () => {
    const notes = new TransactionNotes(folder);
    await notes.write(txId("1"), "first");
    await appendFile(join(folder, "transaction-notes.jsonl"), '{"txId":"x"}\nnot JSON\n');
    await notes.write(txId("2"), "second");

    assert.deepEqual([notes.of(txId("1")), notes.of(txId("2"))], ["first", "second"]);
  });

  it("reports a note that cannot be written, and keeps the earlier ones", async () => {
    const notes = new TransactionNotes(folder);
    await notes.read();
    await mkdir(join(folder, "transaction-notes.jsonl"));

    await assert.rejects(notes.write(txId("1"), "lost"), { code: "NOTE_UNWRITABLE" });
    assert.equal(notes.of(txId("1")), undefined);
  });
});
