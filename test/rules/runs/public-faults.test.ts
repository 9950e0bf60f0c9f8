import assert from "node:assert/strict";
import { ChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { checkRun, type PaymentRow, type RunCheck } from "../../support/runs/checker.ts";
import { RunBench, withCommit } from "../../support/runs/run-bench.ts";
import { newRun, paymentRows } from "../../support/runs/run-fixture.ts";

const DAY_MS = 86_400_000;
const SILENT = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "http://fake.test", attempts: 1, reason: "gone" });

/** Situations in which other tools paid twice or stopped, as their users reported them. */
describe("situations of other tools", () => {
  let bench: RunBench;

  beforeEach(() => {
    bench = new RunBench();
  });

  afterEach(() => bench.close());

  /** Compares the blocks with the rows of the runs in the store. */
  async function check(...runs: readonly string[]): Promise<RunCheck> {
    const blocks = bench.gateway.chainBlocks.filter(({ number }) => number <= bench.gateway.solid.number);
    const transactions = blocks.flatMap((block) =>
      block.transactions.map(({ txId, rawDataHex = "", contractResult }) => ({
        ...{ txId, rawDataHex, succeeded: contractResult === "SUCCESS" },
      })),
    );
    const stored = await Promise.all(runs.map(async (run) => await rowsOf(run)));
    return checkRun(transactions, stored.flat());
  }

  async function rowsOf(run: string): Promise<readonly PaymentRow[]> {
    const rows = await bench.store.rows(run, { from: 1, limit: 1_000 });
    return rows.flatMap(({ row, key, intent, attempts }) =>
      intent.kind === "transfer" ? [{ run, row, key, attempts, ...intent }] : [],
    );
  }

  const ONCE = { twice: [], lost: [], unknown: [], different: [] };

  it("OpenZeppelin Relayer 836: a recovery that prepares a pending record again while the first preparation goes on makes one transaction", async () => {
    await bench.create(1);
    const first = bench.store.connect();
    const signed: string[] = [];
    const stalled = withCommit(first, async (claim, entry) => {
      signed.push(entry.txId);
      // Longer than the lease: meanwhile another worker prepares the record.
      await bench.clock.sleep(90_000);
      return await first.commitAttempt(claim, entry);
    });
    const slow = await bench.start("slow", { store: stalled });
    await bench.clock.advance(1_000);
    bench.store.expireLeases();

    const { ended } = await bench.start("recovery");
    await bench.mineUntil(Promise.all([ended, slow.ended]), 100);

    const { executed, ...rest } = await check(newRun().id);
    assert.deepEqual([executed, rest], [1, ONCE]);
    const [row] = await rowsOf(newRun().id);
    assert.equal(row?.attempts.length, 1);
    assert.ok(signed.length === 1 && !row.attempts.includes(signed[0] ?? ""), "the stalled bytes never left");
  });

  it("OpenZeppelin Relayer 818 and 843: attempts that fail before their broadcast block no later row", async () => {
    await bench.create(20);
    const down = () => ({ kind: "unknown", cause: SILENT }) as const;
    bench.gateway.answerBroadcast(...Array.from({ length: 30 }, () => down));

    const { ended } = await bench.start("w1");
    await bench.mineUntil(ended, 400);

    const { executed, ...rest } = await check(newRun().id);
    assert.deepEqual([executed, rest], [20, ONCE]);
  });

  it("OpenZeppelin Relayer 844: a worker that dies between signature and broadcast leaves no row that is never sent", async () => {
    await bench.create(5);
    const store = bench.store.connect();
    const dying = withCommit(store, async (claim, entry) => {
      await store.commitAttempt(claim, entry);
      return await new Promise(() => undefined);
    });
    await bench.start("dying", { store: dying });
    await bench.clock.advance(1_000);
    bench.store.expireLeases();

    const { ended } = await bench.start("w2");
    await bench.mineUntil(ended, 200);

    const { executed, ...rest } = await check(newRun().id);
    assert.deepEqual([executed, rest], [5, ONCE]);
  });

  it("Solana Developer Platform 673: two requests with the same idempotency key pay once", async () => {
    await bench.create(3);
    const again = newRun({ id: "again" });

    const results = await Promise.allSettled([
      bench.store.create(newRun(), paymentRows(3)),
      bench.store.create(again, paymentRows(3)),
    ]);
    const { ended } = await bench.start("w1");
    await bench.mineUntil(ended);

    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "rejected"],
    );
    const { executed, ...rest } = await check(newRun().id, again.id);
    assert.deepEqual([executed, rest], [3, ONCE]);
  });

  it("thirdweb Engine: an idempotency key is refused after 24 hours, and after a year", async () => {
    await bench.create(2);
    const { ended } = await bench.start("w1");
    await bench.mineUntil(ended);

    for (const days of [1, 2, 365]) {
      bench.clock.jump(days * DAY_MS);
      const later = newRun({ id: `after ${days} days`, createdAt: bench.clock.now() });
      await assert.rejects(bench.store.create(later, paymentRows(2)), { code: "RUN_KEY_USED" });
    }
    const { executed, ...rest } = await check(newRun().id);
    assert.deepEqual([executed, rest], [2, ONCE]);
  });

  it("Safe 4894: a payout to more than five recipients needs no other app, and one interruption doubles and loses none", async () => {
    await bench.create(60);
    const first = await bench.start("w1");
    await bench.mine();
    first.stop.abort();
    await bench.mineUntil(first.ended);

    const { ended } = await bench.start("w2");
    await bench.mineUntil(ended);

    const { executed, ...rest } = await check(newRun().id);
    assert.deepEqual([executed, rest], [60, ONCE]);
  });
});
