import assert from "node:assert/strict";
import { bindCall } from "../../packages/client/src/call-sites/bind-call.ts";
import type { CallSite } from "../../packages/client/src/call-sites/call-site.ts";
import { costName } from "../../packages/client/src/call-sites/cost-history.ts";
import type { LocalChainOptions } from "../../packages/local-chain/src/simulation/simulation.ts";
import { formatCoins } from "../../packages/tron/src/format/amounts.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { rawText } from "../../packages/tron/src/primitives/plain-text.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import { CALLER_KEY } from "../../src/features/energy-hints/workspace-context.ts";
import { openSamples, type SampleContext, type ShownCall, shownCall } from "../support/samples/sample-context.ts";

/** Arguments that the user enters where the source has none. */
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

/** Callers that the user chooses where the source names none. */
const CHOSEN = { script: "Bob", solidity: "Carol", "call-file": "Alice" } as const;

/** Messages of the lens for the sample calls that fail on purpose. */
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
  "Coins that nobody asked for": /^would REVERT: not payable$/,
  "house.order for too little": /^would REVERT: Underpaid\(/,
  "house.setPrice": /^would REVERT: OnlyOwner\(/,
  "house.reserve": /^would REVERT: The tea house has twelve seats\.$/,
  "house.bringBack": /^would REVERT: Panic 0x11/,
};

/** Kinds of calls that must occur, with a pattern of their names. */
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

/** Length of a cycle, at whose end usage is counted. */
const CYCLE_MS = 120_000;

interface Circumstance {
  readonly name: string;
  readonly chain?: LocalChainOptions;
  /** Change of the total cost, which shows that the circumstance has an effect. */
  readonly bill: "higher" | "lower" | "same";
  readonly prepare?: (samples: SampleContext) => Promise<void>;
}

/** Circumstances that change the payer, the resource or the price of the same calls. */
const CIRCUMSTANCES: readonly Circumstance[] = [
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
        getAllowDynamicEnergy: 1,
        getDynamicEnergyThreshold: 100,
        getDynamicEnergyIncreaseFactor: 2000,
        getDynamicEnergyMaxFactor: 10_000,
      },
    },
    prepare: async (samples) => {
      // Usage in the first cycle of a chain does not count; usage in a later cycle counts in the next one.
      await samples.bench.warp(CYCLE_MS);
      await callAll(samples);
      await samples.bench.warp(CYCLE_MS);
    },
  },
  { name: "another price of energy", bill: "higher", chain: { parameters: { getEnergyFee: 420 } } },
  { name: "a node without estimateenergy", bill: "same", chain: { node: { estimateEnergy: false } } },
];

async function stakeAll(samples: SampleContext, coins: bigint): Promise<void> {
  for (const name of samples.people.keys()) await stake(samples, name, coins);
}

async function stake(samples: SampleContext, name: string, coins: bigint): Promise<void> {
  const owner = samples.people.get(name)?.address ?? assert.fail(name);
  await send(samples, { kind: "stake", owner, resource: "ENERGY", amount: sun(coins * 1_000_000n) });
}

async function send({ bench, people }: SampleContext, intent: Intent) {
  const signer = [...people.values()].find(({ address }) => address === intent.owner) ?? assert.fail(intent.owner);
  const transaction = bench.signed(intent, [signer]);
  assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
  await bench.mine();
  return (await bench.gateway.headTransactionInfo(transaction.txId)) ?? assert.fail("The chain has no receipt.");
}

interface Compared {
  readonly name: string;
  readonly language: CallSite["language"];
  /** False for calls that fail on purpose. */
  readonly isOrdinary: boolean;
  /** Both texts if lens and receipt differ. */
  readonly difference: string | undefined;
  readonly fee: bigint;
}

/** Returns the text of the lens in the current state. */
async function shownOf(samples: SampleContext, site: CallSite): Promise<ShownCall> {
  const { bench, index } = samples;
  const words = { abi: index, marginPercent: 20n, nameOf: () => undefined };
  return await shownCall(site, { words, source: bench.gateway, context: contextOf(samples, site) });
}

function contextOf({ context }: SampleContext, { language }: CallSite) {
  return context({ ...ANSWERS, [CALLER_KEY]: CHOSEN[language] });
}

function nameOf(samples: SampleContext, site: CallSite): string | undefined {
  const bound = bindCall(site, contextOf(samples, site));
  return bound.kind === "bound" ? costName(bound) : undefined;
}

/** Sends every ordinary call, one after the other. */
async function callAll(samples: SampleContext): Promise<void> {
  for (const { callSite: site } of samples.calls) {
    const shown = await shownOf(samples, site);
    if (FAILURES[site.label ?? sourceName(shown)] !== undefined) continue;
    await send(samples, { ...shown.bound.intent, feeLimit: shown.feeLimit });
  }
}

