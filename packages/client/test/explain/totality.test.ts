import assert from "node:assert/strict";
import fc from "fast-check";
import { recordedFailures } from "../../../../test/support/failures/recorded-failures.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { candidateFromSignature, createAbiIndex } from "../../../tron/src/abi/abi-index.ts";
import { selectorOf } from "../../../tron/src/abi/abi-signature.ts";
import { explain } from "../../src/explain/explain.ts";
import type { Explanation } from "../../src/explain/explanation.ts";

const abi = createAbiIndex([
  candidateFromSignature("error", "Nested(bytes inner,(string,uint8[])[] items)", "test"),
  candidateFromSignature("error", "Bare()", "test"),
  candidateFromSignature("function", "transfer(address to,uint256 amount)", "test"),
]);
const seeds = [
  "Error: VM Exception while processing transaction: reverted with custom error 'Broke(\"0xab\", 0, 100)'",
  "AssertionError: Expected transaction to be reverted with custom error 'A', but it reverted with reason 'B'",
  "[FAIL: panic: arithmetic underflow or overflow (0x11)] testA() (gas: 1)",
  "Contract validate error : token balance must less than 100",
  '{"result": {"code": "","message": "524556455254206f70636f6465206578656375746564"}}',
  ...recordedFailures().map(({ body }) => body),
  "08c379a0",
  "4e487b71",
  "a9059cbb",
  "0a02ffff2208",
  "41dd791d6b49e190062d650e6a23c575510d35f2f9",
  "HTTP/1.1 503 Service Unavailable\r\n\r\n<html>",
  "Panic(0x11)",
  "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp",
];
const FAMILY = [
  '{"',
  '"}',
  "[[[[",
  "}}}}",
  "{'a':",
  '\\"',
  ": ",
  "0x",
  "\u202e",
  "\u0000",
  "\uD800",
  "\u001b[31m",
  "T",
  "REVERT",
  "code",
  "message",
  "result",
  "Error",
  "receipt",
  "raw_data",
  "class a.b.C : ",
  "08c379a0",
  "ff",
  "20".padStart(64, "0"),
];

/** Recorded failure that is truncated, doubled or has inserted text. */
const mutated = fc
  .tuple(fc.constantFrom(...seeds), fc.nat(), fc.nat(2000), fc.constantFrom("", ...FAMILY), fc.boolean())
  .map(([seed, at, cut, inserted, repeat]) => {
    const place = at % (seed.length + 1);
    const text = seed.slice(0, place) + inserted + seed.slice(place + (cut % 40));
    return (repeat ? text + text : text).slice(0, cut > 1000 ? text.length : at % 3000);
  });
const assembled = fc
  .array(fc.constantFrom(...FAMILY, ...seeds.slice(-6)), { maxLength: 30 })
  .map((parts) => parts.join(""));
const hex = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("hex"));
const errorLike = fc
  .tuple(fc.constantFrom("08c379a0", "4e487b71", "a9059cbb", "0a"), hex)
  .map(([selector, rest]) => selector + rest);
const anyInput = fc.oneof(
  { weight: 4, arbitrary: mutated },
  { weight: 2, arbitrary: assembled },
  { weight: 2, arbitrary: errorLike },
  { weight: 1, arbitrary: hex },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 400 }) },
  { weight: 1, arbitrary: fc.json() },
);

const CATEGORIES = ["http", "validation", "execution", "abi", "none"];

function check(input: string, explanation: Explanation): void {
  assert.equal(explanation.raw, input);
  assert.ok(CATEGORIES.includes(explanation.category));
  assert.ok(["yes", "no", "after"].includes(explanation.retry.sameBytes));
  for (const text of [explanation.code, explanation.title, explanation.cause, explanation.fix])
    assert.notEqual(text, "");
  assert.ok(explanation.title.length < 1000 && explanation.cause.length < 2000);
}

const RUNS = howOften(1_000, 100_000);
/** One of so many texts of the recorded failures is emptied. */
const EVERY = howOften(20, 1);

