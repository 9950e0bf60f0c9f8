import assert from "node:assert/strict";
import { TRANSFER } from "../../../../test/support/tracking/intents.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import type { Intent } from "../../../tron/src/transaction/intent.ts";
import { applyPolicy, isLooser, type KeyPolicy, policyFromJson, policyToJson } from "../../src/keys/key-policy.ts";

const above = (amount: bigint): KeyPolicy => ({ kind: "retype-above", amount: sun(amount) });
const ASK: KeyPolicy = { kind: "always-ask" };
const LOCAL: KeyPolicy = { kind: "never-real" };
const pays = (amount: bigint): Intent => ({ ...TRANSFER, amount: sun(amount) });
const call: Intent = {
  kind: "contract-call",
  owner: TRANSFER.owner,
  contract: TRANSFER.to,
  data: "" as Hex,
  callValue: sun(0n),
  feeLimit: sun(1n),
};
const real = { isLocal: false };

describe("key policy", () => {
  it("is read as it was written", () => {
    for (const policy of [ASK, LOCAL, above(5n)])
      assert.deepEqual(policyFromJson(JSON.parse(JSON.stringify(policyToJson(policy)))), policy);
  });

  it("is the default when none is stored, and the strictest when it cannot be read", () => {
    assert.deepEqual(policyFromJson(undefined), ASK);
    for (const damaged of [
      null,
      7,
      {},
      { kind: "silent" },
      { kind: "retype-above" },
      { kind: "retype-above", amount: "x" },
    ])
      assert.deepEqual(policyFromJson(damaged), LOCAL);
  });

  it("refuses all real networks and allows the local chain when it forbids real networks", () => {
    assert.deepEqual(applyPolicy(LOCAL, pays(1n), real), { kind: "refused" });
    assert.deepEqual(applyPolicy(LOCAL, pays(1n), { isLocal: true }), { kind: "passes" });
  });

  it("requires confirmation only above its limit", () => {
    assert.deepEqual(applyPolicy(above(10n), pays(10n), real), { kind: "passes" });
    assert.deepEqual(applyPolicy(above(10n), pays(11n), real), { kind: "retype", coins: 11n, above: 10n });
  });

  it("counts coins that can be burned, and treats an unknown value as above the limit", () => {
    const deploys = { kind: "contract-creation", callValue: sun(6n), feeLimit: sun(5n) } as Intent;

    assert.deepEqual(applyPolicy(above(10n), deploys, real), { kind: "retype", coins: 11n, above: 10n });
    for (const intent of [
      call,
      { kind: "token-transfer" },
      { kind: "permission-update" },
      { kind: "other" },
    ] as Intent[])
      assert.deepEqual(applyPolicy(above(10n), intent, real), { kind: "retype", coins: undefined, above: 10n });
  });

  it("is looser when it allows more", () => {
    const strictToLoose = [LOCAL, above(1n), above(2n), ASK];
    strictToLoose.forEach((now, at) => {
      strictToLoose.forEach((next, to) => {
        assert.equal(isLooser(next, now), to > at, `${now.kind} → ${next.kind}`);
      });
    });
  });
});
