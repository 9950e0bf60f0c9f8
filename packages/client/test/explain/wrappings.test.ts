import assert from "node:assert/strict";
import { catalogueMessages, plainWrappings, wrappings } from "../../../../test/support/explanations/wrappings.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { explain } from "../../src/explain/explain.ts";
import { type Explain, rangeAt, rangesIn } from "../../src/explain/explained-range.ts";
import type { Explanation } from "../../src/explain/explanation.ts";
import { entryOf, isCommon } from "../../src/explain/messages/catalogue.ts";

/** One of so many messages is wrapped, and one of so many of those is hovered. */
const WRAPPED = howOften(10, 1);
const STEP = howOften(2, 1);
/** Returns true if a message is tested in this variant: one variant in turn, or all in full runs. */
const isTried = (index: number, variant: number, { length }: readonly unknown[]): boolean =>
  howOften(0, 1) === 1 || index % length === variant;

const messages = catalogueMessages();
const bare: ReadonlyMap<string, Explanation> = new Map(messages.map((message) => [message, explain(message)]));
const known = messages.filter(
  (message) => !/^(?:(?:generic-unknown|tool-reports)$|topic-)/.test(bare.get(message)?.entry ?? ""),
);
const wrapped = known.filter((_message, index) => index % WRAPPED === 0);

/** Returns an explanation without its input. */
function meaning({ category, code, entry, title, cause, fix, retry }: Explanation): string {
  return JSON.stringify({ category, code, entry, title, cause, fix, retry });
}

function meaningOf(message: string): string {
  return meaning(bare.get(message) ?? explain(message));
}

const isOfChain = () => true;
/** Explains as in a file of a chain project. */
const explainHere: Explain = (input, options) => explain(input, { ...options, isOfChain });

/** Returns the failures that links show in the lines of a text. */
function failuresIn(text: string): readonly Explanation[] {
  return text
    .split("\n")
    .flatMap((line) => rangesIn(line, explainHere, isOfChain))
    .map(({ explanation }) => explanation)
    .filter(({ category }) => category !== "none");
}

/** Returns the position of the longest word of a message in the wrapped text. No wrapping changes a word. */
function offsetOf(message: string, text: string): number {
  const [word = message] = (message.match(/[A-Za-z]{3,}/g) ?? []).sort((left, right) => right.length - left.length);
  const [start = ""] = message.split(/["'\\]/);
  return text.indexOf(word, text.indexOf(start)) + 1;
}

describe("explain catalogue messages in printed text", function () {
  this.timeout(240_000);

  it("W1: recognizes each message, and general forms with their prefix", () => {
    const forms = messages.filter((message) => !known.includes(message));

    assert.ok(known.length > 1_300, `${known.length} messages`);
    assert.deepEqual(
      forms.filter((message) => explain(`Contract validate error : ${message}`).entry.startsWith("generic-")),
      ["1:17: so and so", "null"],
      "these two are known behind the class of their exception alone",
    );
  });

  for (const [name, variants] of Object.entries(wrappings)) {
    it(`W1: returns code, title and values of the bare message inside ${name}`, () => {
      const wrong = variants.flatMap((wrap, variant) =>
        wrapped
          .filter((_message, index) => isTried(index, variant, variants))
          .filter((message) => meaning(explain(wrap(message))) !== meaningOf(message))
          .map((message) => `${variant}: ${message}`),
      );

      assert.deepEqual(wrong, []);
    });

    it(`W1: finds only this failure in links and hovers inside ${name}`, () => {
      const failures = wrapped.filter((message) => {
        const { category, entry } = bare.get(message) ?? explain(message);
        return category !== "none" && !isCommon(entryOf(entry));
      });
      const some = failures.filter((_message, index) => index % STEP === 0);
      const wrong = variants.flatMap((wrap, variant) =>
        some
          .filter((message) => {
            const text = wrap(message);
            const hovered = rangeAt(text, offsetOf(message, text), explainHere, { isOfChain })?.explanation;
            const found = [...failuresIn(text), ...(hovered === undefined ? [] : [hovered])];
            return found.length < 2 || found.some((one) => meaning(one) !== meaningOf(message));
          })
          .map((message) => `${variant}: ${message}`),
      );

      assert.deepEqual(wrong, []);
    });
  }

  it("W1: recognizes specific messages without a trace of the chain", () => {
    const own = known.filter((message) => !isCommon(entryOf(bare.get(message)?.entry ?? "")));
    const wrong = plainWrappings.flatMap((wrap, variant) =>
      own
        .filter((_message, index) => index % WRAPPED === 0 && isTried(index, variant, plainWrappings))
        .filter((message) => meaning(explain(wrap(message))) !== meaningOf(message))
        .map((message) => `${variant}: ${message}`),
    );

    assert.ok(own.length > 1_250, `${own.length} messages`);
    assert.deepEqual(wrong, []);
  });

  it("W1: ends a value at the end of the line, quote or bracket", () => {
    const values: readonly (readonly [text: string, cause: RegExp])[] = [
      ["[VM: Invalid operation code: opCode[fe];]\n22:52:35.066 INFO next", /^fe is no operation/],
      [
        "CONTRACT_VALIDATE_ERROR (Contract validate error : Exchange[12] not exists) while broadcasting the transaction to create the contract Leaf",
        /^The chain has no pair 12\.$/,
      ],
      ["Not existed witness:41ab; nested exception is java.lang.Error", /^Only witnesses/],
      ['msg="precision cannot exceed 6" caller=send.go:12', /^precision is at most 6\.$/],
      ["error: precision cannot exceed 6    at send (tronweb.js:1)", /^precision is at most 6\.$/],
    ];

    for (const [text, cause] of values) assert.match(explain(text).cause, cause, text);
  });
});