/** Compares the lens with the receipt for each call, in the state after the deployment. With `distinct`, each ordinary call once. */
async function compareAll(samples: SampleContext, distinct: boolean): Promise<readonly Compared[]> {
  const { bench } = samples;
  await bench.ask("/local/snapshot", { id: "deployed" });
  const all: Compared[] = [];
  for (const { callSite: site } of samples.calls) {
    const isFailure = FAILURES[site.label ?? ""] !== undefined;
    if (distinct && (isFailure || all.some(({ name }) => name === nameOf(samples, site)))) continue;
    await bench.ask("/local/restore", { id: "deployed" });
    const shown = await shownOf(samples, site);
    const failure = FAILURES[site.label ?? sourceName(shown)];
    const difference = await (failure === undefined
      ? receiptDifference(samples, shown)
      : revertDifference(samples, shown, failure));
    const { language } = site;
    const [name, isOrdinary] = [costName(shown.bound), failure === undefined];
    all.push({ language, name, isOrdinary, difference, fee: shown.figures?.fee ?? 0n });
  }
  return all;
}

/** Returns a label for failing calls of scripts, which have none. */
function sourceName({ bound }: ShownCall): string {
  const { called, intent, contract } = bound;
  if (bound.limit.range === undefined || contract.name !== "TeaHouse") return "";
  const name = rawText(called.name);
  if (name === "order") return intent.callValue === 5_000_000n ? "house.order for too little" : "";
  return ["1", "50", "10"].includes(String(bound.arguments[0])) && bound.limit.feeLimit === 10_000_000n
    ? `house.${name}`
    : "";
}

async function receiptDifference(samples: SampleContext, shown: ShownCall): Promise<string | undefined> {
  const { bound, text, figures, feeLimit } = shown;
  const { receiptResult, energyUsed, fee } = await send(samples, { ...bound.intent, feeLimit });
  const isEqual = receiptResult === "SUCCESS" && energyUsed === figures?.energy && fee === figures.fee;
  return isEqual ? undefined : `${costName(bound)} shows "${text}", and was ${receiptResult} ${energyUsed} ${fee}`;
}

async function revertDifference(
  samples: SampleContext,
  { bound, text }: ShownCall,
  message: RegExp,
): Promise<string | undefined> {
  const { receiptResult } = await send(samples, bound.intent);
  const isEqual = message.test(text) && receiptResult === "REVERT";
  return isEqual ? undefined : `${costName(bound)} shows "${text}", and was ${receiptResult}`;
}

/** Prints how many lenses match their receipts, and asserts that all do. */
function assertEqual(all: readonly Compared[], title: string): void {
  const matched = all.filter(({ difference }) => difference === undefined);
  print(`${title}: matched ${matched.length} / ${all.length}`);
  assert.deepEqual(
    all.flatMap(({ difference }) => difference ?? []),
    [],
  );
}

function print(line: string): void {
  process.stdout.write(`      ${line}\n`);
}

describe("energy lens on the sample workspace", () => {
  let usual: readonly Compared[] = [];

  const bill = (all: readonly Compared[]): bigint => all.reduce((sum, { fee }) => sum + fee, 0n);

  async function compare({ chain, prepare }: Partial<Circumstance> = {}): Promise<readonly Compared[]> {
    const samples = await openSamples(chain);
    await using _ = samples.bench;
    await prepare?.(samples);
    return await compareAll(samples, chain !== undefined || prepare !== undefined);
  }

  before(async function () {
    this.timeout(60_000);
    usual = await compare();
  });

  it("S80 shows the energy and the fee of the receipt, in all three languages", async () => {
    const all = usual;
    const ordinary = all.filter(({ isOrdinary }) => isOrdinary);
    const names = [...new Set(ordinary.map(({ name }) => name))];

    for (const language of ["script", "solidity", "call-file"])
      assertEqual(
        ordinary.filter((it) => it.language === language),
        `ordinary calls, ${language}`,
      );
    assertEqual(ordinary, `ordinary calls, ${names.length} different ones`);
    assertEqual(
      all.filter(({ isOrdinary }) => !isOrdinary),
      "calls that revert on purpose, with their reason",
    );
    assert.equal(all.length - ordinary.length, Object.keys(FAILURES).length, "every failure occurs once");
    assert.ok(names.length >= 20, `${names.length} different calls`);
    for (const [kind, name] of KINDS)
      assert.ok(
        names.some((one) => name.test(one)),
        `no call shows ${kind}: ${names.join("; ")}`,
      );
  }).timeout(60_000);

  for (const circumstance of CIRCUMSTANCES)
    it(`S80 does so with ${circumstance.name}`, async () => {
      const all = await compare(circumstance);
      const same = all.map(({ name }) => usual.find((it) => it.name === name) ?? assert.fail(name));
      const change = bill(all) - bill(same);

      assertEqual(
        all.filter(({ isOrdinary }) => isOrdinary),
        `all together ${formatCoins(sun(bill(all)))} coins`,
      );
      assert.equal(change > 0n ? "higher" : change < 0n ? "lower" : "same", circumstance.bill);
    }).timeout(60_000);
});
