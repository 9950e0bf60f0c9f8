import { globSync, statSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Contestant, Kind } from "../support/contest/contestant.ts";
import { ganache, hardhat, startPeer } from "../support/contest/ethereum-chain.ts";
import { INSTANT, startOurs, startOursInstantly } from "../support/contest/our-chain.ts";
import { type BenchRow, report } from "./row.ts";

// `node test/bench/local-chain.bench.ts --blocks 1000` takes less time than the 10,000 blocks of `npm run bench`.
// All chains run under this Node on this machine and answer HTTP. Each does its round while the others wait.

const ROUNDS = 5;
const TRANSFERS = 800;
const BLOCKS = Number(process.argv[process.argv.indexOf("--blocks") + 1] ?? Number.NaN) || 10_000;
const MB = 1_000_000;
const OURS = "Finality";
const root = join(import.meta.dirname, "../..");

const starters = [startOurs, () => startPeer("Ganache", ganache), () => startPeer("Hardhat", hardhat)];

/** One figure of each chain, by name. */
type Figures = Map<string, number[]>;
type Better = "less" | "more";

console.log(`Node ${process.version}, ${cpus().length} cores; ratios above 1 are in favour of Finality`);
printSize();
await using chains = new AsyncDisposableStack();
const contestants: Contestant[] = [];
for (const start of starters) contestants.push(chains.use(await start()));
await measureStart();
await measureTransfers("coins");
await measureTransfers("tokens");
await measureBlocks();

/** Prints the size of the modules that are loaded when the chain starts. */
function printSize(): void {
  const files = globSync(["dist/local-chain.js", "dist/local-chain-parts/*.js"], { cwd: root });
  const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
  console.log(`bundle of the chain: ${(bytes / 1000).toFixed(0)} kB`);
}

/** Three starts of each, in turn; the first one of each is over already. */
async function measureStart(): Promise<void> {
  const times: Figures = new Map(contestants.map(({ name, firstAnswerMs }) => [name, [firstAnswerMs]]));
  for (let round = 1; round < 3; round += 1) {
    for (const start of starters) {
      await using again = await start();
      times.get(again.name)?.push(again.firstAnswerMs);
    }
  }
  compare("start to first answer, ms", times, "less");
}

/** The first round of each warms it up and does not count. */
async function measureTransfers(kind: Kind): Promise<void> {
  const rates: Figures = new Map(contestants.map(({ name }) => [name, []]));
  const costs: Figures = new Map(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const chain of contestants) {
      const { rate, cost } = await sendRound(chain, kind);
      if (round === 0) continue;
      rates.get(chain.name)?.push(rate);
      costs.get(chain.name)?.push(cost);
    }
  }
  const what = kind === "coins" ? "transfers" : "token transfers";
  compare(`${what} per second`, rates, "more");
  compare(`${what}, ms of CPU each`, costs, "less");
}

async function sendRound(chain: Contestant, kind: Kind): Promise<{ readonly rate: number; readonly cost: number }> {
  const senders = chain.sign(kind, TRANSFERS);
  const before = await chain.received(kind);
  const cpu = chain.cpuMs;
  const ms = await chain.send(senders);
  const cost = (chain.cpuMs - cpu) / TRANSFERS;
  if ((await chain.received(kind)) - before !== BigInt(TRANSFERS)) throw new Error(`${chain.name} has lost some.`);
  return { rate: (TRANSFERS / ms) * 1000, cost };
}

/**
 * Measures blocks with one token transfer on the chains of the rounds before. A chain that mines on request
 * needs two requests for each; another chain of ours mines as the peers do,
 * after the same rounds. The first round warms up and does not count.
 */
async function measureBlocks(): Promise<void> {
  const [sizes, rates, costs]: [Figures, Figures, Figures] = [new Map(), new Map(), new Map()];
  await using instant = await startOursInstantly();
  for (const kind of ["coins", "tokens"] as const) {
    for (let round = 0; round <= ROUNDS; round += 1) await sendRound(instant, kind);
  }
  for (const chain of [instant, ...contestants]) {
    await chain.send(chain.sign("tokens", TRANSFERS), true);
    const before = await chain.height();
    const senders = chain.sign("tokens", BLOCKS);
    const cpu = chain.cpuMs;
    const ms = await chain.send(senders, true);
    costs.set(chain.name, [(chain.cpuMs - cpu) / BLOCKS]);
    if ((await chain.height()) - before < BLOCKS) throw new Error(`${chain.name} has made fewer blocks.`);
    rates.set(chain.name, [(BLOCKS / ms) * 1000]);
    sizes.set(chain.name, [chain.memory / MB]);
  }
  const blocks = `${BLOCKS.toLocaleString("en-US")} blocks with a token transfer each`;
  for (const us of [OURS, INSTANT]) {
    compare(`${blocks}, per second`, rates, "more", us);
    compare(`${blocks}, ms of CPU each`, costs, "less", us);
    compare(`memory after ${blocks}, MB`, sizes, "less", us);
  }
}

/** @param us - which of our chains; the other one is left out */
function compare(what: string, figures: Figures, better: Better, us = OURS): void {
  const ours = median(figures.get(us) ?? []);
  const shown = [...figures].filter(([name]) => name === us || (name !== OURS && name !== INSTANT));
  const words = shown.map(([name, all]) => {
    const value = median(all);
    const text = `${name} ${value < 10 ? value.toFixed(2) : value.toFixed(0)}`;
    return name === us ? text : `${text} (${(better === "less" ? value / ours : ours / value).toFixed(2)})`;
  });
  console.log(`${what}: ${words.join(", ")}`);
  const unit = /MB|ms/.exec(what)?.[0] ?? "/s";
  for (const [name, all] of shown.filter(([name]) => name !== us))
    report({ area: "local chain", ...wordsOf(what, us), peer: name, unit, better, ours, theirs: median(all) });
}

/** Returns the row of a figure. */
function wordsOf(what: string, us: string): Pick<BenchRow, "what" | "meaning" | "reason"> {
  const meaning = "Tests and scripts: how fast they run, and what the computer has left for the rest.";
  if (us === INSTANT) return { what: `${what}; a block for each transaction`, meaning };
  if (!what.includes("blocks with")) return { what, meaning };
  const reason =
    "its blocks come when they are told to, so each takes two requests; with a block for each transaction it does as its peers do";
  return { what: `${what}; blocks on demand`, meaning, reason };
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
