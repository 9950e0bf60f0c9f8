import assert from "node:assert/strict";
import { ALICE } from "../../../../test/support/tracking/tracked.ts";
import { candidateFromJson, createAbiIndex } from "../../../tron/src/abi/abi-index.ts";
import { topicOf } from "../../../tron/src/abi/abi-signature.ts";
import { type Hex, hex } from "../../../tron/src/primitives/bytes.ts";
import { eventText } from "../../src/explain/fields.ts";
import type { EventLog } from "../../src/gateway/gateway.ts";

const parameter = (name: string, type: string, indexed = false) => ({ name, type, indexed });
const PAID = candidateFromJson(
  {
    type: "event",
    name: "Paid",
    inputs: [parameter("amount", "uint256"), parameter("to", "address", true), parameter("memo", "string", true)],
  },
  "test",
);
const index = createAbiIndex(PAID === undefined ? [] : [PAID]);
const word = (digits: string): Hex => hex(digits.padStart(64, "0"));
const log = (topics: readonly Hex[], data: Hex): EventLog => ({ address: ALICE, topics, data });
const TOPIC = topicOf("Paid(uint256,address,string)");

describe("eventText", () => {
  it("orders topics and data as declared, with the hash of an indexed text", () => {
    const text = eventText(log([TOPIC, word(ALICE.slice(2)), word("abc")], word("5")), index);

    assert.equal(text, `Paid(amount: 5, to: TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp, memo: 0x${"abc".padStart(64, "0")})`);
  });

  it("shows an event that does not match or has no name unchanged", () => {
    assert.match(eventText(log([TOPIC, word("1")], word("5")), index), /^an event that is in no ABI here: 0x/);
    assert.match(eventText(log([], hex("ff")), index), /: 0xff$/);
    assert.match(eventText(log([TOPIC, word(ALICE.slice(2)), word("1")], hex("")), index), /is in no ABI here/);
  });
});
