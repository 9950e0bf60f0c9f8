import assert from "node:assert/strict";
import { costName } from "../../src/core/estimates/cost-history.ts";
import { formatCoins, sun } from "../../src/core/primitives/amount.ts";
import type { Intent } from "../../src/core/transaction/intent.ts";
import { CALLER_KEY } from "../../src/features/energy-hints/workspace-world.ts";
import type { LocalChainOptions } from "../../src/local-chain/options.ts";
import { type ShownCall, shownCall } from "../support/sample-lens.ts";
import { openSamples, type SampleWorld } from "../support/sample-world.ts";

/** The answers of a person to the questions about arguments that stand nowhere. */
const ANSWERS: Readonly<Record<string, string>> = {
  "argument Leaf.constructor 0": "1000000000000",
  "argument TeaHouse.constructor 0": "Leaf",
  "argument TeaHouse.constructor 1": "2000000",
  "argument TeaHouse.order((string,uint256)[]) 0 lines": '[["Sencha", 2], ["Oolong", 1]]',
  "argument Leaf.transferFrom(address,address,uint256) 0": "Bob",
  "argument Leaf.transferFrom(address,address,uint256) 1": "Dave",
  "argument Leaf.transferFrom(address,address,uint256) 2": "1000000",
  "argument TeaHouse.share(uint256,uint256) 0": "100",
  "argument TeaHouse.share(uint256,uint256) 1": "3",
};

/** Whom a person chose to call with, where a source names nobody: the script is Bob's, and Carol may take his leaves. */
const CHOSEN = { script: "Bob", solidity: "Carol", "call-file": "Alice" } as const;

