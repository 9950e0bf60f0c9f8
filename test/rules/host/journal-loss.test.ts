import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import {
  copyFile,
  mkdtemp,
  open as openReal,
  readFile,
  rename,
  rm,
  truncate,
  unlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalEntry } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { JournalFile } from "../../../packages/node/src/journal/journal-file.ts";
import type { OpenFile } from "../../../packages/node/src/storage/durable-file.ts";
import { type ChainError, isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { fakeTxId } from "../../support/fakes/fake-gateway.ts";
import { fakeBytes, signedEntry, startedEntry } from "../../support/tracking/journal-entries.ts";
import type { PayingOrder, PayingReport } from "../../support/tracking/paying-process.ts";

const WINDOW = join(import.meta.dirname, "../../support/tracking/paying-process.ts");
const RACES = Number(process.env.FINALITY_LOSS_RACES ?? 60);

function seen(number: number): JournalEntry {
  return { kind: "seen-in-pool", txId: fakeTxId(number), at: number };
}

/** Changes of the file by other programs. */
const ATTACKS: Readonly<Record<string, (file: string) => Promise<void>>> = {
  removed: (file) => unlink(file),
  emptied: (file) => truncate(file),
  "overwritten with nothing": (file) => writeFile(file, ""),
  "cut in the middle": async (file) => truncate(file, Math.floor((await readFile(file)).length / 2)),
  "replaced by an empty one": async (file) => {
    await writeFile(`${file}.new`, "");
    await rename(`${file}.new`, file);
  },
};

describe("journal changed by another program", () => {
  let folder: string;
  let opened: JournalFile[];
  let losses: ChainError[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-loss-"));
    [opened, losses] = [[], []];
  });

  afterEach(async () => {
    await Promise.all(opened.map((it) => it.close()));
    await rm(folder, { recursive: true });
  });

  function open(): JournalFile {
    const journal = new JournalFile(folder, { onFollowError: assert.ifError, onLost: (it) => losses.push(it) });
    opened.push(journal);
    return journal;
  }

  const fresh = async (): Promise<readonly JournalEntry[]> => (await open().load()).entries;
  const byTime = (entries: readonly JournalEntry[]) => [...entries].sort((a, b) => a.at - b.at);

  for (const [name, attack] of Object.entries(ATTACKS)) {
    it(`M3: is completed and reported once after it was ${name}`, async () => {
      const journal = open();
      await journal.append([signedEntry(1, { at: 1 }), seen(2), seen(3)]);
      await journal.append([startedEntry(fakeBytes(1).txId, 1, 4)]);

      await attack(journal.file);
      await journal.append([seen(5)]);
      await journal.append([seen(6)]);

      assert.deepEqual(
        byTime(await fresh()).map(({ kind, at }) => [kind, at]),
        [
          ["signed", 1],
          ["seen-in-pool", 2],
          ["seen-in-pool", 3],
          ["broadcast-started", 4],
          ["seen-in-pool", 5],
          ["seen-in-pool", 6],
        ],
      );
      assert.equal(losses.length, 1);
      assert.match(losses[0]?.message ?? "", /removed or changed the journal .*journal\.jsonl.*then try again\.$/);
    });

    it(`M3: rejects a claim right after it was ${name}`, async () => {
      const journal = open();
      await journal.load();
      journal.onDidAppend(() => undefined);
      await journal.append([seen(1)]);

      await attack(journal.file);
      const claim = journal.appendInOrder([signedEntry(2)]);

      await assert.rejects(claim, (error) => isChainError(error) && error.code === "JOURNAL_LOST");
    });

    it(`M3: is completed by two windows, without duplicates, after it was ${name}`, async () => {
      const [first, second] = [open(), open()];
      const reported: JournalEntry[] = [];
      await Promise.all([first.load(), second.load()]);
      second.onDidAppend((entries) => reported.push(...entries));
      await first.append([seen(1)]);
      await second.append([seen(2)]);
      await second.catchUp();

      await attack(first.file);
      await Promise.all([first.append([seen(3)]), second.append([seen(4)])]);
      await second.catchUp();

      assert.deepEqual(
        byTime(await fresh()).map(({ at }) => at),
        [1, 2, 3, 4],
      );
      assert.deepEqual(
        byTime(reported).map(({ at }) => at),
        [1, 3],
      );
    });
  }

  it("M3: is completed after it was replaced by an older copy", async () => {
    const journal = open();
    await journal.append([seen(1)]);
    await copyFile(journal.file, `${journal.file}.copy`);
    await journal.append([seen(2)]);

    await rename(`${journal.file}.copy`, journal.file);
    await journal.append([seen(3)]);

    assert.deepEqual(await fresh(), [seen(1), seen(2), seen(3)]);
    assert.equal(losses.length, 1);
  });

  it("M3: is synced after it was replaced by a complete copy", async () => {
    let syncs = 0;
    const openFile: OpenFile = async (path, flags, mode) => {
      const handle = await openReal(path, flags, mode);
      const datasync = handle.datasync.bind(handle);
      handle.datasync = () => {
        syncs++;
        return datasync();
      };
      return handle;
    };
    const journal = new JournalFile(folder, { onFollowError: assert.ifError, openFile });
    opened.push(journal);
    await journal.append([signedEntry(1, { at: 1 })]);
    const before = syncs;
    await copyFile(journal.file, `${journal.file}.copy`);
    await rename(`${journal.file}.copy`, journal.file);

    assert.equal((await journal.load()).entries.length, 1);

    assert.ok(syncs > before, `${syncs} syncs`);
  });

  it("M3: is completed after it was emptied and has grown to its old length", async () => {
    const [first, second] = [open(), open()];
    await first.load();
    first.onDidAppend(() => undefined);
    await first.append([seen(1)]);
    await first.catchUp();
    await truncate(first.file);

    await second.append(Array.from({ length: 9 }, (_, index) => seen(10 + index)));
    await first.catchUp();

    assert.equal(losses.length, 1);
    assert.equal((await fresh()).length, 10);
  });

  it("M3: keeps the entries of the other window after it was removed", async () => {
    const [first, second] = [open(), open()];
    await Promise.all([first.load(), second.load()]);
    await first.append([seen(1)]);
    await first.close();

    await unlink(second.file);
    await second.append([seen(2)]);

    assert.deepEqual(await fresh(), [seen(1), seen(2)]);
  });

  it("reports no loss when another window compacts it", async () => {
    const [leader, other] = [open(), open()];
    await other.load();
    const block = (at: number) => ({ number: at, timestamp: at });
    const many = Array.from({ length: 1_500 }, (_, at) => ({
      kind: "seen-in-head" as const,
      txId: fakeTxId(1),
      at: at + 1,
      block: block(at),
    }));
    const id = "0".repeat(64) as never;
    const done = { kind: "solidified" as const, txId: fakeTxId(1), at: 9_000, block: { ...block(9), id } };
    await other.append([...many, { ...done, outcome: { kind: "success" } }]);
    other.onDidAppend(() => undefined);
    await other.catchUp();

    assert.ok((await leader.compact()) > 1_000);
    await other.append([seen(2)]);
    await other.catchUp();

    assert.deepEqual(losses, []);
    assert.equal((await fresh()).length, 3);
  });

  it(`M3: lets at most one of two processes pay while it is changed, in ${RACES} races`, async function () {
    this.timeout(600_000);
    const children = [fork(WINDOW, [folder]), fork(WINDOW, [folder])];
    const order = async (message: PayingOrder): Promise<readonly PayingReport[]> =>
      await Promise.all(
        children.map(async (child, index) => {
          const answer = once(child, "message");
          child.send({ ...message, bytes: message.bytes + index * 1_000 });
          return (await answer)[0] as PayingReport;
        }),
      );
    const outcomes: { [outcome: string]: number } = {};
    try {
      await Promise.all(children.map((it) => once(it, "message")));
      for (let race = 1; race <= RACES; race++) {
        const place = join(folder, String(race));
        await order({ open: place, intent: race, bytes: race });
        const attack = Object.values(ATTACKS)[race % Object.keys(ATTACKS).length];
        const paid = order({ intent: race, bytes: race });
        for (let turn = 0; turn < race % 40; turn++) await new Promise((resolve) => setImmediate(resolve));
        await attack?.(join(place, "journal.jsonl")).catch(() => undefined);
        const reports = (await paid).map((it) => (it === "ready" ? it : it.outcome)).sort();
        outcomes[reports.join(" + ")] = (outcomes[reports.join(" + ")] ?? 0) + 1;
        assert.ok(reports.filter((it) => it.startsWith("sent")).length <= 1, `race ${race}: ${reports}`);
      }
    } finally {
      for (const child of children) child.kill("SIGKILL");
    }
    process.stdout.write(`      ${JSON.stringify(outcomes)}\n`);
  });
});
