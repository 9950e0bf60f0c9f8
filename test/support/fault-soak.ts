import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parseAddress } from "../../src/core/primitives/address.ts";
import { bytesToHex } from "../../src/core/primitives/bytes.ts";
import { type JsonObject, printJson } from "../../src/core/primitives/json.ts";
import type { TransferContract } from "../../src/core/transaction/gen/transaction_pb.js";
import { answer } from "../../src/local-chain/app.ts";
import type { Simulation } from "../../src/local-chain/simulation.ts";
import { dice } from "./dice.ts";
import { type SignedTransfer, type TestChain, testChain, toJson } from "./test-chain.ts";

/** Every fault that can happen to a request without waiting; those of sockets and clocks have tests of their own. */
const FAULTS: readonly JsonObject[] = [
  { name: "reset-before", rate: 0.05 },
  { name: "lost-answer", rate: 0.05 },
  { name: "truncated-body", rate: 0.02 },
  { name: "not-json", rate: 0.02 },
  { name: "http-status", rate: 0.02 },
  { name: "http-status-after", rate: 0.05 },
  { name: "rate-limit", rate: 0.02, form: "date" },
  { name: "latency", rate: 0.05, ms: 1 },
  { name: "duplicate-answer", rate: 0.1 },
  { name: "clock-skew", ms: 86_400_000, rate: 0.1 },
  { name: "stale-head", blocks: 2, rate: 0.1 },
  { name: "pool-full", rate: 0.05 },
  { name: "duplicate-cache", rate: 0.5 },
  { name: "jwt-refusal", how: "hang", rate: 0.02 },
  { name: "reorganisation", blocks: 1, rate: 0.02, count: 1_000_000 },
  { name: "reorganisation", blocks: 9, transactions: "lost", rate: 0.01, count: 1_000_000 },
  { name: "solidification-stopped", rate: 0.3 },
];

const NEWCOMERS = Array.from({ length: 5 }, (_, index) => parseAddress(`41${String(index + 1).repeat(40)}`));
const PATHS = ["getaccount", "getblockbynum", "getblock", "gettransactionbyid", "getaccountresource", "nothing"];
const GARBAGE = ["", "{", "[]", "null", '"x"', '{"value":7}', '{"num":1e99}', '{"address":"41"}', '{"id_or_num":-1}'];
const MAX_OLD = 500;

/** What a run has left behind. */
export interface SoakResult {
  readonly executed: number;
  readonly blocks: number;
  /** Of each fault, by its place in the list. */
  readonly hits: readonly number[];
  /** Growth of the heap in bytes, a request, over the second half of the run: the blocks and transactions that a chain keeps. */
  readonly heapPerRequest: number;
}

/**
 * Sends random requests, valid and malformed, new and repeated, under random faults, and balances the books all along.
 *
 * @throws {AssertionError} coins came or went, balances are not what the blocks say, something was executed twice, or a solidified block has changed
 */
export async function soak(seed: number, requests: number): Promise<SoakResult> {
  const chain = await testChain({ seed: `soak ${seed}`, delay: async () => undefined });
  const { simulation } = chain;
  const before = coins(simulation);
  const [roll, sent, solid] = [dice(seed), [] as SignedTransfer[], new Map<number, string>()];
  await chain.ask("/local/faults", { faults: FAULTS, seed: String(seed) });
  let heap = 0;
  for (let asked = 0; asked < requests; asked += 1) {
    if (asked === requests / 2) heap = heapUsed();
    await step(chain, sent, roll);
    if (asked % 20 > 0) continue;
    checkSolid(simulation, solid);
    assert.deepEqual(coins(simulation), before, `after ${asked} requests`);
  }
  const heapPerRequest = (heapUsed() - heap) / (requests / 2);
  const report = simulation.faults.report() as { faults: readonly { hits: number }[] };
  await chain.ask("/local/faults", []);
  chain.mine(30);
  checkSolid(simulation, solid);
  assert.deepEqual(coins(simulation), before);
  assert.ok(simulation.chain.solidState.totals.burnt > 0n);
  assert.deepEqual(balances(simulation), replayed(simulation), "balances are what the blocks say");
  const { number } = simulation.chain.head.header;
  return {
    executed: executions(simulation),
    blocks: number,
    hits: report.faults.map(({ hits }) => hits),
    heapPerRequest,
  };
}

