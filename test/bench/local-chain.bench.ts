import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Contestant, Kind } from "../support/contest/contestant.ts";
import { ganache, hardhat, startPeer } from "../support/contest/ethereum-chain.ts";
import { startOurs } from "../support/contest/our-chain.ts";

const ROUNDS = 5;
const TRANSFERS = 800;
const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 10_000);
const MB = 1_000_000;
const root = join(import.meta.dirname, "../..");

const starters = [startOurs, () => startPeer("Ganache", ganache), () => startPeer("Hardhat", hardhat)];

printSize();
await using chains = new AsyncDisposableStack();
const contestants: Contestant[] = [];
for (const start of starters) contestants.push(chains.use(await start()));
await measureStart();
await measureTransfers("coins");
await measureTransfers("tokens");
await measureMemory();

/** What the extension loads when somebody starts the chain, and not before. */
function printSize(): void {
  const files = globSync("dist/local-chain*/**/*.js", { cwd: root });
  const bytes = ["dist/local-chain.js", ...files].reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
  console.log(`bundle of the chain: ${(bytes / 1000).toFixed(0)} kB`);
}

/** Three starts of each, in turn; the first of each is over already. */
async function measureStart(): Promise<void> {
  const times = new Map(contestants.map(({ name, firstAnswerMs }) => [name, [firstAnswerMs]]));
  for (let round = 1; round < 3; round += 1) {
    for (const start of starters) {
      await using again = await start();
      times.get(again.name)?.push(again.firstAnswerMs);
    }
  }
  compare("start to first answer", times, (ms) => `${ms.toFixed(0)} ms`, "less is better");
}

async function measureTransfers(kind: Kind): Promise<void> {
  const rates = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const chain of contestants) {
      const lanes = chain.sign(kind, TRANSFERS);
      const before = await chain.received(kind);
      const ms = await chain.send(lanes);
      if ((await chain.received(kind)) - before !== BigInt(TRANSFERS)) throw new Error(`${chain.name} has lost some.`);
      rates.get(chain.name)?.push((TRANSFERS / ms) * 1000);
    }
  }
  compare(
    `${kind === "coins" ? "transfers" : "token transfers"} per second`,
    rates,
    (rate) => rate.toFixed(0),
    "more is better",
  );
}

async function measureMemory(): Promise<void> {
  const sizes = new Map<string, number[]>();
  const times = new Map<string, number[]>();
  for (const chain of contestants) {
    const before = await chain.height();
    times.set(chain.name, [(BLOCKS / (await chain.send(chain.sign("tokens", BLOCKS), true))) * 1000]);
    if ((await chain.height()) - before < BLOCKS) throw new Error(`${chain.name} has made fewer blocks.`);
    sizes.set(chain.name, [chain.memory / MB]);
  }
  const blocks = BLOCKS.toLocaleString("en-US");
  compare(
    `memory after ${blocks} blocks with a token transfer each`,
    sizes,
    (size) => `${size.toFixed(0)} MB`,
    "less is better",
  );
  compare(`… of which per second`, times, (rate) => rate.toFixed(0), "more is better");
}

function compare(
  what: string,
  values: ReadonlyMap<string, readonly number[]>,
  print: (value: number) => string,
  direction: "less is better" | "more is better",
): void {
  const middle = new Map([...values].map(([name, all]) => [name, median(all)]));
  const ours = middle.get("Finality") ?? Number.NaN;
  const words = [...middle].map(([name, value]) => {
    if (name === "Finality") return `${name} ${print(value)}`;
    const ratio = direction === "less is better" ? value / ours : ours / value;
    return `${name} ${print(value)} (ratio ${ratio.toFixed(2)})`;
  });
  console.log(`${what}: ${words.join(", ")}, ${direction}`);
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
