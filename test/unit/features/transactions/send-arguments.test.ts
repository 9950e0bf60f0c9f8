import assert from "node:assert/strict";
import type { Address } from "../../../../packages/tron/src/primitives/address.ts";
import { isComplete, readSendArguments } from "../../../../src/features/transactions/send-arguments.ts";
import { argumentsOf } from "../../../../src/host/commands/command-arguments.ts";
import { ALICE, BOB, txId } from "../../../support/tracking/tracked.ts";

const people: Readonly<Record<string, Address>> = { Alice: ALICE, Bob: BOB };
const fieldsOf = (value: unknown) =>
  readSendArguments(argumentsOf("finality.sendCoins", value), (name) => people[name]);
/** Returns the defined arguments. */
const parse = (value: unknown) =>
  Object.fromEntries(Object.entries(fieldsOf(value)).filter(([, it]) => it !== undefined)) as ReturnType<
    typeof fieldsOf
  >;
const argumentNamed = (argument: string) => ({ code: "COMMAND_ARGUMENT_MALFORMED", details: { argument } });

describe("readSendArguments", () => {
  it("reads accounts, addresses, exact amounts and rows", () => {
    assert.deepEqual(parse({ from: "Alice", to: BOB }), { from: ALICE, to: BOB });
    assert.equal(parse({ amount: "0.000001" }).amount, 1n);
    assert.equal(parse({ amount: 1.5 }).amount, 1_500_000n);
    assert.deepEqual(parse({ kind: "account", address: ALICE }), { from: ALICE });
    assert.deepEqual([parse(undefined), parse(null), parse([])], [{}, {}, {}]);
  });

  it("names the malformed argument", () => {
    const thrown = (value: unknown): unknown => {
      try {
        return parse(value);
      } catch (error) {
        return error;
      }
    };

    for (const [argument, value] of Object.entries({
      from: "Carol",
      to: 7,
      amount: "much",
      acknowledgeUnknown: "yes",
      memo: {},
    })) {
      const { code, details } = thrown({ [argument]: value }) as { code: string; details: { argument: string } };
      assert.deepEqual({ code, details: { argument: details.argument } }, argumentNamed(argument));
    }
  });

  it("reads acknowledged txIDs", () => {
    assert.deepEqual(parse({ acknowledgeUnknown: `0x${txId("AB")}` }).acknowledgeUnknown, [txId("ab")]);
    assert.deepEqual(parse({ acknowledgeUnknown: [txId("1"), txId("2")] }).acknowledgeUnknown, [txId("1"), txId("2")]);
    assert.deepEqual(parse({ acknowledgeUnknown: `${txId("1")}, ${txId("2")}` }).acknowledgeUnknown, [
      txId("1"),
      txId("2"),
    ]);
  });

  it("isComplete requires sender, recipient and amount", () => {
    assert.deepEqual(
      [parse({ from: "Alice", to: "Bob" }), parse({ from: "Alice", to: "Bob", amount: "1" })].map(isComplete),
      [false, true],
    );
  });
});
