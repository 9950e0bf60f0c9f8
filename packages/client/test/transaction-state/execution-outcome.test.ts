import assert from "node:assert/strict";
import { fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import type { TransactionInfo } from "../../src/gateway/gateway.ts";
import { needsInfo, outcomeInBlock, outcomeInInfo } from "../../src/transaction-state/execution-outcome.ts";

const txId = fakeTxId(1);

function info(change: Partial<TransactionInfo>): TransactionInfo {
  return {
    txId,
    blockNumber: 1,
    blockTimestamp: 3,
    failed: false,
    contractResult: "" as Hex,
    message: "",
    fee: sun(0n),
    energyUsed: 0n,
    energyStaked: 0n,
    energyOfOwner: 0n,
    energyFee: sun(0n),
    bandwidthUsed: 0n,
    bandwidthFee: sun(0n),
    ...change,
  };
}

describe("execution outcome", () => {
  it("S78 a transfer's outcome stands in its block, a contract's in its receipt", () => {
    const of = (contractType: string) => needsInfo({ txId, contractType, contractResult: "SUCCESS" });

    assert.equal(of("TransferContract"), false);
    assert.equal(of("TransferAssetContract"), false);
    assert.equal(of("TriggerSmartContract"), true);
    assert.equal(of("CreateSmartContract"), true);
  });

  it("a transaction without a result in its block needs its info", () => {
    assert.equal(needsInfo({ txId, contractType: "TransferContract" }), true);
  });

  it("reads a transfer's result from the block", () => {
    const of = (contractResult: string) => outcomeInBlock({ txId, contractType: "TransferContract", contractResult });

    assert.deepEqual(of("SUCCESS"), { kind: "success" });
    assert.deepEqual(of("UNKNOWN"), { kind: "failed", result: "UNKNOWN", message: "" });
  });

  it("S25 FAILED at the top stands above a receipt that says SUCCESS", () => {
    const outcome = outcomeInInfo(
      info({ failed: true, receiptResult: "SUCCESS", message: "why" }),
      "TriggerSmartContract",
    );

    assert.deepEqual(outcome, { kind: "failed", result: "FAILED", message: "why" });
  });

  it("S26 without a receipt result a transaction of the system succeeded", () => {
    assert.deepEqual(outcomeInInfo(info({}), "TransferContract"), { kind: "success" });
  });

  it("G3: a contract has no outcome while its receipt has no result or DEFAULT", () => {
    for (const contractType of ["TriggerSmartContract", "CreateSmartContract"]) {
      assert.equal(outcomeInInfo(info({}), contractType), undefined);
      assert.equal(outcomeInInfo(info({ receiptResult: "DEFAULT" }), contractType), undefined);
    }
    assert.equal(outcomeInInfo(info({ receiptResult: "DEFAULT" }), "TransferContract"), undefined);
    assert.equal(outcomeInInfo(info({ receiptResult: "DEFAULT" }), undefined), undefined);
  });

  it("G3: FAILED at the top is a failure, also beside DEFAULT", () => {
    const outcome = outcomeInInfo(info({ failed: true, receiptResult: "DEFAULT" }), "TriggerSmartContract");

    assert.deepEqual(outcome, { kind: "failed", result: "FAILED", message: "" });
  });

  it("G3: DEFAULT in a block is no outcome: the info is read", () => {
    const transaction = { txId, contractType: "TransferContract", contractResult: "DEFAULT" };

    assert.equal(needsInfo(transaction), true);
    assert.equal(outcomeInBlock(transaction), undefined);
  });

  it("S79 a contract call succeeded only when its receipt says SUCCESS", () => {
    const of = (receiptResult: string) => outcomeInInfo(info({ receiptResult }), "TriggerSmartContract");

    assert.deepEqual(of("SUCCESS"), { kind: "success" });
    assert.deepEqual(of("OUT_OF_TIME"), { kind: "failed", result: "OUT_OF_TIME", message: "" });
  });

  it("says nothing about an unknown type without a receipt", () => {
    assert.equal(outcomeInInfo(info({}), undefined), undefined);
  });
});
