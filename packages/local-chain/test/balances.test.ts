import assert from "node:assert/strict";
import { soak } from "../../../test/support/chain/fault-bench.ts";
import { howOften } from "../../../test/support/random/how-often.ts";

/** Bytes of a block with its transactions. A chain stores all of them. */
const MAX_BYTES_PER_REQUEST = 4_000;
const MAX_UNSOLIDIFIED = 10;
/** Enough requests for every outcome. */
const MANY = 10_000;

/** Minimum content of the blocks of a long run. */
const EVERYTHING: readonly string[] = [
  "Transfer",
  "AccountCreate",
  "AccountPermissionUpdate",
  "UpdateSetting",
  "UpdateEnergyLimit",
  "ClearABI",
  "FreezeBalanceV2",
  "UnfreezeBalanceV2",
  "CancelAllUnfreezeV2",
  "DelegateResource",
  "UnDelegateResource",
  "AssetIssue",
  "TransferAsset",
  "ParticipateAssetIssue",
  "UpdateAsset",
  "VoteWitness",
  "CreateSmart",
  "TriggerSmart",
].map((it) => `${it}Contract SUCCESS`);
const FAILURES: readonly string[] = [
  ...["REVERT", "OUT_OF_ENERGY", "ILLEGAL_OPERATION", "TRANSFER_FAILED"].map((it) => `TriggerSmartContract ${it}`),
  ...["REVERT", "OUT_OF_ENERGY", "INVALID_CODE"].map((it) => `CreateSmartContract ${it}`),
  "call",
  "create",
  "suicide",
  "freezeBalanceV2ForEnergy",
];

describe("balances of the local chain", () => {
  for (const [seed, requests] of [
    [1, howOften(300, 600)],
    [2, howOften(300, 600)],
    [3, howOften(300, MANY)],
  ] as const) {
    it(`S19 S143 balance to the sun after ${requests} random requests under random faults, seed ${seed}`, async function () {
      this.timeout(240_000);

      const { executed, hits, blocks, keptPerRequest, unsolidified, outcomes, lostCoins } = await soak(seed, requests);

      assert.ok(executed > requests / 20, `only ${executed} transactions were executed`);
      assert.ok(blocks > requests / 20, `only ${blocks} blocks`);
      assert.ok(unsolidified < MAX_UNSOLIDIFIED, `${unsolidified} blocks keep their state apart`);
      if (requests < MANY) return;
      assert.equal(
        hits.every((it) => it > 0),
        true,
        `a fault never happened: ${hits}`,
      );
      const missing = [...EVERYTHING, ...FAILURES].filter((it) => !outcomes.has(it));
      assert.deepEqual(missing, [], "outcomes that no block contains");
      assert.ok(lostCoins > 0n, "no coin was lost with a contract");
      const [early = 0, late = 0] = keptPerRequest;
      assert.ok(late < MAX_BYTES_PER_REQUEST, `${late} bytes per request`);
      assert.ok(late < 2 * early, `${early} bytes per request at first, ${late} later`);
    });
  }
});
