import assert from "node:assert/strict";
import * as fc from "fast-check";
import { anyIntent, intentKinds } from "../../../../test/support/tracking/intents.ts";
import { type Hex, hex } from "../../../tron/src/primitives/bytes.ts";
import { contractFromIntent } from "../../../tron/src/transaction/contract-from-intent.ts";
import { contractTypes } from "../../../tron/src/transaction/contract-types.ts";
import {
  allowsOperation,
  findOperation,
  maskOf,
  operationOf,
  operations,
  operationsIn,
} from "../../src/permissions/operations.ts";

const USUAL = hex(`7fff1fc0033e0108${"00".repeat(24)}`);

describe("the operations of a permission", () => {
  it("are the contract types of the protocol, by number and name", () => {
    assert.deepEqual(
      operations.map(({ number, name }) => [number, name]),
      contractTypes.map(({ number, name }) => [number, name.replace(/Contract$/, "")]),
    );
  });

  it("are those that intents of each kind become", () => {
    for (const kind of intentKinds) {
      const [intent] = fc.sample(anyIntent(kind), { numRuns: 1, seed: 7 });
      assert.ok(intent);
      assert.equal(operationOf[kind], contractFromIntent(intent).type, kind);
    }
  });

  it("are the bits of a mask, the lowest bit of each byte first", () => {
    assert.ok(allowsOperation(USUAL, 1) && allowsOperation(USUAL, 31) && allowsOperation(USUAL, 59));
    assert.ok(!allowsOperation(USUAL, 46) && !allowsOperation(USUAL, 54) && !allowsOperation(USUAL, 255));
    assert.equal(maskOf(operationsIn(USUAL)), USUAL);
    for (const numbers of fc.sample(fc.uniqueArray(fc.nat(255)), { numRuns: 100, seed: 3 }))
      assert.deepEqual(
        operationsIn(maskOf(numbers)),
        numbers.toSorted((left, right) => left - right),
      );
  });

  it("are in no mask that is too short", () => {
    assert.deepEqual(operationsIn("" as Hex), []);
  });

  it("are found by number and by name, with and without its end", () => {
    for (const wanted of [1, "Transfer", " transfercontract "]) assert.equal(findOperation(wanted)?.number, 1);
    assert.equal(findOperation("Sing"), undefined);
    assert.equal(findOperation(3), undefined);
  });
});
