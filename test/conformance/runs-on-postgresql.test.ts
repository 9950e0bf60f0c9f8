import assert from "node:assert/strict";
import { TronWeb } from "tronweb";
import { NO_FAULTS } from "../support/postgres/faulty-gateway.ts";
import { PaymentFleet } from "../support/postgres/payment-fleet.ts";
import { SimulatedPostgres } from "../support/postgres/simulated-postgres.ts";
import { dice } from "../support/random/dice.ts";
import { howOften } from "../support/random/how-often.ts";
import * as product from "../support/runs/run-product.ts";
import { RunSimulation } from "../support/runs/run-simulation.ts";

const SEED = 33;
/** Time for an answer of the gateway, as over the Internet; ms. */
const LATENCY_MS = 25;
const STEADY_ROWS = howOften(100, 1_000);
const FAULTY_ROWS = howOften(200, 10_000);
/** Payments of the plain loop, which takes the same time for each. */
const LOOP_PAYMENTS = howOften(15, 100);
const FAULTS = { latencyMs: 5, lostRequests: 0.01, lostAnswers: 0.02, rateLimited: 0.01 };
const IS_FULL = FAULTY_ROWS > 1_000;

const print = (text: string): boolean => process.stdout.write(`      ${text}\n`);

describe("payments by three workers with one PostgreSQL", function () {
  this.timeout(IS_FULL ? 3_600_000 : 120_000);
  let fleet: PaymentFleet;
  const roll = dice(SEED);
  const random = (): number => roll(1_000_000) / 1_000_000;

  before(async () => {
    fleet = await PaymentFleet.start(random);
  });

  after(() => fleet.close());

  /** Payments in a second of a loop that builds, signs and sends one after the other, with the same gateway. */
  async function loopRate(): Promise<number> {
    const { hex, privateKey } = fleet.chain.accounts[1] ?? assert.fail("The chain has no second account.");
    const client = new TronWeb({ fullHost: fleet.gateway.url, privateKey });
    const started = performance.now();
    for (let amount = 1; amount <= LOOP_PAYMENTS; amount++) {
      const built = await client.transactionBuilder.sendTrx(fleet.chain.accounts[2]?.hex ?? "", amount, hex);
      const sent = await client.trx.sendRawTransaction(await client.trx.sign(built));
      assert.equal(sent.result, true);
    }
    return (1_000 * LOOP_PAYMENTS) / (performance.now() - started);
  }

  it("pays faster than a plain loop, with one request for each block to track", async () => {
    fleet.startWorker("track");
    fleet.setFaults({ ...NO_FAULTS, latencyMs: LATENCY_MS });
    const loop = await loopRate();
    for (let count = 0; count < 3; count++) fleet.startWorker();
    await fleet.createRun("warm", 3);
    await fleet.settle("warm", 3);
    const [height, before] = [await fleet.height(), requestsOf(fleet)];
    await fleet.createRun("steady", STEADY_ROWS);
    await fleet.settle("steady", STEADY_ROWS);
    const blocks = (await fleet.height()) - height;
    const requests = requestsOf(fleet) - before;
    const rate = await fleet.rate("steady");

    const times = (rate / loop).toFixed(1);
    print(
      `${STEADY_ROWS} payments: ${rate.toFixed(0)}/s, plain loop ${loop.toFixed(0)}/s at ${LATENCY_MS} ms: ${times} times`,
    );
    print(`tracking: ${requests} requests, ${blocks} solidified blocks: ${(requests / blocks).toFixed(2)} for each`);
    // Beside other tests both are as fast as the processor.
    if (IS_FULL) assert.ok(rate >= 5 * loop, `${times} times`);
    assert.ok(requests <= 1.05 * blocks + 1, `${requests} requests for ${blocks} blocks`);
  });

  it("executes each row once, through kills, lost answers, reorganizations and crashes of the database", async () => {
    fleet.setFaults(FAULTS);
    const steps = [
      { at: 0.1, act: () => fleet.database.cutWrites(3) },
      { at: 0.2, act: () => killAndReplace(1) },
      { at: 0.35, act: () => reorganize("return") },
      { at: 0.5, act: () => crashAfterCommit() },
      { at: 0.6, act: () => killAndReplace(0, "track") },
      { at: 0.7, act: () => killAndReplace(2) },
      { at: 0.75, act: () => reorganize(IS_FULL ? "lost" : "return") },
      { at: 0.9, act: () => fleet.database.cutWrites(3) },
    ];
    const started = performance.now();
    await fleet.createRun("faulty", FAULTY_ROWS);
    let rounds = 0;
    await fleet.settle("faulty", FAULTY_ROWS, async (answered) => {
      while (steps[0] !== undefined && answered >= steps[0].at * FAULTY_ROWS) await steps.shift()?.act();
      if (IS_FULL && ++rounds % 25 === 0) await anyFault(rounds);
    });
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const codes = await fleet.endWorkers();
    const check = await fleet.check();

    const { counts } = fleet.gateway;
    const lost = `${counts.get("lost request") ?? 0} lost requests, ${counts.get("lost answer") ?? 0} lost answers, ${counts.get("429") ?? 0} × 429`;
    print(
      `seed ${SEED}: ${FAULTY_ROWS} payments in ${seconds} s; ${lost}; ${fleet.database.cuts} lost acknowledgements, ${crashes} crashes, ${kills} kills, ${forks} reorganizations`,
    );
    print(
      `${check.rows} rows, ${check.attempts} attempts: ${check.twice} twice, ${check.lost} lost, ${check.foreign} of no row`,
    );
    const total = FAULTY_ROWS + STEADY_ROWS + 3;
    assert.deepEqual(
      { ...check, attempts: 0 },
      { rows: total, attempts: 0, twice: 0, lost: 0, foreign: 0, untracked: 0 },
    );
    assert.deepEqual(
      codes.filter((code) => code !== 0 && code !== null),
      [],
    );
  });

  let [crashes, kills, forks] = [0, 0, 0];

  function killAndReplace(index: number, role: "pay" | "track" = "pay"): void {
    kills++;
    fleet.workers[index]?.child.kill("SIGKILL");
    fleet.startWorker(role);
  }

  /** Ends the server right after it has received a commit, before its acknowledgement. */
  async function crashAfterCommit(): Promise<void> {
    crashes++;
    const { promise, resolve } = Promise.withResolvers<void>();
    fleet.database.onCut = resolve;
    fleet.database.cutWrites(1);
    await Promise.race([promise, new Promise((late) => setTimeout(late, 2_000))]);
    fleet.database.onCut = () => undefined;
    fleet.server.crash();
  }

  async function reorganize(transactions: "return" | "lost"): Promise<void> {
    forks++;
    await fleet.reorganize(transactions);
  }

  async function anyFault(round: number): Promise<void> {
    const choice = Math.floor(random() * 6);
    if (choice === 0) await crashAfterCommit();
    else if (choice === 1) killAndReplace(fleet.workers.length - 1);
    else if (choice === 2) await reorganize(round % 2 === 0 ? "lost" : "return");
    else fleet.database.cutWrites(choice);
  }
});

