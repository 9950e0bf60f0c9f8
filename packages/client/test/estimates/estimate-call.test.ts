import assert from "node:assert/strict";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { parseAddress } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { hex } from "../../../tron/src/primitives/bytes.ts";
import type { CodeIntent } from "../../src/estimates/call-estimate.ts";
import { type EstimateSource, estimateCall, limitedEnergy, limitedRun } from "../../src/estimates/estimate-call.ts";
import { estimateLabels } from "../../src/labels/estimates.ts";

const OWNER = parseAddress(`41${"aa".repeat(20)}`);
const CONTRACT = parseAddress(`41${"bb".repeat(20)}`);
const CALL: CodeIntent = {
  kind: "contract-call",
  owner: OWNER,
  contract: CONTRACT,
  data: hex("a9059cbb"),
  callValue: sun(0n),
  feeLimit: sun(10_000_000n),
};

const NO_BANDWIDTH = {
  freeBandwidthLimit: 0n,
  freeBandwidthUsed: 0n,
  stakedBandwidthLimit: 0n,
  stakedBandwidthUsed: 0n,
};

/** Returns a source whose call takes 28,057 energy. */
function source(parameters: readonly (readonly [string, bigint])[]): EstimateSource {
  return {
    headBlock: async () => ({ number: 7, timestamp: 0 }),
    chainParameters: async () => new Map(parameters),
    account: async () => undefined,
    accountResources: async () => undefined,
    isSolid: async () => true,
    constantCall: async () => ({
      reverted: false,
      energyUsed: 28_057n,
      energyPenalty: 0n,
      returned: hex(""),
      events: [],
    }),
    estimateEnergy: async () => 31_565n,
    deployedContract: async () => undefined,
  };
}

