import assert from "node:assert/strict";
import { parseAddress } from "../../../../src/core/primitives/address.ts";
import { type Json, type JsonObject, printJson } from "../../../../src/core/primitives/json.ts";
import { answer } from "../../../../src/local-chain/app.ts";
import type { Simulation } from "../../../../src/local-chain/simulation.ts";
import { type SignedTransfer, type TestChain, testChain, toJson } from "../../../support/test-chain.ts";

const REQUESTS = 1_000;
const NEWCOMERS = 5;

/** Every fault that can happen to a request without waiting; those of sockets and clocks have tests of their own. */
const FAULTS: readonly JsonObject[] = [
  { name: "reset-before", rate: 0.05 },
  { name: "lost-answer", rate: 0.05 },
  { name: "truncated-body", rate: 0.02 },
  { name: "not-json", rate: 0.02 },
  { name: "http-status", rate: 0.02 },
  { name: "http-status-after", rate: 0.05 },
  { name: "rate-limit", rate: 0.02, form: "date" },
  { name: "duplicate-answer", rate: 0.1 },
  { name: "clock-skew", ms: 86_400_000, rate: 0.1 },
  { name: "stale-head", blocks: 2, rate: 0.1 },
  { name: "pool-full", rate: 0.05 },
  { name: "duplicate-cache", rate: 0.5 },
  { name: "jwt-refusal", how: "hang", rate: 0.02 },
  { name: "reorganisation", blocks: 1, rate: 0.02, count: 1_000 },
  { name: "reorganisation", blocks: 9, transactions: "lost", rate: 0.01, count: 1_000 },
  { name: "solidification-stopped", rate: 0.3 },
  { name: "estimate-off" },
];

/** Whole numbers below a bound, the same for the same seed. */
function dice(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Whatever comes back, or nothing. */
async function send({ simulation }: TestChain, path: string, body: Json): Promise<void> {
  const request = new Request(`http://chain${path}`, { method: "POST", body: printJson(body) });
  const given = await answer(request, path, simulation);
  if ("response" in given) await given.response.text();
}

/** Sun in all accounts and taken out by fees, on the solidified side and at the head with its pool. */
function coins(simulation: Simulation, newcomers: readonly string[]): readonly bigint[] {
  const { chain, faucet, accounts } = simulation;
  const addresses = [faucet, ...accounts].map(({ hex }) => hex).concat(newcomers.map(parseAddress));
  return [chain.solidState, chain.pendingState].map((state) =>
    addresses.reduce((sum, it) => sum + (state.account(it)?.balance ?? 0n), state.totals.burnt),
  );
}

class Ledgers {
  readonly solid = new Map<number, string>();

  /** Notes what is solidified, and compares it with what was. */
  check({ chain }: Simulation): void {
    for (const [height, id] of this.solid) assert.equal(chain.block(height)?.id, id, `solidified block ${height}`);
    for (let height = this.solid.size; height <= chain.solid.header.number; height += 1) {
      this.solid.set(height, chain.block(height)?.id ?? "none");
    }
  }
}

describe("the books of the embedded chain", () => {
  for (const seed of [1, 2, 3]) {
    it(`S19 S105 S143 are balanced to the sun after ${REQUESTS} random requests under random faults, seed ${seed}`, async function () {
      this.timeout(60_000);
      const chain = await testChain({ seed: `books ${seed}` });
      const { simulation } = chain;
      const newcomers = Array.from({ length: NEWCOMERS }, (_, index) => `41${String(index + 1).repeat(40)}`);
      const before = coins(simulation, newcomers);
      const roll = dice(seed);
      const [sent, ledgers]: [SignedTransfer[], Ledgers] = [[], new Ledgers()];
      await chain.ask("/local/faults", { faults: FAULTS, seed: String(seed) });

      for (let asked = 0; asked < REQUESTS; asked += 1) {
        const transfer = pick(chain, sent, newcomers, roll);
        const kind = roll(10);
        if (kind < 5) await send(chain, "/wallet/broadcasttransaction", toJson(transfer));
        else if (kind < 6)
          await send(chain, "/wallet/broadcasttransaction", { ...toJson(transfer), signature: ["00"] });
        else if (kind < 7) await send(chain, "/wallet/getnowblock", {});
        else if (kind < 8) await send(chain, "/wallet/createtransaction", { owner_address: 1, amount: "x" });
        else if (kind < 9) await send(chain, "/walletsolidity/gettransactioninfobyid", { value: transfer.id });
        else chain.mine(1 + roll(2));
        ledgers.check(simulation);
      }

      assert.deepEqual(coins(simulation, newcomers), before, "before the end");
      const hits = (simulation.faults.report() as { faults: readonly { name: string; hits: number }[] }).faults;
      await chain.ask("/local/faults", []);
      chain.mine(30);
      ledgers.check(simulation);
      assert.deepEqual(coins(simulation, newcomers), before);
      assert.ok(simulation.chain.solidState.totals.burnt > 0n);
      const times = executions(simulation);
      assert.ok(times.size > REQUESTS / 20, `only ${times.size} transactions were executed`);
      assert.deepEqual(
        [...times].filter(([, count]) => count !== 1),
        [],
      );
      const idle = hits.filter((it) => it.hits === 0 && it.name !== "estimate-off");
      assert.deepEqual(idle, [], "every fault has happened");
    });
  }
});

/** A new transfer, or one that was sent before. */
function pick(
  chain: TestChain,
  sent: SignedTransfer[],
  newcomers: readonly string[],
  roll: (bound: number) => number,
): SignedTransfer {
  const old = sent[roll(sent.length)];
  if (old !== undefined && roll(2) === 0) return old;
  const from = roll(10);
  const to = roll(2) === 0 ? chain.accounts[(from + 1) % 10]?.hex : parseAddress(newcomers[roll(NEWCOMERS)] ?? "");
  const made = chain.transfer({
    ...{ from, amount: BigInt(1 + roll(1_500_000_000)) },
    ...(to && { to }),
    ...(roll(5) === 0 && { memo: new Uint8Array([1, 2, 3]) }),
  });
  sent.push(made);
  return made;
}

/** How many blocks hold each transaction. */
function executions({ chain }: Simulation): Map<string, number> {
  const times = new Map<string, number>();
  for (let height = 1; height <= chain.head.header.number; height += 1) {
    for (const { transaction } of chain.block(height)?.transactions ?? []) {
      times.set(transaction.id, (times.get(transaction.id) ?? 0) + 1);
    }
  }
  return times;
}
