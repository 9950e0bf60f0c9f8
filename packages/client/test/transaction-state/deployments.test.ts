import assert from "node:assert/strict";
import { ALICE, blockReference, signedPart, tracked, txId } from "../../../../test/support/tracking/tracked.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import { deployedContractAddress } from "../../../tron/src/transaction/contract-types.ts";
import type { Intent } from "../../../tron/src/transaction/intent.ts";
import { type ChainId, parseChainId } from "../../src/gateway/network.ts";
import { deploymentOf, deploymentsOn } from "../../src/transaction-state/deployments.ts";
import type { TrackingState } from "../../src/transaction-state/tracked-transaction.ts";

const CREATION: Intent = {
  kind: "contract-creation",
  owner: ALICE,
  name: "Leaf",
  bytecode: "00" as Hex,
  abi: "" as Hex,
  callValue: sun(0n),
  feeLimit: sun(1n),
  userPercent: 100n,
  originEnergyLimit: 1n,
};
const block = blockReference(7);
const DONE: TrackingState = { kind: "solidified", block, outcome: { kind: "success" } };
const deployment = (state: TrackingState, id = "1", createdAt = 1) =>
  tracked({ txId: txId(id), state, createdAt, signed: signedPart(CREATION) });

describe("deployments in the journal", () => {
  it("have the address of their txID and owner, the newest first", () => {
    const all = [deployment(DONE, "1", 1), deployment(DONE, "2", 2), tracked({ state: DONE })];

    assert.deepEqual(
      deploymentsOn(all, { network: "Local chain" }).map(({ address, name }) => [address, name]),
      ["2", "1"].map((id) => [deployedContractAddress(txId(id), ALICE), "Leaf"]),
    );
    assert.deepEqual(deploymentsOn(all, { network: "Main" }), []);
  });

  it("H1: belong to the chain, not to the name of a network", () => {
    const [chain, other] = ["a", "b"].map((digit) => parseChainId(`${"0".repeat(16)}${digit.repeat(48)}`) as ChainId);
    const all = [{ ...deployment(DONE), network: "Provider A", ...(chain && { chain }) }];

    assert.equal(deploymentsOn(all, { network: "Provider B", ...(chain && { chain }) }).length, 1);
    assert.equal(deploymentsOn(all, { network: "Provider A", ...(other && { chain: other }) }).length, 0);
    assert.equal(deploymentsOn(all, { network: "Provider A" }).length, 1);
    assert.equal(deploymentsOn(all, { network: "Provider B" }).length, 0);
  });

  it("are listed from the first block, and not solid before finality", () => {
    const failed = { kind: "failed", result: "REVERT", message: "" } as const;
    const solid = (state: TrackingState) => deploymentOf(deployment(state))?.isSolid;

    assert.deepEqual(
      [DONE, { kind: "included", block } as const].map((state) => solid(state)),
      [true, false],
    );
    assert.deepEqual(
      [
        { kind: "pending" } as const,
        { kind: "unknown", reason: "" } as const,
        { kind: "included", block, outcome: failed } as const,
        { kind: "solidified", block, outcome: failed } as const,
      ].map((state) => solid(state)),
      [undefined, undefined, undefined, undefined],
    );
  });
});