/** Requests of the worker that only tracks. */
const requestsOf = ({ tracking }: PaymentFleet): number =>
  [...tracking.counts.values()].reduce((sum, it) => sum + it, 0);

/** Payments in simulated time; FINALITY_SIMULATED_PAYMENTS sets another number. None in `npm test`, where they take too long. */
const SIMULATED = Number(process.env.FINALITY_SIMULATED_PAYMENTS ?? howOften(0, 5_000));

if (SIMULATED > 0) {
  describe("payments in simulated time by three workers with one PostgreSQL", function () {
    this.timeout(0);

    it("executes each row once, through kills, lost answers, reorganizations and crashes of the database", async () => {
      const store = await SimulatedPostgres.start();
      const started = performance.now();
      const seconds = (): string => ((performance.now() - started) / 1_000).toFixed(0);
      try {
        const run = await new RunSimulation({
          ...{ seed: SEED, rows: SIMULATED, workers: 3, concurrency: 100, isFaulty: true, product, store },
          onBlock: (blocks, sent) => process.stderr.write(`block ${blocks}: ${sent} sent in ${seconds()} s\n`),
        }).play();

        const { twice, lost, unknown, different, unproven, faults } = run;
        const reached = Object.entries(faults).map(([name, times]) => `${name} ${times}`);
        print(
          `seed ${SEED}: ${run.executed} payments, ${run.attempts} attempts, ${run.blocks} blocks in ${seconds()} s; ${reached.join(", ")}; ${store.crashes} crashes`,
        );
        assert.deepEqual(
          { twice, lost, unknown, different, unproven, executed: run.executed, isFinished: run.isFinished },
          { twice: [], lost: [], unknown: [], different: [], unproven: [], executed: SIMULATED, isFinished: true },
        );
      } finally {
        await store.close();
      }
    });
  });
}
