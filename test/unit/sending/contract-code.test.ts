import assert from "node:assert/strict";
import type { CodeIntent } from "../../../packages/client/src/estimates/call-estimate.ts";
import type { EstimateSource } from "../../../packages/client/src/estimates/estimate-call.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../../packages/tron/src/primitives/bytes.ts";
import { loadWithEditor } from "../../support/fakes/fake-editor.ts";
import { ALICE, BOB } from "../../support/tracking/tracked.ts";

/** Gateway on which each call takes 1,000 energy, for 210 sun each. */
const SOURCE: EstimateSource = {
  headBlock: async () => ({ number: 7, timestamp: 0 }),
  chainParameters: async () => new Map([["getEnergyFee", 210n]]),
  account: async () => ({ balance: sun(10n ** 12n) }) as never,
  accountResources: async () => undefined,
  isSolid: async () => true,
  constantCall: async () => ({ reverted: false, energyUsed: 1_000n, energyPenalty: 0n, returned: hex(""), events: [] }),
  estimateEnergy: async () => 1_000n,
  deployedContract: async () => ({ runtimeCode: hex("00"), callerPercent: 100n, owner: ALICE }) as never,
};
const CALL: CodeIntent = {
  kind: "contract-call",
  owner: ALICE,
  contract: BOB,
  data: hex("a9059cbb"),
  callValue: sun(0n),
  feeLimit: sun(0n),
};

describe("simulate", () => {
  let parts: typeof import("../../../src/sending/contract-code.ts");
  const network = { name: "Shasta", baseUrl: "http://127.0.0.1" } as never;
  const code = { intent: CALL, network, nameOf: () => undefined, abi: undefined, mutability: undefined };
  const { signal } = new AbortController();

  before(async () => {
    parts = await loadWithEditor("src/sending/contract-code.ts");
  });

  it("prices a call with the suggested fee limit while the user has chosen none", async () => {
    const { verdict, headline, suggestedFeeLimit } = await parts.simulate(SOURCE, code, {
      signal,
      suggestsLimit: true,
    });

    assert.ok(suggestedFeeLimit !== undefined && suggestedFeeLimit >= 210_000n);
    assert.deepEqual([verdict, headline.includes("fee_limit")], ["fits", false], headline);
  });

  it("reports a fee limit of 0 that the user chose as too small", async () => {
    const { verdict, headline } = await parts.simulate(SOURCE, code, { signal });

    assert.deepEqual([verdict, headline.includes("fee_limit too small")], ["short", true], headline);
  });
});
