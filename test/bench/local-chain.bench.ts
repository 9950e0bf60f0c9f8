import { globSync, statSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Contestant, Kind } from "../support/contest/contestant.ts";
import { anvil, ganache, hardhat, startPeer } from "../support/contest/ethereum-chain.ts";
import { INSTANT, startOurs, startOursInstantly } from "../support/contest/our-chain.ts";
import { type BenchRow, report } from "./row.ts";

// `node test/bench/local-chain.bench.ts --blocks 1000` takes less time than the 10,000 blocks of `npm run bench`;
// `--cold` measures new chains alone. All chains answer HTTP on this machine; each does its round while the others wait.
// A figure is the best of its rounds, because other work on the machine only adds time.

const STARTS = 5;
const FIRST = 400;
const ROUNDS = 3;
const TRANSFERS = 2_000;
const BLOCKS = Number(process.argv[process.argv.indexOf("--blocks") + 1] ?? Number.NaN) || 10_000;
const MB = 1_000_000;
const OURS = "Finality";
const ANVIL = "anvil";
const root = join(import.meta.dirname, "../..");

const starters = [
  startOurs,
  startOursInstantly,
  () => startPeer("Ganache", ganache),
  () => startPeer("Hardhat", hardhat),
  () => startPeer(ANVIL, anvil),
];

/** One figure of each chain, by name. */
type Figures = Map<string, number[]>;
type Better = "less" | "more";

console.log(`Node ${process.version}, ${cpus().length} cores; ratios above 1 are in favour of Finality`);
printSize();
await measureNewChains();
if (!process.argv.includes("--cold")) await measureWarmChains();

/** Prints the size of the code that a start of the chain loads. */
function printSize(): void {
  const files = globSync(["dist/local-chain.js", "dist/local-chain-parts/*.js"], { cwd: root });
  const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
  console.log(`bundle of the chain: ${(bytes / 1000).toFixed(0)} kB`);
}

/** Starts each chain several times, in turn, and sends it its first token transfers. */
async function measureNewChains(): Promise<void> {
  const [times, rates, costs, sizes]: [Figures, Figures, Figures, Figures] = [
    new Map(),
    new Map(),
    new Map(),
    new Map(),
  ];
  for (let round = 0; round < STARTS; round += 1) {
    for (const start of starters) {
      await using chain = await start();
      add(times, chain.name, chain.firstAnswerMs);
      const { rate, cost } = await sendRound(chain, "tokens", FIRST);
      add(rates, chain.name, rate);
      add(costs, chain.name, cost);
      add(sizes, chain.name, chain.memory / MB);
    }
  }
  compare("start to first answer, ms", times, "less");
  for (const us of [OURS, INSTANT]) {
    compare(`first ${FIRST} token transfers of a new chain, per second`, rates, "more", us);
    compare(`first ${FIRST} token transfers of a new chain, ms of CPU each`, costs, "less", us);
    compare(`memory after the first ${FIRST} token transfers, MB`, sizes, "less", us);
  }
}

async function measureWarmChains(): Promise<void> {
  await using chains = new AsyncDisposableStack();
  const contestants: Contestant[] = [];
  for (const start of starters) contestants.push(chains.use(await start()));
  await measureTransfers(contestants, "coins");
  await measureTransfers(contestants, "tokens");
  await measureBlocks(contestants);
}

/** The first round of each warms it up and does not count. */
async function measureTransfers(contestants: readonly Contestant[], kind: Kind): Promise<void> {
  const [rates, costs]: [Figures, Figures] = [new Map(), new Map()];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const chain of contestants) {
      const { rate, cost } = await sendRound(chain, kind, TRANSFERS);
      if (round === 0) continue;
      add(rates, chain.name, rate);
      add(costs, chain.name, cost);
    }
  }
  const what = kind === "coins" ? "transfers" : "token transfers";
  for (const us of [OURS, INSTANT]) {
    compare(`${what} per second`, rates, "more", us);
    compare(`${what}, ms of CPU each`, costs, "less", us);
  }
}

async function sendRound(
  chain: Contestant,
  kind: Kind,
  count: number,
): Promise<{ readonly rate: number; readonly cost: number }> {
  const senders = chain.sign(kind, count);
  const before = await chain.received(kind);
  const cpu = chain.cpuMs;
  const ms = await chain.send(senders);
  const cost = (chain.cpuMs - cpu) / count;
  if ((await chain.received(kind)) - before !== BigInt(count)) throw new Error(`${chain.name} has lost some.`);
  return { rate: (count / ms) * 1000, cost };
}

/**
 * Measures blocks with a token transfer each, on the chains of the earlier rounds. Chains that create blocks on request
 * need two requests for each. A first round warms each chain up and does not count.
 */
async function measureBlocks(contestants: readonly Contestant[]): Promise<void> {
  const [sizes, rates, costs]: [Figures, Figures, Figures] = [new Map(), new Map(), new Map()];
  for (const chain of contestants) {
    await chain.send(chain.sign("tokens", TRANSFERS), true);
    const before = await chain.height();
    const senders = chain.sign("tokens", BLOCKS);
    const cpu = chain.cpuMs;
    const ms = await chain.send(senders, true);
    add(costs, chain.name, (chain.cpuMs - cpu) / BLOCKS);
    // anvil puts transactions that arrive together into one block.
    const made = (await chain.height()) - before;
    if (made < BLOCKS && chain.name !== ANVIL) throw new Error(`${chain.name} has made fewer blocks.`);
    add(rates, chain.name, (BLOCKS / ms) * 1000);
    add(sizes, chain.name, chain.memory / MB);
  }
  const blocks = `${BLOCKS.toLocaleString("en-US")} blocks with a token transfer each`;
  for (const us of [OURS, INSTANT]) {
    compare(`${blocks}, per second`, rates, "more", us);
    compare(`${blocks}, ms of CPU each`, costs, "less", us);
    compare(`memory after ${blocks}, MB`, sizes, "less", us);
  }
}

function add(figures: Figures, name: string, figure: number): void {
  figures.set(name, [...(figures.get(name) ?? []), figure]);
}

/** @param us - which of our chains; the other one is left out */
function compare(what: string, figures: Figures, better: Better, us = OURS): void {
  const best = (name: string): number => Math[better === "less" ? "min" : "max"](...(figures.get(name) ?? []));
  const unit = /MB|ms/.exec(what)?.[0] ?? "/s";
  for (const name of figures.keys()) {
    if (name === OURS || name === INSTANT) continue;
    const words = wordsOf(what, us, name);
    report({ area: "local chain", ...words, peer: name, unit, better, ours: best(us), theirs: best(name) });
  }
}

/** Returns the texts of a row. */
function wordsOf(what: string, us: string, peer: string): Pick<BenchRow, "what" | "meaning" | "reason"> {
  const meaning = "Speed of tests and scripts, and the load of the computer.";
  const native = "the peer is native code; this chain is JavaScript, which V8 compiles at run time";
  const twice =
    "a block on demand takes a second request; with a block for each transaction it takes one, as at the peers";
  const isBehindAtFirst = peer === ANVIL || (peer === "Hardhat" && what.startsWith("first"));
  const row = { what, meaning, ...(isBehindAtFirst && { reason: native }) };
  if (what.startsWith("start")) return row;
  if (us === INSTANT) return { ...row, what: `${what}; a block for each transaction` };
  return { ...row, what: `${what}; blocks on demand`, ...(what.includes("blocks with") && { reason: twice }) };
}
