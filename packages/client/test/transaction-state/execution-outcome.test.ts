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

const [TRANSFER, CALL, CREATION] = ["TransferContract", "TriggerSmartContract", "CreateSmartContract"];
const SUCCESS = { kind: "success" };
const DEFAULT = { receiptResult: "DEFAULT" };
const failure = (result: string, message = "") => ({ kind: "failed", result, message });

describe("needsInfo", () => {
  it("S78 G3: returns false only for a transfer with a result in its block", () => {
    for (const [contractType, contractResult, expected] of [
      [TRANSFER, "SUCCESS", false],
      ["TransferAssetContract", "SUCCESS", false],
      [CALL, "SUCCESS", true],
      [CREATION, "SUCCESS", true],
      [TRANSFER, undefined, true],
      [TRANSFER, "DEFAULT", true],
    ] as const) {
      const transaction = { txId, contractType, ...(contractResult === undefined ? {} : { contractResult }) };
      assert.equal(needsInfo(transaction as never), expected, `${contractType} ${contractResult}`);
    }
  });
});

describe("outcomeInBlock", () => {
  it("G3: returns the result of a transfer, and nothing for DEFAULT", () => {
    const of = (contractResult: string) => outcomeInBlock({ txId, contractType: "TransferContract", contractResult });

    assert.deepEqual([of("SUCCESS"), of("UNKNOWN"), of("DEFAULT")], [SUCCESS, failure("UNKNOWN"), undefined]);
  });
});

describe("outcomeInInfo", () => {
  for (const [name, change, contractType, expected] of [
    [
      "S25 FAILED beside SUCCESS",
      { failed: true, receiptResult: "SUCCESS", message: "why" },
      CALL,
      failure("FAILED", "why"),
    ],
    ["G3: FAILED beside DEFAULT", { failed: true, receiptResult: "DEFAULT" }, CALL, failure("FAILED")],
    ["S26 a transfer without a receipt result", {}, TRANSFER, SUCCESS],
    ["S79 a call with SUCCESS", { receiptResult: "SUCCESS" }, CALL, SUCCESS],
    ["S79 a call with OUT_OF_TIME", { receiptResult: "OUT_OF_TIME" }, CALL, failure("OUT_OF_TIME")],
    ["G3: a call without a receipt result", {}, CALL, undefined],
    ["G3: a deployment without a receipt result", {}, CREATION, undefined],
    ["G3: a call with DEFAULT", DEFAULT, CALL, undefined],
    ["G3: a deployment with DEFAULT", DEFAULT, CREATION, undefined],
    ["G3: a transfer with DEFAULT", DEFAULT, TRANSFER, undefined],
    ["G3: an unknown type with DEFAULT", DEFAULT, undefined, undefined],
    ["an unknown type without a receipt result", {}, undefined, undefined],
  ] as const)
    it(`${name}: returns ${expected?.kind ?? "no outcome"}`, () => {
      assert.deepEqual(outcomeInInfo(info(change), contractType), expected);
    });
});