describe("explain any input", () => {
  it("does not throw, and returns the raw text, for random and mutated inputs", () => {
    fc.assert(
      fc.property(anyInput, (input) => check(input, explain(input, { abi }))),
      { numRuns: RUNS },
    );
  }).timeout(300_000);

  it("explains every recorded failure with any one of its texts emptied", () => {
    for (const { body } of recordedFailures())
      for (const [place, { index, 0: text }] of [...body.matchAll(/"(?:[^"\\]|\\.)*"/g)].entries()) {
        if (place % EVERY !== 0) continue;
        for (const other of ['""', '" "', "null", "0"]) {
          const changed = body.slice(0, index) + other + body.slice(index + text.length);
          check(changed, explain(changed, { abi }));
        }
      }
  }).timeout(120_000);

  it("accepts an object in place of a number or a text", () => {
    const odd = { toString: 1, valueOf: 1 };
    for (const name of ["status", "statusCode", "StatusCode", "code", "result", "message", "error", "Error"])
      for (const value of [odd, [odd], [[]]]) {
        const text = JSON.stringify({ message: "refused", [name]: value });
        check(text, explain(text, { abi }));
      }
    const estimate = JSON.stringify({ result: { result: true }, energy_required: odd });
    check(estimate, explain(estimate, { abi }));
  });

  const MILLION = 1_000_000;
  const large: { readonly [name: string]: string } = {
    "one word": "a".repeat(MILLION),
    hex: "ab".repeat(MILLION / 2),
    "hex that begins like a text of a revert": `08c379a0${"20".padStart(64, "0")}${(MILLION / 2 - 68).toString(16).padStart(64, "0")}${"61".repeat(MILLION / 2)}`,
    "open braces": "{".repeat(MILLION),
    "open braces with names": '{"a":'.repeat(MILLION / 5),
    "open brackets": "[".repeat(MILLION),
    "braces that close": "{}".repeat(MILLION / 2),
    quotes: '"'.repeat(MILLION),
    "escaped quotes": '\\"'.repeat(MILLION / 2),
    backslashes: "\\".repeat(MILLION),
    "labels of loggers": "[22:52:35] ERROR [a] - ".repeat(MILLION / 22),
    "brackets before a message": `${"(".repeat(60_000)}Exchange[1] not exists`,
    "escaped braces": '{\\"'.repeat(MILLION / 3),
    blanks: `x${" ".repeat(MILLION)}x`,
    "blanks in an object": `{${" ".repeat(MILLION)}`,
    lines: `${"\n".repeat(MILLION)}x`,
    "full stops": `${".".repeat(MILLION)}x`,
    addresses: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp ".repeat(MILLION / 35),
    ids: `${"ab".repeat(32)} `.repeat(MILLION / 65),
    "a message in an answer": JSON.stringify({ code: "OTHER_ERROR", message: "41".repeat(MILLION / 2) }),
    "words of the node": "Not enough energy for '".repeat(MILLION / 23),
    "a class": `class ${"a.".repeat(MILLION / 2)} : x`,
    "an HTTP head after the other": "HTTP/1.1 200\n\n".repeat(MILLION / 14),
    "a title": `<html><title>${" ".repeat(MILLION)}`,
    "console objects": "{ a: 'b', ".repeat(MILLION / 10),
    capitals: "ABC_DEF ".repeat(MILLION / 8),
    "comments that end": `{${"// a\n/* b */".repeat(MILLION / 13)}`,
    "a comment in an object": `{ /*${"*".repeat(MILLION)}`,
    "comments that no one ends": `{"a": /*`.repeat(MILLION / 8),
    "backslashes and quotes": `{\\"a\\": `.repeat(MILLION / 10),
    "texts in texts": JSON.stringify(JSON.stringify(JSON.stringify(`{"code":"${"\\".repeat(MILLION / 16)}`))),
    "margins of lines": `> {"a":\n`.repeat(MILLION / 8),
    "odd hex": `0x${"6".repeat(MILLION + 1)}`,
    "base64 in an answer": JSON.stringify({ code: "OTHER_ERROR", message: "QUFB".repeat(MILLION / 4) }),
    "colours of a terminal": "\u001b[31m".repeat(MILLION / 5),
    "accounts that are nowhere": `Contract validate error : ${"account ".repeat(MILLION / 8)}`,
    "titles of pages": "<title>4".repeat(MILLION / 8),
    "a number": "9".repeat(MILLION),
    "digits in an object": `{"a":${"9".repeat(MILLION)}}`,
    protobuf: `0a${"80".repeat(MILLION / 2)}`,
    "reasons that no tool ends": 'reason="a" '.repeat(MILLION / 11),
    "quotes that no tool closes": "reverted with reason string 'a".repeat(MILLION / 30),
    "errors that no tool ends": "reverted with custom error 'A(".repeat(MILLION / 30),
    "words of viem": "reverted. Error: A(".repeat(MILLION / 19),
    "reasons of Truffle": "Reason given: a ".repeat(MILLION / 16),
    "tests that failed": "[FAIL: A(".repeat(MILLION / 9),
    expectations: "to be reverted ".repeat(MILLION / 15),
    "general forms of the node": `Contract validate error : ${"must be greater than ".repeat(MILLION / 21)}`,
    "protobuf groups": "0a020a000b".repeat(MILLION / 10),
  };
  for (const [name, input] of Object.entries(large)) {
    it(`accepts 1 MB of ${name}`, () => {
      check(input, explain(input, { abi }));
    });
  }

  it("decodes nested offsets without multiplying shared data", () => {
    const bomb = createAbiIndex([candidateFromSignature("error", "Bomb(bytes[][][][][][] x)", "test")]);
    const selector = selectorOf("Bomb(bytes[][][][][][])");
    const width = 40;
    const level = `${width.toString(16).padStart(64, "0")}${"0".repeat(64).repeat(width)}`;
    const input = selector + "20".padStart(64, "0") + level.repeat(20);

    assert.equal(bomb.lookup(selector).length, 1);
    check(input, explain(input, { abi: bomb }));
  });
});
