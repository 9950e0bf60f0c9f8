import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { newRun, paymentRows } from "../../../../test/support/runs/run-fixture.ts";
import { ACCEPTED, answeredEntry, signedEntry } from "../../../../test/support/tracking/journal-entries.ts";
import { FileRunStore } from "../../src/runs/file-run-store.ts";

const worker = { id: "w1", version: 1 };
const options = { run: newRun().id, limit: 10, leaseMs: 10_000 };

describe("FileRunStore", () => {
  let folder: string;
  let clock: FakeClock;
  const stores: FileRunStore[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "runs-"));
    clock = new FakeClock();
  });

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens the store as one more process does. */
  async function open(name = ""): Promise<FileRunStore> {
    const store = new FileRunStore(join(folder, name), clock);
    stores.push(store);
    await store.journal.load();
    return store;
  }

  it("stores a run once, for all processes", async () => {
    const [first, second] = [await open(), await open()];
    await first.create(newRun(), paymentRows(3));
    await second.create(newRun(), paymentRows(3));

    assert.deepEqual(await second.runs(), [{ ...newRun(), control: "running", rows: 3, attempted: 0 }]);
    const rows = await second.rows(newRun().id, { from: 2, limit: 5 });
    assert.deepEqual(
      rows,
      paymentRows(3)
        .slice(1)
        .map((it) => ({ ...it, attempts: [] })),
    );
    await assert.rejects(second.create(newRun(), paymentRows(2)), { code: "RUN_DIFFERS" });
  });

  it("refuses a key of another run, also of one that another process creates at the same time", async () => {
    const [first, second] = [await open(), await open()];

    const created = await Promise.allSettled([
      first.create(newRun({ id: "a" }), paymentRows(5)),
      second.create(newRun({ id: "b" }), paymentRows(2)),
    ]);

    const refused = created.filter((it) => it.status === "rejected");
    assert.equal(refused.length, 1);
    assert.equal(refused[0]?.reason.code, "RUN_KEY_USED");
    assert.equal((await (await open()).runs()).length, 1);
  });

  it("gives each row to one of two processes, and to another one after the lease", async () => {
    const [first, second] = [await open(), await open()];
    await first.create(newRun(), paymentRows(8));

    const [left, right] = await Promise.all([
      first.claim(worker, { ...options, limit: 4 }),
      second.claim(worker, { ...options, limit: 8 }),
    ]);

    const rows = [...left, ...right].map(({ row }) => row);
    assert.equal(new Set(rows).size, rows.length);
    await second.claim(worker, options);
    await clock.advance(10_001);
    const again = await first.claim(worker, options);
    assert.equal(again.length, 8);
    const [old] = right;
    assert.ok(old !== undefined);
    assert.equal(await second.commitAttempt(old, signedEntry(1)), "fenced");
  });

  it("takes over the rows of a process that has ended at once", async () => {
    const store = await open();
    await store.create(newRun(), paymentRows(1));
    const [file = ""] = readdirSync(join(folder, "runs")).filter((it) => it !== "index.jsonl" && it.endsWith("jsonl"));
    const claim = { kind: "claim", w: "dead", n: 0, until: 9e15, pid: 2 ** 30, rows: [{ row: 1, fence: "0" }] };
    appendFileSync(join(folder, "runs", file), `\n${JSON.stringify(claim)}\n`);

    assert.deepEqual(
      (await store.claim(worker, options)).map(({ fence }) => fence),
      [2n],
    );
  });

  it("commits one attempt of a row, and the same bytes again", async () => {
    const store = await open();
    await store.create(newRun(), paymentRows(2));
    const [claim, other] = await store.claim(worker, options);
    assert.ok(claim !== undefined && other !== undefined);

    assert.equal(await store.commitAttempt(claim, signedEntry(1)), "committed");
    assert.equal(await store.commitAttempt(claim, signedEntry(1)), "committed");
    assert.equal(await store.commitAttempt(claim, signedEntry(2)), "attempt-exists");
    assert.equal(await store.commitAttempt(other, signedEntry(1)), "tx-id-used");

    const { entries } = await (await open()).journal.load();
    assert.deepEqual(
      entries.map(({ txId }) => txId),
      [signedEntry(1).txId],
    );
  });

  it("permits another attempt after the last one only", async () => {
    const store = await open();
    await store.create(newRun(), paymentRows(1));
    const [claim] = await store.claim(worker, options);
    assert.ok(claim !== undefined);
    const { txId } = signedEntry(1);
    await store.commitAttempt(claim, signedEntry(1));
    await store.journal.append([answeredEntry(txId, ACCEPTED)]);
    await store.permitRetry(newRun().id, 1, signedEntry(9).txId, { kind: "proof", message: "" });
    assert.deepEqual(await store.claim(worker, options), []);

    await store.permitRetry(newRun().id, 1, txId, { kind: "proof", message: "" });

    const [again] = await store.claim(worker, options);
    assert.equal(again?.retryAfter, txId);
    assert.equal(again && (await store.commitAttempt(again, signedEntry(2))), "committed");
    assert.deepEqual((await store.rows(newRun().id, { from: 1, limit: 1 }))[0]?.attempts, [txId, signedEntry(2).txId]);
  });

  it("claims nothing of a paused run or a newer format", async () => {
    const store = await open();
    await store.create(newRun({ version: 2 }), paymentRows(1));
    assert.deepEqual(await store.claim(worker, options), []);
    await store.setControl(newRun().id, "paused");
    assert.deepEqual(await store.claim({ ...worker, version: 2 }, options), []);
    assert.equal((await (await open()).run(newRun().id))?.control, "paused");
  });

  it("has the attempt in the journal after a process ended between both files", async () => {
    const store = await open();
    await store.create(newRun(), paymentRows(1));
    const [claim] = await store.claim(worker, options);
    assert.ok(claim !== undefined);
    await store.commitAttempt(claim, signedEntry(1));
    writeFileSync(join(folder, "journal.jsonl"), "");

    const { entries } = await (await open()).journal.load();

    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ["signed"],
    );
  });

  it("knows an attempt that only the journal has", async () => {
    const store = await open();
    await store.create(newRun(), paymentRows(1));
    await store.journal.append([signedEntry(1, { run: { id: newRun().id, row: 1 } })]);

    const [row] = await (await open()).rows(newRun().id, { from: 1, limit: 1 });

    assert.deepEqual(row?.attempts, [signedEntry(1).txId]);
  });

  it("skips a line that a process left incomplete", async () => {
    const store = await open();
    await store.create(newRun(), paymentRows(1));
    const [file = ""] = readdirSync(join(folder, "runs")).filter((it) => it !== "index.jsonl" && it.endsWith("jsonl"));
    appendFileSync(join(folder, "runs", file), '\n{"kind":"claim","w":"x","n":0,"un');

    const claims = await (await open()).claim(worker, options);

    assert.equal(claims.length, 1);
  });

  it("stops when another program removes the file of a run", async () => {
    const store = await open();
    await store.create(newRun(), paymentRows(1));
    await store.claim(worker, { ...options, limit: 1 });
    for (const file of readdirSync(join(folder, "runs"))) rmSync(join(folder, "runs", file));

    await assert.rejects(store.claim(worker, options), { code: "RUN_STORE_UNAVAILABLE" });
  });

  it("leads a network in one process at a time", async () => {
    const [first, second] = [await open(), await open()];
    const leadership = await first.lead({ network: "test" });

    assert.equal(await second.lead({ network: "test" }), undefined);
    await leadership?.release();
    const next = await second.lead({ network: "test" });
    assert.ok(next !== undefined);
    await next.release();
  });

  for (const [path, name] of [
    ["a short path", "store"],
    ["a path that is too long for a socket", "long".repeat(40)],
  ] as const)
    it(`lets one process at a time hold a run of a folder with ${path}`, async () => {
      const [first, second] = [await open(name), await open(name)];
      assert.equal(await first.isHeld("run"), false);
      const held = await first.hold("run");

      assert.ok(held !== undefined);
      assert.equal(await second.hold("run"), undefined);
      assert.equal(await second.isHeld("run"), true);
      assert.equal(await second.isHeld("another run"), false);
      await held.release();
      assert.equal(await second.isHeld("run"), false);
      const next = await second.hold("run");
      assert.ok(next !== undefined);
      assert.equal(await first.hold("run"), undefined);
      await next.release();
    });

  it("removes its temporary files when it is closed", async () => {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = folder;
    try {
      const store = await open("long".repeat(40));
      await store.isHeld("run");
      assert.equal(readdirSync(folder).length, 2);
      await store.close();
      assert.equal(readdirSync(folder).length, 1);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
  });
});
