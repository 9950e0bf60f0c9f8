import assert from "node:assert/strict";
import { appendFile, copyFile, link, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import {
  ACCEPTED,
  answeredEntry,
  blockReference,
  signedEntry,
  startedEntry,
} from "../../../../test/support/tracking/journal-entries.ts";
import { superfluousEntries } from "../../../client/src/journal/journal-codec.ts";
import { foldEntries } from "../../../client/src/transaction-state/history.ts";
import type { JournalEntry } from "../../../client/src/transaction-state/journal-entry.ts";
import type { TxId } from "../../../tron/src/primitives/bytes.ts";
import { JournalFile } from "../../src/journal/journal-file.ts";

const COUNT = 350;

function seen(txId: TxId, at: number): JournalEntry {
  return { kind: "seen-in-head", txId, at, block: { number: at, timestamp: at } };
}

/** Returns entries of a transaction that was sent, included, removed by a reorganization and included again. */
function unsettledHistory(number: number): readonly JournalEntry[] {
  const { txId } = signedEntry(number);
  const sent = [signedEntry(number), startedEntry(txId), answeredEntry(txId, ACCEPTED)];
  return [...sent, seen(txId, 2_000), { kind: "lost-from-head", txId, at: 2_001 }, seen(txId, 2_002)];
}

function finalHistory(number: number): readonly JournalEntry[] {
  const { txId } = signedEntry(number);
  const solidified: JournalEntry = {
    kind: "solidified",
    txId,
    at: 3_000,
    block: blockReference(7),
    outcome: { kind: "success" },
  };
  return [...unsettledHistory(number), solidified, { ...solidified, at: 3_001 }];
}

const many = (count: number, history: (number: number) => readonly JournalEntry[]): JournalEntry[] =>
  Array.from({ length: count }, (_, index) => index).flatMap(history);

describe("superfluousEntries", () => {
  it("returns repeated entries of a solidified transaction", () => {
    const entries = finalHistory(1);

    const kinds = [...superfluousEntries(entries)].map(({ kind }) => kind);

    assert.deepEqual(kinds, ["seen-in-head", "lost-from-head", "solidified"]);
  });

  it("changes no history, and keeps all entries of unsettled transactions", () => {
    const entry = fc.nat(3).chain((number) => fc.constantFrom(...unsettledHistory(number), ...finalHistory(number)));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), (drawn) => {
        const entries = drawn.map((it) => ({ ...it }));
        const superfluous = superfluousEntries(entries);
        const rest = entries.filter((it) => !superfluous.has(it));
        assert.deepEqual(foldEntries(rest), foldEntries(entries));
        for (const [txId, { solidified }] of foldEntries(entries)) {
          if (solidified === undefined) assert.ok(![...superfluous].some((it) => it.txId === txId));
        }
      }),
    );
  });
});

describe("JournalFile.compact", () => {
  let folder: string;
  let opened: JournalFile[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-compaction-"));
    opened = [];
  });

  afterEach(async () => {
    await Promise.all(opened.map((it) => it.close()));
    await rm(folder, { recursive: true });
  });

  function open(): JournalFile {
    const journal = new JournalFile(folder, { onFollowError: assert.ifError });
    opened.push(journal);
    return journal;
  }

  const histories = async () => foldEntries((await open().load()).entries);
  const names = async () => (await readdir(folder)).sort();
  const old = () => join(folder, "journal.old.jsonl");

  it("removes superfluous entries, and changes no history", async () => {
    const journal = open();
    await journal.append([...many(COUNT, finalHistory), ...unsettledHistory(9_000)]);
    const before = await histories();

    const saved = await journal.compact();

    assert.equal(saved, 3 * COUNT);
    assert.deepEqual(await histories(), before);
    assert.equal((await open().load()).entries.length, 5 * COUNT + 6);
    assert.deepEqual(await names(), ["journal.jsonl"]);
  });

  it("keeps all entries of unsettled transactions", async () => {
    const journal = open();
    await journal.append(many(COUNT, unsettledHistory));

    assert.equal(await journal.compact(), 0);

    assert.equal((await open().load()).entries.length, 6 * COUNT);
  });

  it("does not rewrite a short journal", async () => {
    const journal = open();
    await journal.append(finalHistory(1));

    assert.equal(await journal.compact(), 0);
  });

  it("keeps damaged lines", async () => {
    const journal = open();
    await journal.append(many(COUNT, finalHistory));
    await appendFile(journal.file, "\ngarbage\n");

    assert.equal(await journal.compact(), 3 * COUNT);

    assert.match(await readFile(journal.file, "utf8"), /^garbage$/m);
  });

  it("removes nothing from a journal with lines of a newer version", async () => {
    const journal = open();
    await journal.append(many(COUNT, finalHistory));
    await appendFile(journal.file, '\n{"v":2,"w":"later","n":0,"kind":"anything"}\n');
    const before = await readFile(journal.file, "utf8");

    assert.equal(await journal.compact(), 0);

    assert.equal(await readFile(journal.file, "utf8"), before);
  });

  it("lets another window read and write the new file", async () => {
    const [leader, other] = [open(), open()];
    await leader.append(many(COUNT, finalHistory));
    await other.load();
    const followed: JournalEntry[] = [];
    other.onDidAppend((entries) => followed.push(...entries));
    await other.catchUp();

    await leader.compact();
    await other.append([signedEntry(9_001)]);
    await leader.append([signedEntry(9_002)]);
    await other.catchUp();

    assert.deepEqual(followed, [signedEntry(9_002)]);
    const all = await histories();
    assert.ok(all.has(signedEntry(9_001).txId) && all.has(signedEntry(9_002).txId));
  });

  it("keeps entries that another window appends meanwhile", async () => {
    const [leader, other] = [open(), open()];
    await leader.append(many(COUNT, finalHistory));
    const numbers = Array.from({ length: 150 }, (_, index) => 20_000 + index);
    const appending = (async () => {
      for (const it of numbers) await other.append([{ kind: "seen-in-pool", txId: fakeTxId(it), at: it }]);
    })();

    for (let round = 0; round < 4; round++) {
      await leader.append(many(COUNT, (number) => finalHistory(number + round * COUNT)));
      await leader.compact();
    }
    await appending;

    const { entries } = await open().load();
    const stored = entries.filter(({ kind }) => kind === "seen-in-pool").map(({ at }) => at);
    assert.deepEqual(stored.sort(), numbers);
  });

  it("changes nothing when killed before the rename", async () => {
    const journal = open();
    await journal.append(many(COUNT, finalHistory));
    const before = await histories();
    await link(journal.file, old());
    await writeFile(join(folder, "journal.0123456789ab.tmp"), "half a li");

    assert.deepEqual(await histories(), before);
    assert.equal(await open().compact(), 3 * COUNT);

    assert.deepEqual(await histories(), before);
    assert.deepEqual(await names(), ["journal.jsonl"]);
  });

  it("keeps entries of another window in the old file when killed after the rename", async () => {
    const journal = open();
    await journal.append(many(COUNT, finalHistory));
    await copyFile(journal.file, join(folder, "draft"));
    await journal.append(unsettledHistory(9_000));
    const before = await histories();
    await rename(journal.file, old());
    await rename(join(folder, "draft"), journal.file);

    assert.deepEqual(await histories(), before);
    await open().compact();

    assert.deepEqual(await histories(), before);
    assert.deepEqual(await names(), ["journal.jsonl"]);
  });
});
