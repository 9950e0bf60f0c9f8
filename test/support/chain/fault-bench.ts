import assert from "node:assert/strict";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createHttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import { broadcastBody } from "../../../packages/client/src/gateway/wire/broadcast.ts";
import { BLACK_HOLE, newBlackHole } from "../../../packages/local-chain/src/chain/account.ts";
import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type JsonObject, printJson } from "../../../packages/tron/src/primitives/json.ts";
import type { SignedTransaction } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { profileAt } from "../fakes/gateway-fixtures.ts";
import type { ChainBench } from "./chain-bench.ts";
import {
  checkStakes,
  checkTokens,
  checkVotes,
  coinsIn,
  executions,
  outcomes,
  ReplayedBalances,
} from "./replayed-balances.ts";
import { type SoakRun, soakRun, step } from "./soak-requests.ts";
import { testChain } from "./test-chain.ts";

/** Turns these faults on, in the place of the ones before. */
export function setFaults(bench: ChainBench, faults: readonly JsonObject[], seed = ""): Promise<JsonObject> {
  return bench.ask("/local/faults", { faults, seed });
}

/** Returns the hits of the active faults. */
export function hitsOf(bench: ChainBench): readonly number[] {
  const { faults } = bench.chain.simulation.faults.report() as { faults: readonly { hits: number }[] };
  return faults.map(({ hits }) => hits);
}

/** Result of one POST as a client sees it: received bytes, and end of the connection. */
interface SeenExchange {
  readonly text: string;
  readonly end: "closed" | "ECONNRESET" | "ECONNREFUSED" | string;
}

/** One POST over a socket of its own, byte for byte. */
export async function seen(bench: ChainBench, path: string, body: JsonObject = {}): Promise<SeenExchange> {
  const { hostname, port } = new URL(bench.chain.baseUrl);
  const bytes = printJson(body);
  const head = [`POST ${path} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", `Content-Length: ${bytes.length}`];
  return await new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let [text, end] = ["", "closed"];
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      end = error.code ?? error.message;
    });
    socket.on("close", () => resolve({ text, end }));
    socket.write([...head, "", bytes].join("\r\n"));
  });
}

/** One broadcast over a socket of its own. */
export function seenBroadcast(bench: ChainBench, transaction: SignedTransaction): Promise<SeenExchange> {
  return seen(bench, "/wallet/broadcasttransaction", broadcastBody(transaction));
}

/** A read of our client while the faults are on: how it ended, after all tries, with every wait passing at once. */
export async function readOutcome(bench: ChainBench): Promise<string> {
  const { clock } = bench;
  const gateway = createHttpGateway(profileAt(bench.chain.baseUrl), { clock, random: () => 0 });
  try {
    const { number } = await clock.runUntil(gateway.headBlock());
    return `block ${number}`;
  } catch (error) {
    return String((error as { code?: unknown }).code);
  } finally {
    await gateway.close();
  }
}

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
  { name: "false-refusal", rate: 0.05 },
];

/** Result of a run. */
interface SoakResult {
  readonly executed: number;
  readonly blocks: number;
  /** Of each fault, by its place in the list. */
  readonly hits: readonly number[];
  /**
   * Growth of memory in bytes, a request, over each half of the run: the blocks and transactions that a chain keeps.
   */
  readonly keptPerRequest: readonly number[];
  /** Blocks that can still be taken back: each has a layer of state. */
  readonly unsolidified: number;
  /** Content of the blocks: transaction types with results. */
  readonly outcomes: ReadonlySet<string>;
  /** Sun that contracts had when they ended in favour of themselves. */
  readonly lostCoins: bigint;
}

/**
 * Sends random requests, valid and malformed, new and repeated, under random faults, and balances the books all along.
 *
 * @throws {AssertionError} coins came or went, balances are not what the blocks say, something was executed twice, or a
 *   solidified block has changed
 */
export async function soak(seed: number, requests: number): Promise<SoakResult> {
  const chain = await testChain({ seed: `soak ${seed}`, delay: async () => undefined });
  const { simulation } = chain;
  const run = soakRun(chain, seed);
  const before = coins(run);
  const solid = new Map<number, string>();
  await chain.ask("/local/faults", { faults: FAULTS, seed: String(seed) });
  const memory = [memoryUsed()];
  let height = 0;
  while (run.asked < requests) {
    if (memory.length === 1 && run.asked >= requests / 2) memory.push(memoryUsed());
    await step(run);
    if (simulation.chain.head.header.number < height + 4) continue;
    height = simulation.chain.head.header.number;
    checkSolid(simulation, solid);
    assert.deepEqual(coins(run), before, `after ${run.asked} requests, seed ${seed}`);
  }
  memory.push(memoryUsed());
  const report = simulation.faults.report() as { faults: readonly { hits: number }[] };
  await chain.ask("/local/faults", []);
  chain.mine(30);
  checkSolid(simulation, solid);
  checkEnd(run, before);
  return {
    executed: executions(simulation),
    blocks: simulation.chain.head.header.number,
    hits: report.faults.map(({ hits }) => hits),
    keptPerRequest: growth(memory).map((it) => it / (requests / 2)),
    unsolidified: simulation.chain.unsolidified,
    outcomes: outcomes(simulation),
    lostCoins: (simulation.chain.solidState.account(BLACK_HOLE)?.balance ?? 0n) - newBlackHole().balance,
  };
}

/** When nothing waits any more, everybody has what the blocks say. */
function checkEnd(run: SoakRun, before: readonly bigint[]): void {
  const { simulation } = run.chain;
  const { pendingState, solidState } = simulation.chain;
  assert.deepEqual(coins(run), before);
  assert.ok(solidState.totals.burnt > 0n);
  checkStakes(pendingState, run.addresses);
  checkTokens(pendingState, run.addresses);
  checkTokens(solidState, run.addresses);
  checkVotes(pendingState);
  const balances = new ReplayedBalances(simulation).read(simulation);
  for (const address of run.addresses) {
    assert.equal(pendingState.account(address)?.balance ?? 0n, balances.balance(address), `the balance of ${address}`);
  }
}

/** Sun that there are, on the solidified side and at the head with its pool. */
function coins({ chain, addresses }: SoakRun): readonly bigint[] {
  const { solidState, pendingState } = chain.simulation.chain;
  return [solidState, pendingState].map((state) => coinsIn(state, addresses));
}

/** Compares what is solidified with what was, and notes what is new. */
function checkSolid({ chain }: Simulation, known: Map<number, string>): void {
  for (const [height, id] of known) assert.equal(chain.blockId(height), id, `solidified block ${height}`);
  for (let height = known.size; height <= chain.solid.header.number; height += 1) {
    known.set(height, chain.blockId(height) ?? "none");
  }
}

function growth(values: readonly number[]): readonly number[] {
  return values.slice(1).map((it, index) => it - (values[index] ?? 0));
}

function memoryUsed(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
