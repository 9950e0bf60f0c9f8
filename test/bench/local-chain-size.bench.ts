import { createHash } from "node:crypto";
import { join } from "node:path";
import { ChainProcess, type Contestant, type Step, sendSideBySide } from "../support/contest/contestant.ts";
import { startOurs, startOursInstantly } from "../support/contest/our-chain.ts";

// Measures memory and time of the shipped chain, each figure in its own process. `--blocks 1000 --accounts 100000` is faster.

const STARTS = 7;
const CONNECTIONS = 8;
/** So many accounts at a time; then blocks solidify them. */
const BATCH = 20_000;
const MB = 1_000_000;
const blocks = flag("blocks", 10_000);
const accounts = flag("accounts", 1_000_000);

console.log(`Node ${process.version}; memory is what the process holds (resident)`);
await measureStarts();
await measureBlocks("on request", startOurs);
await measureBlocks("instant", startOursInstantly);
await measureAccounts();

function flag(name: string, usually: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usually : Number(process.argv[at + 1]);
}

function startChain(): Promise<ChainProcess> {
  return ChainProcess.start({
    args: (port) => ["dist/local-chain.js", "--port", String(port), "--block-time", "manual"],
    cwd: join(import.meta.dirname, "../.."),
    env: { MALLOC_ARENA_MAX: "1" },
    question: { path: "/wallet/getnowblock", body: "{}" },
  });
}

/** From the start of the program to its first answer. The first start fills Node's cache of compiled code. */
async function measureStarts(): Promise<void> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    await using chain = await startChain();
    times.push(chain.firstAnswerMs);
  }
  const [first = Number.NaN, ...later] = times;
  const median = later.sort((left, right) => left - right)[Math.floor(later.length / 2)] ?? Number.NaN;
  console.log(
    `start to first answer: ${first.toFixed(0)} ms the first time, ${median.toFixed(0)} ms after it (median)`,
  );
}

/** A token transfer in each block. */
async function measureBlocks(blockTime: string, start: () => Promise<Contestant>): Promise<void> {
  await using chain = await start();
  const before = chain.memory;
  await chain.send(chain.sign("tokens", blocks), true);
  const [held, more] = [chain.memory / MB, (chain.memory - before) / MB];
  console.log(
    `${count(blocks)} blocks with a token transfer each, ${blockTime}: ${held.toFixed(0)} MB, ${more.toFixed(0)} of them since the start`,
  );
}

async function measureAccounts(): Promise<void> {
  await using chain = await startChain();
  const before = chain.memory;
  for (let made = 0; made < accounts; made += BATCH) {
    const size = Math.min(BATCH, accounts - made);
    const steps = Array.from({ length: size }, (_, index) => coinsFor(made + index));
    const senders = Array.from({ length: CONNECTIONS }, (_, sender) =>
      steps.filter((_step, index) => index % CONNECTIONS === sender),
    );
    await sendSideBySide(chain.url, senders);
    await sendSideBySide(chain.url, [[{ path: "/local/mine", body: '{"blocks":5}', success: '"head"' }]]);
  }
  const each = (chain.memory - before) / accounts;
  console.log(
    `${count(accounts)} accounts with coins: ${(chain.memory / MB).toFixed(0)} MB, ${each.toFixed(0)} bytes each`,
  );
}

function coinsFor(index: number): Step {
  const address = `41${createHash("sha256").update(String(index)).digest("hex").slice(0, 40)}`;
  const call = { jsonrpc: "2.0", id: 1, method: "tre_setAccountBalance", params: [address, 1_000_000 + index] };
  return { path: "/tre", body: JSON.stringify(call), success: '"result":true' };
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
