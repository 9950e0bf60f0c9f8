import assert from "node:assert/strict";
import { appendFile, copyFile, link, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { superfluousEntries } from "../../../../packages/client/src/journal/journal-codec.ts";
import { foldEntries } from "../../../../packages/client/src/transaction-state/history.ts";
import type { JournalEntry } from "../../../../packages/client/src/transaction-state/journal-entry.ts";
import type { TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import { JournalFile } from "../../../../src/host/journal/journal-file.ts";
import { fakeTxId } from "../../../support/fakes/fake-gateway.ts";
import {
  ACCEPTED,
  answeredEntry,
  blockReference,
  signedEntry,
  startedEntry,
} from "../../../support/tracking/journal-entries.ts";

const LIVES = 350;

function seen(txId: TxId, at: number): JournalEntry {
  return { kind: "seen-in-head", txId, at, block: { number: at, timestamp: at } };
}

/** Signed, sent, answered and three times seen in a head block that gave way to another one. */
function openLife(number: number): readonly JournalEntry[] {
  const { txId } = signedEntry(number);
  const sent = [signedEntry(number), startedEntry(txId), answeredEntry(txId, ACCEPTED)];
  return [...sent, seen(txId, 2_000), { kind: "lost-from-head", txId, at: 2_001 }, seen(txId, 2_002)];
}

function finalLife(number: number): readonly JournalEntry[] {
  const { txId } = signedEntry(number);
  const solidified: JournalEntry = {
    kind: "solidified",
    txId,
    at: 3_000,
    block: blockReference(7),
    outcome: { kind: "success" },
  };
  return [...openLife(number), solidified, { ...solidified, at: 3_001 }];
}

const lives = (count: number, life: (number: number) => readonly JournalEntry[]): JournalEntry[] =>
  Array.from({ length: count }, (_, index) => index).flatMap(life);

describe("superfluousEntries", () => {
  it("are repeated sightings of what is solidified, and nothing that a history holds", () => {
    const entries = finalLife(1);

    const kinds = [...superfluousEntries(entries)].map(({ kind }) => kind);

    assert.deepEqual(kinds, ["seen-in-head", "lost-from-head", "solidified"]);
  });

  it("leave every history as it is, and never touch a transaction that may still be executed", () => {
    const entry = fc.nat(3).chain((number) => fc.constantFrom(...openLife(number), ...finalLife(number)));
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

describe("the compaction of a journal", () => {
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

  it("makes the file shorter, and every transaction is what it was", async () => {
    const journal = open();
    await journal.append([...lives(LIVES, finalLife), ...openLife(9_000)]);
    const before = await histories();

    const saved = await journal.compact();

    assert.equal(saved, 3 * LIVES);
    assert.deepEqual(await histories(), before);
    assert.equal((await open().load()).entries.length, 5 * LIVES + 6);
    assert.deepEqual(await names(), ["journal.jsonl"]);
  });

  it("loses nothing of what is open, be it ever so long", async () => {
    const journal = open();
    await journal.append(lives(LIVES, openLife));

    assert.equal(await journal.compact(), 0);

    assert.equal((await open().load()).entries.length, 6 * LIVES);
  });

  it("is not done for a few lines", async () => {
    const journal = open();
    await journal.append(finalLife(1));

    assert.equal(await journal.compact(), 0);
  });

  it("keeps damage where it is", async () => {
    const journal = open();
    await journal.append(lives(LIVES, finalLife));
    await appendFile(journal.file, "\ngarbage\n");

    assert.equal(await journal.compact(), 3 * LIVES);

    assert.match(await readFile(journal.file, "utf8"), /^garbage$/m);
  });

  it("leaves out nothing beside a line of a newer version, even before that line was read", async () => {
    const journal = open();
    await journal.append(lives(LIVES, finalLife));
    await appendFile(journal.file, '\n{"v":2,"w":"later","n":0,"kind":"anything"}\n');
    const before = await readFile(journal.file, "utf8");

    assert.equal(await journal.compact(), 0);

    assert.equal(await readFile(journal.file, "utf8"), before);
  });

  it("is noticed by another window: what that one writes and reads from then on is in the new file", async () => {
    const [leader, other] = [open(), open()];
    await leader.append(lives(LIVES, finalLife));
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

  it("loses nothing that another window appends at any moment of it", async () => {
    const [leader, other] = [open(), open()];
    await leader.append(lives(LIVES, finalLife));
    const numbers = Array.from({ length: 150 }, (_, index) => 20_000 + index);
    const appending = (async () => {
      for (const it of numbers) await other.append([{ kind: "seen-in-pool", txId: fakeTxId(it), at: it }]);
    })();

    for (let round = 0; round < 4; round++) {
      await leader.append(lives(LIVES, (number) => finalLife(number + round * LIVES)));
      await leader.compact();
    }
    await appending;

    const { entries } = await open().load();
    const kept = entries.filter(({ kind }) => kind === "seen-in-pool").map(({ at }) => at);
    assert.deepEqual(kept.sort(), numbers);
  });

  it("killed before the new file has the name, changes nothing", async () => {
    const journal = open();
    await journal.append(lives(LIVES, finalLife));
    const before = await histories();
    await link(journal.file, old());
    await writeFile(join(folder, "journal.0123456789ab.tmp"), "half a li");

    assert.deepEqual(await histories(), before);
    assert.equal(await open().compact(), 3 * LIVES);

    assert.deepEqual(await histories(), before);
    assert.deepEqual(await names(), ["journal.jsonl"]);
  });

  it("killed after that, loses no line that another window had written to the old file", async () => {
    const journal = open();
    await journal.append(lives(LIVES, finalLife));
    await copyFile(journal.file, join(folder, "draft"));
    await journal.append(openLife(9_000));
    const before = await histories();
    await rename(journal.file, old());
    await rename(join(folder, "draft"), journal.file);

    assert.deepEqual(await histories(), before);
    await open().compact();

    assert.deepEqual(await histories(), before);
    assert.deepEqual(await names(), ["journal.jsonl"]);
  });
});
