import assert from "node:assert/strict";
import { RunBench, withCommit } from "../../../../test/support/runs/run-bench.ts";
import { newRun, paymentRows } from "../../../../test/support/runs/run-fixture.ts";
import { signedEntry } from "../../../../test/support/tracking/journal-entries.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { rowState } from "../../src/runs/run-progress.ts";

const NO_ANSWER = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "http://fake.test", attempts: 1, reason: "gone" });
const LOST = { kind: "unknown", cause: NO_ANSWER } as const;
const each = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

const EXPIRED = { kind: "rejected", code: "TRANSACTION_EXPIRATION_ERROR", message: "expired" } as const;

describe("RunWorker", () => {
  let bench: RunBench;

  beforeEach(() => {
    bench = new RunBench();
  });

  afterEach(async () => {
    await bench.close();
  });

  /** Returns the states of all rows, by the journal that all workers share. */
  async function states(tracker: { get: Parameters<typeof rowState>[1] }): Promise<readonly string[]> {
    const rows = await bench.store.rows(newRun().id, { from: 1, limit: 10_000 });
    return rows.map((row) => rowState(row, (txId) => tracker.get(txId)));
  }

  it("executes each row once and ends when all are final", async () => {
    await bench.create(30);

    const { ended } = await bench.start("w1");

    assert.deepEqual(await bench.mineUntil(ended), { kind: "finished" });
    assert.deepEqual(
      (await bench.executedRows()).toSorted((a, b) => a - b),
      each(30),
    );
  });

  it("shares a run between workers", async () => {
    await bench.create(40);

    const workers = await Promise.all(["w1", "w2", "w3"].map((id) => bench.start(id)));

    await bench.mineUntil(Promise.all(workers.map(({ ended }) => ended)));
    assert.deepEqual(
      (await bench.executedRows()).toSorted((a, b) => a - b),
      each(40),
    );
  });

  it("executes rows with equal intents once each", async () => {
    const [first] = paymentRows(1);
    assert.ok(first !== undefined);
    await bench.store.create(
      newRun(),
      each(10).map((row) => ({ ...first, row, key: `k${row}` })),
    );

    const { ended } = await bench.start("w1");

    await bench.mineUntil(ended);
    assert.deepEqual(
      (await bench.executedRows()).toSorted((a, b) => a - b),
      each(10),
    );
    assert.equal(new Set(bench.executed).size, 10);
  });

  it("stores signed bytes before it sends them", async () => {
    await bench.create(1);
    const { ended } = await bench.start("w1");
    await bench.mineUntil(ended);

    assert.deepEqual(bench.store.journal.kinds.slice(0, 3), ["signed", "broadcast-started", "broadcast-answered"]);
  });

  it("sends the same bytes again after a lost answer, and never others", async () => {
    await bench.create(3);
    bench.gateway.answerBroadcast(LOST, LOST, LOST, LOST);

    const { ended } = await bench.start("w1");

    await bench.mineUntil(ended);
    assert.deepEqual(
      (await bench.executedRows()).toSorted((a, b) => a - b),
      each(3),
    );
    const signed = bench.store.journal.kinds.filter((it) => it === "signed");
    assert.equal(signed.length, 3);
  });

  it("tries a row again after a proof that no block contains it", async () => {
    await bench.create(1);
    let first: string | undefined;
    const lostFirst = ({ txId }: { readonly txId: string }) => {
      first ??= txId;
      return txId === first ? LOST : ({ kind: "accepted" } as const);
    };
    bench.gateway.answerBroadcast(...Array.from({ length: 40 }, () => lostFirst));

    const { ended } = await bench.start("w1");
    await bench.mineUntil(ended, 600);

    const [row] = await bench.store.rows(newRun().id, { from: 1, limit: 1 });
    assert.equal(row?.attempts.length, 2);
    assert.equal(row?.retryAfter, row?.attempts[0]);
    assert.deepEqual(await bench.executedRows(), [1]);
    assert.ok(bench.store.journal.kinds.includes("proven-absent"));
  });

  it("sends the bytes that a dead worker committed", async () => {
    await bench.create(1);
    const dead = withCommit(bench.store.connect(), async (claim, entry) => {
      await bench.store.commitAttempt(claim, entry);
      return await new Promise(() => undefined);
    });
    await bench.start("dead", { store: dead });
    await bench.clock.advance(1_000);
    assert.deepEqual(bench.store.journal.kinds, ["signed"]);

    // Its leases are extended for as long as it lives.
    const [claim] = await bench.store.rows(newRun().id, { from: 1, limit: 1 });
    bench.store.expireLeases();
    const { ended } = await bench.start("w2");
    await bench.mineUntil(ended);

    assert.deepEqual(bench.executed, claim?.attempts);
    assert.deepEqual(await bench.executedRows(), [1]);
  });

  it("commits the same bytes again after a lost acknowledgement, and sends committed ones only", async () => {
    await bench.create(2);
    const store = bench.store.connect();
    let commits = 0;
    const lossy = withCommit(store, async (claim, entry) => {
      const number = commits++;
      if (number === 0) throw new ChainError("RUN_COMMIT_UNKNOWN", { txId: entry.txId, reason: "cut" });
      const result = await store.commitAttempt(claim, entry);
      if (number > 2) return result;
      throw new ChainError("RUN_COMMIT_UNKNOWN", { txId: entry.txId, reason: "cut" });
    });

    const { ended } = await bench.start("w1", { store: lossy, leaseMs: 9_000 });
    await bench.mineUntil(ended);

    assert.deepEqual(
      (await bench.executedRows()).toSorted((a, b) => a - b),
      [1, 2],
    );
    assert.equal(bench.executed.length, 2);
  });

  it("waits for an equal transaction outside of the run", async () => {
    await bench.create(1);
    const [row] = paymentRows(1);
    assert.ok(row !== undefined);
    const outside = signedEntry(7, { intent: row.intent, network: "test", signers: [] });
    await bench.store.journal.append([outside]);

    const { ended, warnings } = await bench.start("w1");
    await bench.mine();
    assert.deepEqual(bench.executed, []);
    assert.match(warnings.join(), /waits for/);

    bench.store.journal.write({ kind: "replaced", txId: outside.txId, at: 9_000, by: signedEntry(8).txId });
    bench.store.journal.write({
      ...{ kind: "solidified", txId: outside.txId, at: 9_000, outcome: { kind: "success" } },
      block: bench.gateway.solid,
    });
    await bench.mineUntil(ended);
    assert.deepEqual(await bench.executedRows(), [1]);
  });

  it("claims nothing while the run is paused, and goes on after that", async () => {
    await bench.create(50);
    await bench.store.setControl(newRun().id, "paused");
    const { ended } = await bench.start("w1");
    await bench.mine();
    assert.deepEqual(bench.executed, []);

    await bench.store.setControl(newRun().id, "running");

    assert.deepEqual(await bench.mineUntil(ended), { kind: "finished" });
  });

  it("ends after the current rows when the run is stopped", async () => {
    await bench.create(500);
    const { ended } = await bench.start("w1", { concurrency: 2 });
    await bench.store.setControl(newRun().id, "stopping");

    assert.deepEqual(await bench.mineUntil(ended), { kind: "stopped" });
    const executed = await bench.executedRows();
    assert.ok(executed.length < 500);
    assert.equal(new Set(executed).size, executed.length);
  });

  it("stops after consecutive refusals", async () => {
    await bench.create(20);
    const refused = {
      kind: "rejected",
      code: "CONTRACT_VALIDATE_ERROR",
      message: "balance is not sufficient.",
    } as const;
    bench.gateway.answerBroadcast(...Array.from({ length: 20 }, () => refused));

    const { ended, tracker } = await bench.start("w1", { concurrency: 1 });
    const end = await bench.mineUntil(ended);

    assert.equal(end.kind, "stopped");
    assert.match(end.reason ?? "", /refused 5 rows .*balance is not sufficient/);
    assert.deepEqual((await states(tracker)).slice(0, 6), [...Array.from({ length: 5 }, () => "rejected"), "waiting"]);
    assert.equal((await bench.store.run(newRun().id))?.control, "stopping");
  });

  it("goes on after the computer slept longer than its signed rows are valid", async () => {
    await bench.create(10);
    const asleep = new Set<string>();
    bench.gateway.answerBroadcast(
      ...Array.from({ length: 40 }, () => ({ txId }: { readonly txId: string }) => {
        if (asleep.size === 0) {
          bench.clock.jump(90_000);
          bench.gateway.mineEmpty(30);
        }
        if (asleep.size < 8) asleep.add(txId);
        if (!asleep.has(txId)) return { kind: "accepted" } as const;
        return EXPIRED;
      }),
    );

    const { ended } = await bench.start("w1", { concurrency: 8 });

    assert.deepEqual(await bench.mineUntil(ended, 600), { kind: "finished" });
    assert.deepEqual(
      (await bench.executedRows()).toSorted((a, b) => a - b),
      each(10),
    );
  });

  it("sends the bytes of a busy node's row again, also those of a dead worker", async () => {
    await bench.create(1);
    const busy = { kind: "rejected", code: "SERVER_BUSY", message: "busy" } as const;
    bench.gateway.answerBroadcast(busy, busy);
    const first = await bench.start("w1");
    await bench.clock.advance(500);
    first.stop.abort();
    await bench.mineUntil(first.ended);
    assert.deepEqual(await bench.executedRows(), []);

    const { ended } = await bench.start("w2");

    assert.deepEqual(await bench.mineUntil(ended), { kind: "finished" });
    assert.deepEqual(await bench.executedRows(), [1]);
    assert.equal(bench.store.journal.kinds.filter((it) => it === "signed").length, 1);
  });

  it("refuses a gateway of another chain", async () => {
    await bench.create(1);
    const { ended } = await bench.start("w1", { network: { network: "test" } });

    await assert.rejects(bench.mineUntil(ended), { code: "CHAIN_CHANGED" });
  });

  /** A store that needs longer for the first commit of a row than the bytes are valid. */
  function slowStore() {
    return withCommit(bench.store.connect(), async (claim, entry) => {
      const result = await bench.store.commitAttempt(claim, entry);
      if (claim.attempts.length === 0) await bench.clock.sleep(90_000);
      return result;
    });
  }

  it("confirms a refusal as expired, so that only a proof permits another attempt", async () => {
    await bench.create(1);
    bench.gateway.answerBroadcast(EXPIRED, EXPIRED);

    const { ended } = await bench.start("w1", { store: slowStore() });
    await bench.mineUntil(ended, 600);

    const kinds = bench.store.journal.kinds;
    assert.equal(kinds.filter((it) => it === "signed").length, 2);
    assert.ok(kinds.indexOf("proven-absent") < kinds.lastIndexOf("signed"));
    assert.deepEqual(await bench.executedRows(), [1]);
  });

  it("confirms a refusal as expired that a dead worker did not confirm", async () => {
    await bench.create(1);
    let first: Awaited<ReturnType<RunBench["start"]>> | undefined;
    bench.gateway.answerBroadcast(() => {
      first?.stop.abort();
      return EXPIRED;
    }, EXPIRED);
    first = await bench.start("w1", { store: slowStore() });
    await bench.mineUntil(first.ended, 100);
    const answers = bench.store.journal.kinds.filter((it) => it === "broadcast-answered");
    assert.deepEqual([answers.length, await bench.executedRows()], [1, []]);

    await bench.store.setControl(newRun().id, "paused");
    const paused = await bench.start("w2");
    await bench.mineUntil(paused.ended);
    assert.equal(bench.store.journal.kinds.filter((it) => it === "broadcast-answered").length, 1, "a paused run sends");

    await bench.store.setControl(newRun().id, "running");
    const { ended } = await bench.start("w3");

    assert.deepEqual(await bench.mineUntil(ended, 600), { kind: "finished" });
    assert.deepEqual(await bench.executedRows(), [1]);
  });
});
