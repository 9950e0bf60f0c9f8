import assert from "node:assert/strict";
import { bindCall } from "../../src/core/call-sites/bind-call.ts";
import type { Bound } from "../../src/core/call-sites/binding.ts";
import type { WantedCall } from "../../src/core/call-sites/wanted-call.ts";
import { costName } from "../../src/core/estimates/cost-history.ts";
import { estimateCall } from "../../src/core/estimates/estimate-call.ts";
import { suggestedFeeLimit } from "../../src/core/estimates/fee-limit.ts";
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

type Ending = "matched" | "reverts" | "unbound";

describe("the calls of the sample workspace, in three languages", () => {
  let samples: SampleWorld;

  before(async () => {
    samples = await openSamples();
    await samples.bench.ask("/local/snapshot", { id: "deployed" });
  });
  after(() => samples.bench[Symbol.asyncDispose]());

  /** What a call ends with: its figures are those of the receipt, or both say that it reverts. */
  async function compare(bound: Bound): Promise<Ending> {
    const { bench } = samples;
    await bench.ask("/local/restore", { id: "deployed" });
    const first = await estimateCall(bench.gateway, bound.intent);
    if (first.kind !== "estimated") {
      assert.equal(first.kind, "reverted", costName(bound));
      assert.equal((await send(bound.intent))?.receiptResult, "REVERT", costName(bound));
      return "reverts";
    }
    const isShort = first.cost.shortages.length > 0;
    const intent = isShort ? { ...bound.intent, feeLimit: suggestedFeeLimit(first, 20n) } : bound.intent;
    const estimate = isShort ? await estimateCall(bench.gateway, intent) : first;
    assert.ok(estimate.kind === "estimated", costName(bound));
    const info = await send(intent);
    const { energy, cost } = estimate;
    assert.deepEqual(
      [info?.receiptResult, info?.energyUsed, info?.fee],
      ["SUCCESS", energy, cost.fee],
      costName(bound),
    );
    return "matched";
  }

  async function send(intent: Bound["intent"]) {
    const { bench, people } = samples;
    const signer = [...people.values()].find(({ address }) => address === intent.owner);
    assert.ok(signer);
    const transaction = bench.signed(intent, [signer]);
    assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
    await bench.mine();
    return await bench.gateway.headTransactionInfo(transaction.txId);
  }

  it("S147 cost what their lens says, energy and fee, to the unit, when they are really sent", async () => {
    const world = samples.world(ANSWERS);
    const unbound: string[] = [];
    const endings: { readonly language: WantedCall["language"]; readonly name: string; readonly ending: Ending }[] = [];
    for (const { path, wanted } of samples.calls) {
      const bound = bindCall(wanted, world);
      const name = bound.kind === "bound" ? costName(bound) : `${path}: ${wanted.label ?? wanted.method}`;
      if (bound.kind !== "bound") unbound.push(`${name}: ${JSON.stringify(bound)}`);
      const ending = bound.kind === "bound" ? await compare(bound) : "unbound";
      endings.push({ language: wanted.language, name, ending });
    }
    assert.deepEqual(unbound, []);
    const matched = endings.filter(({ ending }) => ending === "matched");
    const different = new Set(matched.map(({ name }) => name));
    for (const language of ["script", "solidity", "call-file"] as const) {
      const all = endings.filter((it) => it.language === language);
      const equal = all.filter(({ ending }) => ending === "matched").length;
      process.stdout.write(
        `      ${language}: ${equal} / ${all.length} call sites equal to the receipt, ${all.length - equal} revert as their lens says\n`,
      );
    }
    process.stdout.write(`      ${different.size} different calls\n`);
    assert.ok(different.size >= 20, `${different.size} different calls`);
  }).timeout(60_000);
});
