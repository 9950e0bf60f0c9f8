import assert from "node:assert/strict";
import * as fc from "fast-check";
import {
  anyIntent,
  anyOtherIntent,
  anyValidity,
  intentKinds,
  OWNER,
  RECIPIENT,
  VALIDITY,
} from "../../../../test/support/tracking/intents.ts";
import { sun } from "../../src/primitives/amount.ts";
import type { Hex } from "../../src/primitives/bytes.ts";
import { rawDataFromIntent, type Validity } from "../../src/transaction/built-transaction.ts";
import type { Intent } from "../../src/transaction/intent.ts";
import { intentKinds as readers } from "../../src/transaction/intent.ts";
import { intentFromRawData } from "../../src/transaction/intent-contract.ts";
import { contractEntry, decodeRawData, encodeRawData } from "../../src/transaction/raw-data-codec.ts";

function assertRoundTrip(intent: Intent, validity: Validity): void {
  const bytes = encodeRawData(rawDataFromIntent(intent, validity));
  const decoded = intentFromRawData(decodeRawData(bytes));
  assert.deepEqual(decoded, structuredClone(intent));
  assert.deepEqual(encodeRawData(rawDataFromIntent(decoded, validity)), bytes);
}

describe("intentFromRawData", () => {
  for (const kind of intentKinds) {
    it(`restores the intent (${kind})`, () => {
      void fc.assert(fc.property(anyIntent(kind), anyValidity, assertRoundTrip), { numRuns: 30 });
    });
  }

  it("restores an intent of a type without its own kind", () => {
    void fc.assert(fc.property(anyOtherIntent, anyValidity, assertRoundTrip), { numRuns: 30 });
  });

  it("keeps the message of a delegation for votes, which no chain executes", () => {
    const delegate: Intent = {
      kind: "delegate",
      owner: OWNER,
      resource: "ENERGY",
      amount: sun(5n),
      receiver: RECIPIENT,
    };
    const raw = rawDataFromIntent(delegate, VALIDITY);
    const { type, message } = decodeRawData(encodeRawData(raw)).contracts[0] ?? {};
    assert.ok(type && message);
    raw.contract = [contractEntry(type, Object.assign(message, { resource: 2 }))];

    const read = intentFromRawData(decodeRawData(encodeRawData(raw)));

    assert.equal(read.kind === "other" && read.type, "DelegateResourceContract");
  });

  it("refuses to build a contract of a type that is not in the protocol", () => {
    const other: Intent = {
      kind: "other",
      owner: OWNER,
      type: "NoSuchContract",
      parameter: "" as Hex,
      feeLimit: sun(0n),
    };

    assert.throws(() => rawDataFromIntent(other, VALIDITY), { code: "TRANSACTION_MALFORMED" });
  });

  it("has a generator for each kind of intent", () => {
    assert.deepEqual([...intentKinds, "other"].sort(), Object.keys(readers).sort());
  });
});