describe("estimateCall", () => {
  it("G21: returns energy without a price when getEnergyFee is missing", async () => {
    const estimate = await estimateCall(source([["getTransactionFee", 1_000n]]), CALL);
    const words = estimateLabels(estimate, CALL, { marginPercent: 20n });

    assert.deepEqual(estimate, { kind: "unpriced", energy: 28_057n, height: 7 });
    assert.equal(words.verdict, "unknown");
    assert.equal(words.headline, "28,057 energy · no energy price");
    assert.match(words.problems.join(), /did not return the energy price \(getEnergyFee\)/);
    assert.equal(words.suggestedFeeLimit, undefined);
    assert.deepEqual(words.figures, []);
  });

  it("N4: is uncertain when the node does not return the code", async () => {
    const parameters = [
      ["getEnergyFee", 210n],
      ["getMaxFeeLimit", 15_000_000_000n],
    ] as const;
    const rich = { ...source(parameters), account: async () => ({ balance: sun(10n ** 12n) }) as never };

    const estimate = await estimateCall(rich, CALL);

    assert.equal(estimate.kind === "estimated" && estimate.limitEffect, "possible");
    assert.equal(estimateLabels(estimate, CALL, { marginPercent: 20n }).verdict, "depends");
  });

  const endpoint = "http://n.test";
  const PRICED = [
    ["getEnergyFee", 210n],
    ["getMaxFeeLimit", 15_000_000_000n],
  ] as const;
  const withFailure = (error: ChainError): EstimateSource => ({
    ...source(PRICED),
    estimateEnergy: () => Promise.reject(error),
  });

  it("adds the memo fee only for a memo, and returns the maximum fee limit of the chain", async () => {
    const parameters = [...PRICED, ["getMemoFee", 1_000_000n]] as const;
    const estimateOf = async (change: Partial<CodeIntent>, of = parameters as Parameters<typeof source>[0]) => {
      const estimate = await estimateCall(source(of), { ...CALL, ...change } as CodeIntent);
      return estimate.kind === "estimated" ? estimate : assert.fail(estimate.kind);
    };

    for (const [change, fee] of [
      [{}, 0n],
      [{ memo: hex("") }, 0n],
      [{ memo: hex("6869") }, 1_000_000n],
    ] as const)
      assert.equal((await estimateOf(change)).cost.memoFee, fee);
    assert.equal((await estimateOf({})).maxFeeLimit, 15_000_000_000n);
    assert.equal((await estimateOf({}, PRICED.slice(0, 1))).maxFeeLimit, undefined);
  });

  it("counts the whole coins of the caller's stake", async () => {
    const resources = { ...NO_BANDWIDTH, energyLimit: 15n, energyUsed: 0n, energyTotals: { limit: 100n, weight: 10n } };
    const stakedEnergy = async (energyStake: bigint | undefined) => {
      const account = { balance: sun(10n ** 12n), ...(energyStake === undefined ? {} : { energyStake }) } as never;
      const estimate = await estimateCall(
        { ...source(PRICED), account: async () => account, accountResources: async () => resources },
        CALL,
      );
      return estimate.kind === "estimated" ? estimate.cost.stakedEnergy : estimate.kind;
    };

    assert.deepEqual([await stakedEnergy(1_550_000n), await stakedEnergy(undefined)], [10n, 15n]);
  });

  it("G23: keeps the energy of the constant call when estimateenergy fails in any way", async () => {
    for (const error of [
      new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason: "no answer within 10 s", how: "timeout" }),
      new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason: "closed", how: "closed" }),
      new ChainError("GATEWAY_SILENT", { endpoint, reason: "closed", how: "closed" }),
      new ChainError("GATEWAY_ANSWER_MALFORMED", { endpoint, reason: "no JSON", body: "" }),
      new ChainError("GATEWAY_UNAUTHORIZED", { endpoint, status: 403, header: "key" }),
      new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 500, body: "" }),
      new ChainError("NODE_REFUSED", { endpoint, code: "Error", message: "", body: "" }),
    ]) {
      const estimate = await estimateCall(withFailure(error), CALL);

      assert.ok(estimate.kind === "estimated", `${error.code}: ${estimate.kind}`);
      const { energy, sufficient, limitEffect } = estimate;
      assert.deepEqual([energy, sufficient, limitEffect], [28_057n, undefined, "possible"], error.code);
    }
  });

  it("N4: uses the energy of estimateenergy for the fee limit when it is far above the energy of the call", async () => {
    const estimate = await estimateCall({ ...source(PRICED), estimateEnergy: async () => 400_000n }, CALL);

    assert.ok(estimate.kind === "estimated", estimate.kind);
    assert.equal(estimate.limitEffect, "seen");
    assert.equal(estimate.cost.neededFeeLimit, 400_000n * 210n);
  });

  it("N4: finds no effect of the limit in code that does not read it", async () => {
    const contract = { owner: OWNER, callerPercent: 100n, ownerEnergyLimit: 0n, runtimeCode: hex("00") };
    const deployed = { ...source(PRICED), deployedContract: async () => contract as never };

    const estimate = await estimateCall(deployed, CALL);

    assert.ok(estimate.kind === "estimated", estimate.kind);
    assert.deepEqual([estimate.limitEffect, estimate.isUpperBound], ["none", false]);
  });

  it("returns an upper bound when the node refuses the contract, and no estimate when it does not answer", async () => {
    const estimateOf = (error: ChainError) =>
      estimateCall({ ...source(PRICED), deployedContract: () => Promise.reject(error) }, CALL);
    const refusal = new ChainError("NODE_REFUSED", { endpoint, code: "Error", message: "", body: "" });
    const silence = new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason: "closed", how: "closed" });

    const refused = await estimateOf(refusal);
    assert.equal(refused.kind === "estimated" && refused.isUpperBound, true);
    const silent = await estimateOf(silence);
    assert.equal(silent.kind === "unavailable" && silent.error, silence);
  });

  it("returns the exception that ended a run, and no exception from other text of the node", async () => {
    const estimateOf = (message: string) => {
      const refusal = new ChainError("NODE_REFUSED", { endpoint, code: "OTHER_ERROR", message, body: "" });
      return estimateCall({ ...source(PRICED), constantCall: () => Promise.reject(refusal) }, CALL);
    };
    const text = "class org.tron.core.vm.program.Program$OutOfTimeException : CPU timeout for 'ADD'";

    const halted = { kind: "halted", exception: "OutOfTimeException", message: "CPU timeout for 'ADD'", height: 7 };
    assert.deepEqual(await estimateOf(text), halted);
    for (const other of [`Contract validate error : ${text}`, "class java.lang.NullPointerException : null"])
      assert.equal((await estimateOf(other)).kind, "unavailable", other);
  });

  it("G23: returns the pause of a 429 of estimateenergy", async () => {
    const limited = new ChainError("GATEWAY_RATE_LIMITED", { endpoint, retryAfterMs: 5_000 });

    const estimate = await estimateCall(withFailure(limited), CALL);

    assert.equal(estimate.kind === "unavailable" ? estimate.error.code : estimate.kind, "GATEWAY_RATE_LIMITED");
  });
});

const LIMITED_CALL = { owner: OWNER, contract: CONTRACT, data: hex("a9059cbb"), callValue: sun(0n), limit: 1_000_000n };
const word = (value: bigint): string => value.toString(16).padStart(64, "0");

describe("limitedRun and limitedEnergy", () => {
  it("N4: run code that passes the limit on, with the data at its end", () => {
    const run = limitedRun(LIMITED_CALL);

    assert.equal(run?.contract, undefined);
    assert.equal(run?.owner, OWNER);
    assert.match(run?.data ?? "", /60003473(bb){20}63000f4240f1.*a9059cbb$/);
  });

  it("reject limits that a node cannot pass on, and subtract the stipend of coins", () => {
    assert.equal(limitedRun({ ...LIMITED_CALL, limit: 0n }), undefined);
    assert.equal(limitedRun({ ...LIMITED_CALL, limit: 99_000_000n }), undefined);
    assert.equal(limitedRun({ ...LIMITED_CALL, callValue: sun(1n), limit: 2_300n }), undefined);
    assert.match(limitedRun({ ...LIMITED_CALL, callValue: sun(1n), limit: 1_002_300n })?.data ?? "", /63000f4240f1/);
  });

  it("return undefined when the call failed or the answer has another form", () => {
    const plain = { callValue: sun(0n) };
    assert.equal(limitedEnergy(hex(word(1n) + word(10_062n) + word(5_000n)), plain), 5_000n);
    assert.equal(limitedEnergy(hex(word(0n) + word(10_062n) + word(5_000n)), plain), undefined);
    assert.equal(limitedEnergy(hex(word(1n)), plain), undefined);
    assert.equal(limitedEnergy(hex(""), plain), undefined);
  });
});