async function step(chain: TestChain, sent: SignedTransfer[], roll: (bound: number) => number): Promise<void> {
  const kind = roll(10);
  if (kind >= 9) return chain.mine(1 + roll(2));
  const garbage = [`/wallet/${PATHS[roll(PATHS.length)]}`, GARBAGE[roll(GARBAGE.length)] ?? ""] as const;
  if (kind >= 7) return send(chain, ...garbage);
  const transfer = pick(chain, sent, roll);
  const json = toJson(transfer);
  if (kind < 5) return send(chain, "/wallet/broadcasttransaction", printJson(json));
  if (kind < 6) return send(chain, "/wallet/broadcasttransaction", printJson({ ...json, signature: ["00"] }));
  return send(chain, "/walletsolidity/gettransactioninfobyid", printJson({ value: transfer.id }));
}

/** Takes whatever comes back, or nothing. */
async function send({ simulation }: TestChain, path: string, body: string): Promise<void> {
  const given = await answer(new Request(`http://chain${path}`, { method: "POST", body }), path, simulation);
  if ("response" in given) await given.response.text();
}

/** A new transfer, or one that was sent before. */
function pick(chain: TestChain, sent: SignedTransfer[], roll: (bound: number) => number): SignedTransfer {
  const old = sent[roll(sent.length)];
  if (old !== undefined && roll(2) === 0) return old;
  const from = roll(10);
  const to = roll(2) === 0 ? chain.accounts[(from + 1) % 10]?.hex : NEWCOMERS[roll(NEWCOMERS.length)];
  const made = chain.transfer({
    ...{ from, amount: BigInt(1 + roll(roll(20) === 0 ? 30_000_000_000 : 5_000_000)) },
    ...(to && { to }),
    ...(roll(5) === 0 && { memo: new Uint8Array([1, 2, 3]) }),
  });
  sent.push(made);
  if (sent.length > MAX_OLD) sent.shift();
  return made;
}

/** Sun in all accounts and taken out by fees, on the solidified side and at the head with its pool. */
function coins({ chain, faucet, accounts }: Simulation): readonly bigint[] {
  const addresses = [...[faucet, ...accounts].map(({ hex }) => hex), ...NEWCOMERS];
  return [chain.solidState, chain.pendingState].map((state) =>
    addresses.reduce((sum, it) => sum + (state.account(it)?.balance ?? 0n), state.totals.burnt),
  );
}

/** Sun of everybody at the head. */
function balances({ chain, faucet, accounts }: Simulation): Record<string, bigint> {
  const addresses = [...[faucet, ...accounts].map(({ hex }) => hex), ...NEWCOMERS];
  return Object.fromEntries(addresses.map((it) => [it, chain.pendingState.account(it)?.balance ?? 0n]));
}

/** The same, added up from what the blocks hold, each transaction once. */
function replayed({ chain, faucet, accounts }: Simulation): Record<string, bigint> {
  const sums = Object.fromEntries(NEWCOMERS.map((it): [string, bigint] => [it, 0n]));
  for (const { hex, balance } of [faucet, ...accounts]) sums[hex] = BigInt(balance);
  const add = (address: Uint8Array, sun: bigint): void => {
    const hex = bytesToHex(address);
    sums[hex] = (sums[hex] ?? 0n) + sun;
  };
  for (let height = 1; height <= chain.head.header.number; height += 1) {
    for (const { transaction, info } of chain.block(height)?.transactions ?? []) {
      if (transaction.contract === undefined) throw new TypeError("A transaction of a block without a contract.");
      const { ownerAddress, toAddress, amount } = transaction.contract.message as TransferContract;
      add(ownerAddress, -amount - (info?.fee ?? 0n));
      add(toAddress, amount);
    }
  }
  return sums;
}

/** Compares what is solidified with what was, and notes what is new. */
function checkSolid({ chain }: Simulation, known: Map<number, string>): void {
  for (const [height, id] of known) assert.equal(chain.block(height)?.id, id, `solidified block ${height}`);
  for (let height = known.size; height <= chain.solid.header.number; height += 1) {
    known.set(height, chain.block(height)?.id ?? "none");
  }
}

/** How many transactions there are in blocks. @throws {AssertionError} one is there twice */
function executions({ chain }: Simulation): number {
  const seen = new Set<string>();
  for (let height = 1; height <= chain.head.header.number; height += 1) {
    for (const { transaction } of chain.block(height)?.transactions ?? []) {
      assert.equal(seen.has(transaction.id), false, `${transaction.id} was executed twice`);
      seen.add(transaction.id);
    }
  }
  return seen.size;
}

function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
