import assert from "node:assert/strict";
import { type Claim, RUN_VERSION, type RunStore, type Worker } from "../../../packages/client/src/runs/run-store.ts";
import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { ACCEPTED, answeredEntry, blockReference, signedEntry, startedEntry } from "../tracking/journal-entries.ts";
import { newRun, paymentRows, RUN_NETWORK } from "./run-fixture.ts";

/** A store of runs with what a test needs besides its methods. */
export interface StoreUnderTest {
  /** Opens a connection of one more worker, which has loaded the journal. */
  open(): Promise<RunStore>;
  /** Lets the leases of all claims end. */
  endLeases(): Promise<void>;
  close(): Promise<void>;
}

const WORKER: Worker = { id: "w1", version: RUN_VERSION };
const OTHER: Worker = { id: "w2", version: RUN_VERSION };
const ALL = { limit: 100, leaseMs: 60_000 } as const;
const FAILED = { kind: "failure", message: "It was executed and failed." } as const;

/** Describes what every store of runs does. */
export function describeRunStore(name: string, create: () => Promise<StoreUnderTest>, timeoutMs = 20_000): void {
  describe(`${name} as a store of runs`, function () {
    this.timeout(timeoutMs);
    let subject: StoreUnderTest;
    let first: RunStore;
    let second: RunStore;

    beforeEach(async () => {
      subject = await create();
      [first, second] = [await subject.open(), await subject.open()];
    });

    afterEach(() => subject.close());

    async function claimOne(store = first, worker = WORKER): Promise<Claim> {
      const [claim] = await store.claim(worker, { ...ALL, limit: 1 });
      assert.ok(claim !== undefined, "no claim");
      return claim;
    }

    async function attemptsOf(row: number): Promise<readonly TxId[]> {
      return (await second.rows(newRun().id, { from: row, limit: 1 }))[0]?.attempts ?? [];
    }

    /** Records that an attempt was executed and failed, so that a user may permit another one. */
    async function fail(txId: TxId): Promise<void> {
      await first.journal.append([
        startedEntry(txId),
        answeredEntry(txId, ACCEPTED),
        {
          ...{ kind: "solidified", txId, at: 2_000, block: blockReference(9) },
          outcome: { kind: "failed", result: "REVERT", message: "no" },
        },
      ]);
    }

    it("stores a run with all of its rows, also for other workers", async () => {
      await first.create(newRun(), paymentRows(3));

      assert.deepEqual(await second.runs(), [{ ...newRun(), control: "running", rows: 3, attempted: 0 }]);
      const rows = await second.rows(newRun().id, { from: 2, limit: 1 });
      assert.deepEqual(
        rows.map(({ row, key, attempts }) => ({ row, key, attempts })),
        [{ row: 2, key: "k2", attempts: [] }],
      );
    });

    it("stores all rows of a run or none if one key belongs to another run, and keeps the keys of ended runs", async () => {
      await first.create(newRun(), paymentRows(2));
      await first.setControl(newRun().id, "stopping");
      await subject.endLeases();
      const later = newRun({ id: "later", createdAt: newRun().createdAt + 400 * 86_400_000 });

      await assert.rejects(
        second.create(
          later,
          paymentRows(5, (row) => (row === 5 ? "k1" : `other${row}`)),
        ),
        { code: "RUN_KEY_USED" },
      );
      assert.equal(await second.run("later"), undefined);
      assert.deepEqual(await second.rows("later", { from: 1, limit: 10 }), []);
      await second.create(
        later,
        paymentRows(4, (row) => `other${row}`),
      );
    });

    it("refuses the same key twice in a run", async () => {
      await assert.rejects(
        first.create(
          newRun(),
          paymentRows(2, () => "same"),
        ),
        { code: "RUN_KEY_USED" },
      );
      assert.deepEqual(await first.runs(), []);
    });

    it("lets one of two workers create runs with the same key at the same time", async () => {
      const created = await Promise.allSettled([
        first.create(newRun({ id: "a" }), paymentRows(5)),
        second.create(newRun({ id: "b" }), paymentRows(5)),
      ]);

      assert.deepEqual(created.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
      assert.equal((await first.runs()).length, 1);
    });

    it("changes nothing when a run is created again, and refuses other rows for its id", async () => {
      await first.create(newRun(), paymentRows(2));
      await second.create(newRun(), paymentRows(2));

      await assert.rejects(second.create(newRun(), paymentRows(3)), { code: "RUN_DIFFERS" });
      assert.deepEqual(
        (await first.runs()).map(({ rows }) => rows),
        [2],
      );
    });

    it("gives each row to one of several workers that claim at the same time", async () => {
      await first.create(newRun(), paymentRows(30));
      const stores = [first, second, await subject.open(), await subject.open()];

      const claims = await Promise.all(
        stores.map((it, at) => it.claim({ ...WORKER, id: `w${at}` }, { ...ALL, limit: 12 })),
      );
      const more = await first.claim(WORKER, ALL);

      const rows = [...claims.flat(), ...more].map(({ row }) => row);
      assert.equal(new Set(rows).size, rows.length, "a row was given twice");
      assert.equal(rows.length, 30);
      assert.ok(claims.every(({ length }) => length <= 12));
    });

    it("gives a row to another worker only after its lease, with a greater fence", async () => {
      await first.create(newRun(), paymentRows(1));
      const old = await claimOne();
      assert.deepEqual(await second.claim(OTHER, ALL), []);
      await subject.endLeases();

      const young = await claimOne(second, OTHER);

      assert.ok(young.fence > old.fence, `${young.fence} after ${old.fence}`);
      assert.deepEqual(await first.extend([old], 60_000), []);
      await first.release([old]);
      assert.deepEqual(await first.claim(WORKER, ALL), []);
      assert.deepEqual(
        (await second.extend([young], 60_000)).map(({ fence }) => fence),
        [young.fence],
      );
    });

    it("refuses the commit of a worker that lost its row, before and after the next one commits", async () => {
      await first.create(newRun(), paymentRows(1));
      const old = await claimOne();
      await subject.endLeases();
      const young = await claimOne(second, OTHER);

      assert.equal(await first.commitAttempt(old, signedEntry(1)), "fenced");
      assert.equal(await second.commitAttempt(young, signedEntry(2)), "committed");
      assert.equal(await first.commitAttempt(old, signedEntry(1)), "fenced");
      assert.deepEqual(await attemptsOf(1), [signedEntry(2).txId]);
    });

    it("adds one attempt for a claim: the same bytes once more change nothing, other bytes are refused", async () => {
      await first.create(newRun(), paymentRows(2));
      const [claim, other] = await first.claim(WORKER, ALL);
      assert.ok(claim !== undefined && other !== undefined);

      assert.equal(await first.commitAttempt(claim, signedEntry(1)), "committed");
      assert.equal(await first.commitAttempt(claim, signedEntry(1)), "committed");
      assert.equal(await first.commitAttempt(claim, signedEntry(2)), "attempt-exists");
      assert.equal(await first.commitAttempt(other, signedEntry(1)), "tx-id-used");
      assert.deepEqual([await attemptsOf(1), await attemptsOf(2)], [[signedEntry(1).txId], []]);
    });

    it("stores the signed bytes of each attempt, and of no other", async () => {
      await first.create(newRun(), paymentRows(2));
      const [claim, other] = await first.claim(WORKER, ALL);
      assert.ok(claim !== undefined && other !== undefined);
      await first.commitAttempt(claim, signedEntry(1));
      await first.commitAttempt(claim, signedEntry(2));

      const { entries } = await (await subject.open()).journal.load();

      assert.deepEqual(
        entries.map(({ kind, txId }) => `${kind} ${txId}`),
        [`signed ${signedEntry(1).txId}`],
      );
    });

    it("gives an attempt that may not have arrived to the next worker, and none that was accepted", async () => {
      await first.create(newRun(), paymentRows(2));
      const claims = await first.claim(WORKER, ALL);
      for (const [index, claim] of claims.entries()) await first.commitAttempt(claim, signedEntry(index + 1));
      const [unsent, sent] = [signedEntry(1).txId, signedEntry(2).txId];
      await first.journal.append([startedEntry(unsent), startedEntry(sent), answeredEntry(sent, ACCEPTED)]);
      await subject.endLeases();

      const taken = await second.claim(OTHER, ALL);

      assert.deepEqual(
        taken.map(({ row, attempts }) => ({ row, attempts })),
        [{ row: 1, attempts: [unsent] }],
      );
    });

    it("adds another attempt only after the permission to follow the last one", async () => {
      await first.create(newRun(), paymentRows(1));
      const { txId } = signedEntry(1);
      await first.commitAttempt(await claimOne(), signedEntry(1));
      await fail(txId);
      await subject.endLeases();
      assert.deepEqual(await second.claim(OTHER, ALL), []);
      await second.permitRetry(newRun().id, 1, signedEntry(9).txId, FAILED);
      assert.deepEqual(await second.claim(OTHER, ALL), []);

      await second.permitRetry(newRun().id, 1, txId, FAILED);
      await second.permitRetry(newRun().id, 1, txId, FAILED);
      const claim = await claimOne(second, OTHER);

      assert.deepEqual([claim.attempts, claim.retryAfter], [[txId], txId]);
      assert.equal(await second.commitAttempt(claim, signedEntry(2)), "committed");
      await second.permitRetry(newRun().id, 1, txId, FAILED);
      assert.equal(await second.commitAttempt(claim, signedEntry(3)), "attempt-exists");
      assert.deepEqual(await attemptsOf(1), [txId, signedEntry(2).txId]);
    });

    it("gives no row of a paused or stopping run, and none of a newer format", async () => {
      await first.create(newRun(), paymentRows(1));
      await first.create(
        newRun({ id: "newer", version: RUN_VERSION + 1 }),
        paymentRows(1, () => "n1"),
      );
      await first.setControl(newRun().id, "paused");
      assert.deepEqual(await second.claim(OTHER, ALL), []);
      await first.setControl(newRun().id, "stopping");
      assert.deepEqual(await second.claim(OTHER, ALL), []);
      await first.setControl(newRun().id, "running");

      const claims = await second.claim(OTHER, ALL);

      assert.deepEqual(
        claims.map(({ run }) => run),
        [newRun().id],
      );
    });

    it("lets one worker lead the tracking of a network, and the next one after it", async () => {
      const lead = await first.lead(RUN_NETWORK);
      assert.ok(lead !== undefined);
      assert.equal(await second.lead(RUN_NETWORK), undefined);
      await lead.release();

      const next = await second.lead(RUN_NETWORK);

      assert.ok(next !== undefined);
      assert.equal(next.lost.aborted, false);
      await next.release();
    });

    it("keeps the facts of all workers, those of a transaction in their order", async () => {
      await first.create(newRun(), paymentRows(1));
      await first.commitAttempt(await claimOne(), signedEntry(1));
      const { txId } = signedEntry(1);
      await first.journal.append([startedEntry(txId, 1)]);
      await second.journal.append([answeredEntry(txId, ACCEPTED)]);
      await first.journal.append([{ kind: "seen-in-pool", txId, at: 3_000 }]);

      const { entries } = await (await subject.open()).journal.load();

      assert.deepEqual(
        entries.map(({ kind }) => kind),
        ["signed", "broadcast-started", "broadcast-answered", "seen-in-pool"],
      );
    });

    it("reads 1,500 rows in pages and claims the last ones after the first", async () => {
      await first.create(newRun(), paymentRows(1_500));

      const pages = await Promise.all([1, 1_001].map((from) => second.rows(newRun().id, { from, limit: 1_000 })));
      const claims = await first.claim(WORKER, { ...ALL, limit: 1_000 });
      const more = await second.claim(OTHER, { ...ALL, limit: 1_000 });

      assert.deepEqual(
        pages.map((rows) => [rows.length, rows.at(-1)?.row]),
        [
          [1_000, 1_000],
          [500, 1_500],
        ],
      );
      assert.deepEqual([claims.length, more.length, more.at(-1)?.row], [1_000, 500, 1_500]);
    });
  });
}
