import assert from "node:assert/strict";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { BLOCK_INTERVAL_MS } from "../../packages/tron/src/primitives/block.ts";
import { hex, type TxId } from "../../packages/tron/src/primitives/bytes.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import { ChainBench, type Person, payment } from "../support/chain/chain-bench.ts";
import { settled } from "../support/fakes/fake-clock.ts";

const RECIPIENT = parseAddress(`41${"b0".repeat(20)}`);
const PHASE_STEP_MS = 430;
const MOST_REQUESTS = 6;
const MOST_SLOTS = 60;
/** Paths of broadcasts and control requests. */
const NOT_TRACKING = /^\/wallet\/broadcasttransaction$|^\/local\//;

/** Returns the deployment of a contract that only stops. */
function creation({ address: owner }: Person): Intent {
  return {
    kind: "contract-creation",
    owner,
    name: "Stop",
    bytecode: hex("600160005360016000f3"),
    abi: hex(""),
    callValue: sun(0n),
    feeLimit: sun(100_000_000n),
    userPercent: 100n,
    originEnergyLimit: 1_000_000n,
  };
}

/** Runs tracker and chain on one clock, a block every slot, until the transaction is final. */
async function finish(bench: ChainBench, txId: TxId, firstSlot: number): Promise<void> {
  const { clock, tracker } = bench;
  const isOpen = (): boolean => tracker.get(txId)?.state.kind !== "solidified";
  let slot = firstSlot;
  for (let slots = 0; isOpen() && slots < MOST_SLOTS; ) {
    while (clock.nextWake === undefined && isOpen()) await settled();
    const next = clock.nextWake ?? slot;
    await clock.advance(Math.min(next, slot) - clock.now());
    if (next < slot) continue;
    await bench.mine();
    slot += BLOCK_INTERVAL_MS;
    slots++;
  }
}

/** Returns the number of requests for two successive transactions, sent `phase` ms before the next block. */
async function costs(witnesses: number, phase: number, intentOf: (person: Person) => Intent): Promise<number[]> {
  await using bench = await ChainBench.start({ witnesses });
  await bench.mine(witnesses);
  const stop = new AbortController();
  const running = bench.tracker.start(stop.signal);
  const spent: number[] = [];
  for (const _ of ["first of a session", "later in the session"]) {
    const before = trackingRequests(bench);
    const alice = bench.person(0);
    const intent = intentOf(alice);
    const transaction = bench.signed(intent, [alice]);
    const firstSlot = bench.clock.now() + phase;
    await bench.submit(transaction, intent, bench.head.timestamp + 60_000);
    await finish(bench, transaction.txId, firstSlot);
    assert.equal(bench.tracker.get(transaction.txId)?.state.kind, "solidified");
    spent.push(trackingRequests(bench) - before);
  }
  stop.abort();
  await running;
  return spent;
}

function trackingRequests(bench: ChainBench): number {
  const { paths } = bench.chain.simulation.requests.report();
  return Object.entries(paths).reduce((sum, [path, count]) => (NOT_TRACKING.test(path) ? sum : sum + count), 0);
}

describe("tracking of one transaction", () => {
  const kinds = { transfer: (it: Person) => payment(it, RECIPIENT), contract: creation };
  for (const witnesses of [5, 27]) {
    for (const [kind, intentOf] of Object.entries(kinds)) {
      it(`takes at most ${MOST_REQUESTS} requests for a ${kind}, with ${witnesses} witnesses and at any time within a slot`, async function () {
        this.timeout(120_000);
        const worst: number[] = [];
        for (let phase = 10; phase < BLOCK_INTERVAL_MS; phase += PHASE_STEP_MS) {
          worst.push(...(await costs(witnesses, phase, intentOf)));
        }

        process.stdout.write(`      ${kind}, ${witnesses} witnesses: ${worst.join(" ")} requests\n`);
        assert.ok(Math.max(...worst) <= MOST_REQUESTS, worst.join(" "));
      });
    }
  }
});
