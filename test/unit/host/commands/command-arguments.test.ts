import assert from "node:assert/strict";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { flag, text } from "../../../../packages/tron/src/primitives/read.ts";
import { isCallOfProgram } from "../../../../src/host/caller.ts";
import { json, parseArguments, texts, writtenText } from "../../../../src/host/commands/command-arguments.ts";

const SHAPE = { network: writtenText, amount: writtenText, apiKey: text, production: flag, fallbackUrls: texts };

const refusal = (value: unknown) => {
  try {
    parseArguments(value, SHAPE);
  } catch (error) {
    assert.ok(isChainError(error) && error.code === "COMMAND_ARGUMENT_MALFORMED");
    return error;
  }
  return assert.fail("the argument was accepted");
};

describe("parseArguments", () => {
  it("returns known fields only", () => {
    const input = { kind: "account", network: "Nile", production: true, fallbackUrls: ["https://a.test"], depth: 3 };

    assert.deepEqual(parseArguments(input, SHAPE), {
      network: "Nile",
      production: true,
      fallbackUrls: ["https://a.test"],
    });
  });

  it("accepts a number as text, and a text as a list of one", () => {
    assert.deepEqual(parseArguments({ amount: 1.5, fallbackUrls: "https://a.test" }, SHAPE), {
      amount: "1.5",
      fallbackUrls: ["https://a.test"],
    });
  });

  it("T6: rejects numbers that may have lost digits", () => {
    // biome-ignore lint/correctness/noPrecisionLoss: digits are lost on purpose
    const lossy = [12345678901234567890, 9007199254740993, 4503599627370497.5, 0.1234567890123456789, 1e21, 1e-7];

    for (const amount of [...lossy, Number.NaN, Number.POSITIVE_INFINITY])
      assert.deepEqual(refusal({ amount }).details, {
        argument: "amount",
        reason: `write ${amount} as a text, so that it keeps every digit`,
      });
    for (const [amount, text] of [
      [999_999_999_999_999, "999999999999999"],
      [1234567.890123, "1234567.890123"],
      [0.000001, "0.000001"],
      [0, "0"],
      [12345678901234567890n, "12345678901234567890"],
    ] as const)
      assert.deepEqual(parseArguments({ amount }, SHAPE), { amount: text });
  });

  it("treats null and undefined as absent, and other values as no argument", () => {
    assert.deepEqual(parseArguments({ network: null, amount: undefined }, SHAPE), {});
    for (const nothing of [undefined, null, "Nile", 7, ["Nile"]]) assert.deepEqual(parseArguments(nothing, SHAPE), {});
    const faults = [{ name: "lost-answer", count: 1 }];
    assert.deepEqual(parseArguments({ faults }, { faults: json }), { faults });
    assert.deepEqual(parseArguments({ faults: [] }, { faults: json }), { faults: [] });
    assert.equal(refusal({ apiKey: 7 }).details.argument, "apiKey");
  });

  it("names the malformed field", () => {
    const detailsOf = (value: unknown) => refusal(value).details;

    assert.deepEqual(detailsOf({ network: {} }), { argument: "network", reason: "it must be text" });
    assert.deepEqual(detailsOf({ production: "yes" }), {
      argument: "production",
      reason: "it must be true or false",
    });
    assert.deepEqual(detailsOf({ fallbackUrls: [1] }), {
      argument: "fallbackUrls",
      reason: "it must be a list of texts",
    });
    assert.equal(refusal({ apiKey: { canary: "s3cr3t" } }).message.includes("s3cr3t"), false);
  });

  it("isCallOfProgram is false for rows, which have a kind", () => {
    assert.equal(isCallOfProgram({}), true);
    assert.equal(isCallOfProgram({ network: "Nile" }), true);
    assert.equal(isCallOfProgram({ kind: "account", address: "41" }), false);
    assert.equal(isCallOfProgram(undefined), false);
  });
});
