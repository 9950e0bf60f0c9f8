import assert from "node:assert/strict";
import { maskOf, operations } from "../../../packages/client/src/permissions/permissions.ts";
import { hex } from "../../../packages/tron/src/primitives/bytes.ts";
import { operationGroup, operationsText, operationText } from "../../../src/labels/operation-words.ts";

describe("what a mask allows, in words", () => {
  it("has groups that are whole, and the rest by their names", () => {
    assert.equal(operationsText(maskOf([1, 2, 31])), "payments, contract calls");
    assert.equal(operationsText(maskOf([1, 54, 59])), "Transfer, FreezeBalanceV2, CancelAllUnfreezeV2");
    assert.equal(operationsText(maskOf([46])), "changing permissions");
  });

  it("says when that is nothing, or everything", () => {
    assert.equal(operationsText(maskOf([])), "nothing");
    assert.equal(operationsText(maskOf(operations.map(({ number }) => number))), "everything");
  });

  it("hides no bit that may mean something one day, and shows none that means nothing", () => {
    assert.equal(operationsText(maskOf([77])), "contract type 77");
    assert.equal(operationsText(hex(`08001000${"00".repeat(28)}`)), "nothing");
  });

  it("has a group for each contract type", () => {
    for (const { number } of operations) assert.notEqual(operationGroup(number), "", operationText(number));
  });
});
