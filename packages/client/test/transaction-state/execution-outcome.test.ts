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
  it("S78 comes from the block for a transfer, and from the receipt for a contract", () => {
    const of = (contractType: string) => needsInfo({ txId, contractType, contractResult: "SUCCESS" });

    assert.equal(of("TransferContract"), false);
    assert.equal(of("TransferAssetContract"), false);
    assert.equal(of("TriggerSmartContract"), true);
    assert.equal(of("CreateSmartContract"), true);
  });

  it("requires the info when the block has no result", () => {
    assert.equal(needsInfo({ txId, contractType: "TransferContract" }), true);
  });

  it("is read from the block for a transfer", () => {
    const of = (contractResult: string) => outcomeInBlock({ txId, contractType: "TransferContract", contractResult });

    assert.deepEqual(of("SUCCESS"), { kind: "success" });
    assert.deepEqual(of("UNKNOWN"), { kind: "failed", result: "UNKNOWN", message: "" });
  });

  it("S25 is FAILED at the top level, also beside a SUCCESS receipt", () => {
    const outcome = outcomeInInfo(
      info({ failed: true, receiptResult: "SUCCESS", message: "why" }),
      "TriggerSmartContract",
    );

    assert.deepEqual(outcome, { kind: "failed", result: "FAILED", message: "why" });
  });

  it("S26 is success for a system transaction without a receipt result", () => {
    assert.deepEqual(outcomeInInfo(info({}), "TransferContract"), { kind: "success" });
  });

  it("G3: is undefined for a contract without a receipt result or with DEFAULT", () => {
    for (const contractType of ["TriggerSmartContract", "CreateSmartContract"]) {
      assert.equal(outcomeInInfo(info({}), contractType), undefined);
      assert.equal(outcomeInInfo(info({ receiptResult: "DEFAULT" }), contractType), undefined);
    }
    assert.equal(outcomeInInfo(info({ receiptResult: "DEFAULT" }), "TransferContract"), undefined);
    assert.equal(outcomeInInfo(info({ receiptResult: "DEFAULT" }), undefined), undefined);
  });

  it("G3: is a failure for FAILED at the top level beside DEFAULT", () => {
    const outcome = outcomeInInfo(info({ failed: true, receiptResult: "DEFAULT" }), "TriggerSmartContract");

    assert.deepEqual(outcome, { kind: "failed", result: "FAILED", message: "" });
  });

  it("G3: is read from the info when the block has DEFAULT", () => {
    const transaction = { txId, contractType: "TransferContract", contractResult: "DEFAULT" };

    assert.equal(needsInfo(transaction), true);
    assert.equal(outcomeInBlock(transaction), undefined);
  });

  it("S79 is success for a contract call only with a SUCCESS receipt", () => {
    const of = (receiptResult: string) => outcomeInInfo(info({ receiptResult }), "TriggerSmartContract");

    assert.deepEqual(of("SUCCESS"), { kind: "success" });
    assert.deepEqual(of("OUT_OF_TIME"), { kind: "failed", result: "OUT_OF_TIME", message: "" });
  });

  it("is undefined for an unknown type without a receipt", () => {
    assert.equal(outcomeInInfo(info({}), undefined), undefined);
  });
});