/** The calls of the samples that are there to fail, by what the lens says of them. */
const FAILURES: Readonly<Record<string, RegExp>> = {
  "Bob may not grow leaves": /^would REVERT: OnlyOwner\(/,
  "Grace has no leaves": /^would REVERT: NotEnoughLeaves\(/,
  "Grace may not take Bob's leaves": /^would REVERT: NotAllowed\(/,
  "Three cups for too little": /^would REVERT: Underpaid\(/,
  "Nothing, please": /^would REVERT: NothingOrdered\(/,
  "Bob may not change the price": /^would REVERT: OnlyOwner\(/,
  "Fifty seats": /^would REVERT: The tea house has twelve seats\.$/,
  "Bob brings back more than he had": /^would REVERT: Panic 0x11/,
  "Grace has approved nothing": /^would REVERT: NotAllowed\(/,
  "Coins that nobody asked for": /^would REVERT: it takes no coins$/,
  "house.order for too little": /^would REVERT: Underpaid\(/,
  "house.setPrice": /^would REVERT: OnlyOwner\(/,
  "house.reserve": /^would REVERT: The tea house has twelve seats\.$/,
  "house.bringBack": /^would REVERT: Panic 0x11/,
};

/** What a call does, by its name: each kind has to be there. */
const KINDS: readonly (readonly [kind: string, name: RegExp])[] = [
  ["storage that is new", /^Leaf\.transfer\((?:Dave|Erin|41\w+), 1000000\)/],
  ["storage that changes", /setPrice|reserve|bringBack/],
  ["a short and a long loop", /steep\(\d+\)/],
  ["transfers of a token", /^Leaf\.transfer(From)?\(/],
  ["an allowance", /^Leaf\.approve/],
  ["coins for a new account", /^TeaHouse\.tip\(TCyF/],
  ["coins from a contract", /^TeaHouse\.(close|tip)/],
  ["coins for a function", / with \d+ sun$/],
  ["a contract that calls another", /orderWithLeaves/],
  ["lists of structs", /^TeaHouse\.order\(/],
  ["deployments", /\(deployment\)/],
  ["reading", /balanceOf|totalSupply|price\(|share\(/],
];

/** The same calls where other things are usual: who pays, with what, and what energy is worth. */
const CIRCUMSTANCES: readonly {
  readonly name: string;
  readonly chain?: LocalChainOptions;
  /** Whether all calls together cost more or less than usual, so that it is seen that the circumstance is one. */
  readonly bill: "higher" | "lower" | "same";
  readonly prepare?: (samples: SampleWorld) => Promise<void>;
}[] = [
  { name: "bandwidth that is burned", bill: "higher", chain: { parameters: { getFreeNetLimit: 0 } } },
  {
    name: "staked energy for a part of it",
    chain: { parameters: { getTotalEnergyLimit: 20_000, getTotalEnergyCurrentLimit: 20_000 } },
    bill: "lower",
    prepare: (samples) => stakeAll(samples, 1_000n),
  },
  { name: "staked energy for all of it", bill: "lower", prepare: (samples) => stakeAll(samples, 5_000n) },
  {
    name: "an owner who pays 30 %",
    bill: "lower",
    prepare: async (samples) => {
      await stake(samples, "Alice", 4_000n);
      await samples.shareEnergy("TeaHouse", 70);
      await samples.shareEnergy("Leaf", 70);
    },
  },
  {
    name: "a penalty for contracts that are used much",
    bill: "higher",
    chain: {
      parameters: {
        ...{ getAllowDynamicEnergy: 1, getDynamicEnergyThreshold: 100 },
        ...{ getDynamicEnergyIncreaseFactor: 2000, getDynamicEnergyMaxFactor: 10_000 },
      },
    },
    prepare: async ({ bench }) => void (await bench.warp(120_000)),
  },
  { name: "another price of energy", bill: "higher", chain: { parameters: { getEnergyFee: 420 } } },
  { name: "a node without estimateenergy", bill: "same", chain: { node: { estimateEnergy: false } } },
];

async function stakeAll(samples: SampleWorld, coins: bigint): Promise<void> {
  for (const name of samples.people.keys()) await stake(samples, name, coins);
}

async function stake(samples: SampleWorld, name: string, coins: bigint): Promise<void> {
  const owner = samples.people.get(name)?.address ?? assert.fail(name);
  await send(samples, { kind: "stake", owner, resource: "ENERGY", amount: sun(coins * 1_000_000n) });
}

async function send({ bench, people }: SampleWorld, intent: Intent) {
  const signer = [...people.values()].find(({ address }) => address === intent.owner) ?? assert.fail(intent.owner);
  const transaction = bench.signed(intent, [signer]);
  assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
  await bench.mine();
  return (await bench.gateway.headTransactionInfo(transaction.txId)) ?? assert.fail("The chain has no receipt.");
}

interface Compared {
  readonly language: string;
  readonly name: string;
  readonly ending: "equal" | "reverts";
  readonly fee: bigint;
}

/** Every call of the samples, each in the state after the deployment: what its lens shows is what its receipt says. */
async function compareAll(samples: SampleWorld): Promise<readonly Compared[]> {
  const { bench, index } = samples;
  const words = { abi: index, marginPercent: 20n };
  await bench.ask("/local/snapshot", { id: "deployed" });
  const all: Compared[] = [];
  for (const { wanted } of samples.calls) {
    await bench.ask("/local/restore", { id: "deployed" });
    const shown = await shownCall(wanted, {
      ...{ words, source: bench.gateway },
      world: samples.world({ ...ANSWERS, [CALLER_KEY]: CHOSEN[wanted.language] }),
    });
    const failure = FAILURES[wanted.label ?? sourceName(shown)];
    await (failure === undefined ? assertEqual(samples, shown) : assertReverts(samples, shown, failure));
    const ending = failure === undefined ? "equal" : "reverts";
    all.push({ language: wanted.language, name: costName(shown.bound), ending, fee: shown.figures?.fee ?? 0n });
  }
  return all;
}

/** In scripts a failure has no label. */
function sourceName({ bound }: ShownCall): string {
  const { called, intent, contract } = bound;
  if (bound.limit.range === undefined || contract.name !== "TeaHouse") return "";
  if (called.name === "order") return intent.callValue === 5_000_000n ? "house.order for too little" : "";
  return ["1", "50", "10"].includes(String(bound.arguments[0])) && bound.limit.feeLimit === 10_000_000n
    ? `house.${called.name}`
    : "";
}

async function assertEqual(samples: SampleWorld, { bound, text, figures, feeLimit }: ShownCall): Promise<void> {
  const info = await send(samples, { ...bound.intent, feeLimit });
  assert.deepEqual(
    { result: info.receiptResult, energy: info.energyUsed, fee: info.fee },
    { result: "SUCCESS", ...figures },
    `${costName(bound)} shows "${text}"`,
  );
}

async function assertReverts(samples: SampleWorld, { bound, text, figures }: ShownCall, words: RegExp): Promise<void> {
  assert.match(text, words, costName(bound));
  assert.equal(figures, undefined, "a run that fails has no figure");
  assert.equal((await send(samples, bound.intent)).receiptResult, "REVERT", costName(bound));
}

function print(words: string): void {
  process.stdout.write(`      ${words}\n`);
}

describe("the calls of the sample workspace, in three languages", () => {
  let usual = 0n;

  const bill = (all: readonly Compared[]): bigint => all.reduce((sum, { fee }) => sum + fee, 0n);

  it("S147 cost what their lens shows, energy and fee, to the unit, when they are really sent", async () => {
    const samples = await openSamples();
    await using _ = samples.bench;
    const all = await compareAll(samples);
    usual = bill(all);

    for (const language of ["script", "solidity", "call-file"]) {
      const own = all.filter((it) => it.language === language);
      const equal = own.filter(({ ending }) => ending === "equal").length;
      print(`${language}: ${equal} / ${equal} ordinary calls equal the receipt, ${own.length - equal} revert as shown`);
    }
    const ordinary = all.filter(({ ending }) => ending === "equal");
    const names = [...new Set(ordinary.map(({ name }) => name))];
    const failed = all.length - ordinary.length;
    print(`matched ${ordinary.length} / ${ordinary.length} ordinary calls (${names.length} different)`);
    print(`${failed} of ${all.length} call sites revert, and their lens says why`);
    assert.equal(failed, Object.keys(FAILURES).length, "every failure of the samples was met once");
    assert.ok(names.length >= 20, `${names.length} different calls`);
    for (const [kind, name] of KINDS)
      assert.ok(
        names.some((one) => name.test(one)),
        `no call shows ${kind}: ${names.join("; ")}`,
      );
  }).timeout(60_000);

  for (const { name, chain, prepare, bill: expected } of CIRCUMSTANCES)
    it(`S147 do so with ${name}`, async () => {
      const samples = await openSamples(chain);
      await using _ = samples.bench;
      await prepare?.(samples);
      const all = await compareAll(samples);
      const equal = all.filter(({ ending }) => ending === "equal").length;
      const change = bill(all) - usual;
      assert.equal(change > 0n ? "higher" : change < 0n ? "lower" : "same", expected);
      print(`matched ${equal} / ${equal} ordinary calls, all together ${formatCoins(sun(bill(all)))} coins`);
    }).timeout(60_000);
});
