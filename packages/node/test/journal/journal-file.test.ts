import assert from "node:assert/strict";
import { fork } from "node:child_process";
import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  truncate,
  unlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { signedEntry } from "../../../../test/support/tracking/journal-entries.ts";
import type { JournalEntry } from "../../../client/src/transaction-state/journal-entry.ts";
import { isChainError } from "../../../tron/src/errors/chain-error.ts";
import { JournalFile } from "../../src/journal/journal-file.ts";

const WRITER = join(import.meta.dirname, "../../../../test/support/tracking/journal-writer.ts");

function seen(number: number): JournalEntry {
  return { kind: "seen-in-pool", txId: fakeTxId(number), at: number };
}

describe("JournalFile", () => {
  let folder: string;
  let opened: JournalFile[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-journal-"));
    opened = [];
  });

  afterEach(async () => {
    await Promise.all(opened.map((it) => it.close()));
    await rm(folder, { recursive: true });
  });

  function open(path = folder): JournalFile {
    const journal = new JournalFile(path, { onFollowError: assert.ifError });
    opened.push(journal);
    return journal;
  }

  const quarantined = async () => (await readdir(folder)).filter((it) => it.includes("quarantine")).sort();

  it("returns appended entries in order", async () => {
    const entries = [signedEntry(1), seen(2), seen(3)];
    const journal = open();
    await journal.append(entries.slice(0, 2));
    await journal.append(entries.slice(2));

    assert.deepEqual(await open().load(), { entries, warnings: [] });
  });

  it("creates folder and file with access for the user only", async () => {
    const deep = join(folder, "a", "b");

    await open(deep).append([seen(1)]);

    assert.equal((await stat(join(deep, "journal.jsonl"))).mode & 0o777, 0o600);
    assert.equal((await stat(deep)).mode & 0o777, 0o700);
  });

  it("keeps concurrent appends complete and in order", async () => {
    const journal = open();
    const numbers = Array.from({ length: 200 }, (_, index) => index);

    await Promise.all(numbers.map((it) => journal.append([seen(it)])));

    assert.deepEqual((await open().load()).entries, numbers.map(seen));
  });

  it("moves a torn last line to a quarantine file", async () => {
    const journal = open();
    await journal.append([seen(1), seen(2)]);
    await truncate(journal.file, (await stat(journal.file)).size - 9);

    const { entries, warnings } = await open().load();

    assert.deepEqual(entries, [seen(1)]);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /1 damaged line.*journal\.quarantine-1\.jsonl/);
    assert.match(await readFile(join(folder, "journal.quarantine-1.jsonl"), "utf8"), /^\{"v":1,.*seen-in-pool/);
  });

  it("reads a last line without a line break", async () => {
    const journal = open();
    await journal.append([seen(1), seen(2)]);
    await truncate(journal.file, (await stat(journal.file)).size - 1);

    assert.deepEqual(await open().load(), { entries: [seen(1), seen(2)], warnings: [] });
  });

  it("appends after a torn line on a new line", async () => {
    const journal = open();
    await journal.append([seen(1)]);
    await appendFile(journal.file, '{"v":1,"w":"dead","n":0,"ki');

    await journal.append([seen(2)]);

    assert.deepEqual((await open().load()).entries, [seen(1), seen(2)]);
  });

  it("moves a corrupt line in the middle to a quarantine file", async () => {
    const journal = open();
    await journal.append([seen(1), seen(2), seen(3)]);
    const lines = (await readFile(journal.file, "utf8")).split("\n");
    const middle = lines.findIndex((line) => line.includes('"at":2'));
    await writeFile(journal.file, lines.with(middle, "\u0000\u0000garbage").join("\n"));

    const { entries, warnings } = await open().load();

    assert.deepEqual(entries, [seen(1), seen(3)]);
    assert.equal(warnings.length, 1);
    assert.equal(await readFile(join(folder, "journal.quarantine-1.jsonl"), "utf8"), "\u0000\u0000garbage\n");
  });

  it("reports each damage once", async () => {
    const journal = open();
    await journal.append([seen(1)]);
    await appendFile(journal.file, "first damage\n");
    assert.equal((await open().load()).warnings.length, 1);
    assert.deepEqual((await open().load()).warnings, []);

    await appendFile(journal.file, "second damage\n");

    assert.match((await open().load()).warnings[0] ?? "", /quarantine-2/);
    assert.deepEqual(await quarantined(), ["journal.quarantine-1.jsonl", "journal.quarantine-2.jsonl"]);
  });

  it("keeps lines of a newer version in place and reports them", async () => {
    const journal = open();
    await journal.append([seen(1)]);
    await appendFile(journal.file, '{"v":2,"w":"later","n":0,"kind":"anything"}\n');

    const { entries, warnings } = await open().load();

    assert.deepEqual(entries, [seen(1)]);
    assert.match(warnings[0] ?? "", /newer version/);
    assert.deepEqual(await quarantined(), []);
  });

  it("rejects with JOURNAL_UNWRITABLE when the folder cannot be used", async () => {
    await writeFile(join(folder, "file"), "");

    const append = open(join(folder, "file")).append([seen(1)]);

    await assert.rejects(append, (error) => isChainError(error) && error.code === "JOURNAL_UNWRITABLE");
  });

  it("recovers when the folder can be used again", async () => {
    await writeFile(join(folder, "later"), "");
    const journal = open(join(folder, "later"));
    await assert.rejects(journal.append([seen(1)]));

    await unlink(join(folder, "later"));
    await journal.append([seen(2)]);

    assert.deepEqual((await journal.load()).entries, [seen(2)]);
  });

  it("reports each entry of another window once", async () => {
    const [first, second] = [open(), open()];
    await first.append([seen(1)]);
    await second.load();
    const { promise, resolve } = Promise.withResolvers<void>();
    const followed: JournalEntry[] = [];
    second.onDidAppend((entries) => {
      followed.push(...entries);
      if (followed.length === 3) resolve();
    });

    await first.append([seen(2), seen(3)]);
    await second.append([seen(9)]);
    await first.append([seen(4)]);
    await promise;

    assert.deepEqual(followed, [seen(2), seen(3), seen(4)]);
  });

  it("catchUp reads the entries of another window", async () => {
    const [first, second] = [open(), open()];
    await second.load();
    const followed: JournalEntry[] = [];
    second.onDidAppend((entries) => followed.push(...entries));

    await first.append([seen(1), seen(2)]);
    await second.catchUp();

    assert.deepEqual(followed, [seen(1), seen(2)]);
  });

  it("resumes after all listeners were removed", async () => {
    const [first, second] = [open(), open()];
    await second.load();
    const followed: JournalEntry[] = [];
    const other: JournalEntry[] = [];
    const subscription = second.onDidAppend((entries) => followed.push(...entries));
    subscription.dispose();

    await first.append([seen(1)]);
    const { promise, resolve } = Promise.withResolvers<void>();
    second.onDidAppend((entries) => {
      other.push(...entries);
      resolve();
    });
    await promise;

    assert.deepEqual([followed, other], [[], [seen(1)]]);
  });

  it("keeps all lines when two windows write at the same time", async () => {
    const windows = [open(), open()];
    const numbers = Array.from({ length: 200 }, (_, index) => index);

    await Promise.all(
      windows.flatMap((it, window) => numbers.map((number) => it.append([seen(1_000 * window + number)]))),
    );

    const { entries, warnings } = await open().load();
    assert.deepEqual(warnings, []);
    assert.equal(new Set(entries.map((it) => it.txId)).size, 400);
  });

  it("keeps every acknowledged entry when the writer is killed", async () => {
    for (let round = 0; round < 5; round++) {
      const path = join(folder, `${round}`);
      const acknowledged = await killedWriter(path, 40 + 35 * round);

      const { entries } = await open(path).load();

      const stored = new Set(entries.map((it) => it.txId));
      assert.ok(acknowledged.length > 0);
      assert.deepEqual(
        acknowledged.filter((it) => !stored.has(fakeTxId(it))),
        [],
      );
    }
  });

  it("does not create a removed file again after it was closed", async () => {
    const journal = open();
    journal.onDidAppend(() => undefined);
    await journal.append([signedEntry(1)]);
    await appendFile(journal.file, "\n");
    const late = [journal.catchUp(), journal.catchUp()];

    await journal.close();
    await unlink(journal.file);
    await Promise.all([...late, journal.catchUp()]);

    assert.deepEqual(await readdir(folder), []);
  });

  it("writes entries that arrive while or after it closes, and closes the file again", async () => {
    const journal = open();
    const writing = journal.append([signedEntry(1)]);

    await journal.close();
    await writing;
    await journal.append([seen(1)]);

    assert.equal((await open().load()).entries.length, 2);
    assert.equal(await openFilesIn(folder), 1, "only the reader's file is open");
  });

  it("reads 30,000 entries in less than two seconds", async () => {
    const journal = open();
    const numbers = Array.from({ length: 10_000 }, (_, index) => index);
    for (let start = 0; start < numbers.length; start += 1_000) {
      await journal.append(numbers.slice(start, start + 1_000).flatMap((it) => [signedEntry(it), seen(it), seen(it)]));
    }

    const before = performance.now();
    const { entries } = await open().load();

    assert.equal(entries.length, 30_000);
    assert.ok(performance.now() - before < 2_000);
  });
});

/** Returns the number of open files of a folder. Returns 1 on systems other than Linux. */
async function openFilesIn(folder: string): Promise<number> {
  if (process.platform !== "linux") return 1;
  const names = await Promise.all(
    (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return names.filter((it) => it.startsWith(folder)).length;
}

/** Kills a writer `ms` after its first acknowledgement. Returns the acknowledged numbers. */
async function killedWriter(folder: string, ms: number): Promise<readonly number[]> {
  const acknowledged: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const child = fork(WRITER, [folder], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  child.once("message", () => setTimeout(() => child.kill("SIGKILL"), ms));
  child.on("message", (number) => acknowledged.push(Number(number)));
  child.once("close", () => resolve());
  await promise;
  return acknowledged;
}
