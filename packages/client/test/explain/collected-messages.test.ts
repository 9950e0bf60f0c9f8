import assert from "node:assert/strict";
import { heldBackTexts, openTexts, ordinaryTexts } from "../../../../test/support/explanations/collected-messages.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import type { AbiIndex } from "../../../tron/src/abi/abi-index.ts";
import { hasTrace } from "../../src/explain/decode/plain-text.ts";
import { loadDictionary } from "../../src/explain/documented-sources.ts";
import { explain } from "../../src/explain/explain.ts";
import { type Explain, type ExplainedRange, rangeAt, rangesIn, windowAt } from "../../src/explain/explained-range.ts";
import type { Explanation } from "../../src/explain/explanation.ts";

/** One of so many words is hovered. */
const STEP = howOften(20, 1);
/** One of so many texts is read. */
const TEXTS = howOften(10, 1);
const everyText = () => [...openTexts(), ...heldBackTexts()].filter((_text, index) => index % TEXTS === 0);

/** Longest line that a hover reads completely; a link reads any line. */
const WHOLE_LINE = 2_048;

interface Word {
  readonly line: string;
  readonly word: string;
  readonly hovered: ExplainedRange | undefined;
  readonly linked: ExplainedRange | undefined;
}

interface Choice {
  /** One of so many words. */
  readonly step?: number;
  /** Returns true if the file belongs to a project for the chain. */
  readonly isOfChain?: () => boolean;
}

/** Explains words of a text by hover and by link. */
function* wordsOf(
  text: string,
  explainHere: Explain,
  { step = 1, isOfChain = () => true }: Choice = {},
): Generator<Word> {
  const lines = text.split("\n");
  const document = { lineCount: lines.length, line: (number: number) => lines[number] ?? "" };
  let count = 0;
  for (const [line, content] of lines.entries()) {
    const links = rangesIn(content, explainHere, isOfChain);
    const words = [...content.matchAll(/[^\s"',;(){}[\]=\\]+/g)].filter(() => count++ % step === 0);
    for (const { index, 0: word } of words) {
      const character = index + Math.floor(word.length / 2);
      const window = windowAt(document, { line, character });
      const hovered = rangeAt(window.text, window.offset, explainHere, { isOfChain });
      yield {
        line: content,
        word,
        hovered,
        linked: links.find(({ start, end }) => start <= character && character < end),
      };
    }
  }
}

const fails = (reading: ExplainedRange | undefined): reading is ExplainedRange =>
  reading !== undefined && reading.explanation.category !== "none";

describe("explain the words of collected texts", function () {
  this.timeout(240_000);
  let abi: AbiIndex;
  const known = new Map<string, ReturnType<Explain>>();
  const explainHere: Explain = (input, options) => {
    const key = JSON.stringify([input, options]);
    const found = known.get(key) ?? explain(input, { ...options, abi });
    known.set(key, found);
    return found;
  };

  before(async () => {
    abi = await loadDictionary();
  });

  it("returns the same code in a hover, in a link and in the decoder", () => {
    const wrong: string[] = [];
    let words = 0;
    for (const { id, text } of everyText())
      for (const { line, word, hovered, linked } of wordsOf(text, explainHere, { step: STEP })) {
        words++;
        const inDecoder = hovered && explain(hovered.input, { abi }).code;
        if (inDecoder !== hovered?.explanation.code) wrong.push(`${id} ${word}: the decoder says ${inDecoder}`);
        // A link reads one line, a hover also the surrounding lines.
        if (hovered?.input.includes("\n") || line.length > WHOLE_LINE) continue;
        if (!fails(linked)) continue;
        const { code, title } = linked.explanation;
        if (code !== hovered?.explanation.code && title !== hovered?.explanation.title)
          wrong.push(`${id} ${word}: ${hovered?.explanation.code} under the pointer, ${code} as a link`);
      }

    process.stdout.write(`      ${words} words of ${everyText().length} texts\n`);
    assert.deepEqual(wrong, []);
  });

  it("finds in a hover what the decoder finds in a file of the chain", () => {
    const silent = everyText().filter(({ text }) => {
      const whole = explainHere(text);
      const same = ({ code, title }: Explanation): boolean => code === whole.code || title === whole.title;
      // The decoder reads all lines.
      if (whole.category === "none" || !text.split("\n").some((line) => same(explainHere(line)))) return false;
      for (const { hovered } of wordsOf(text, explainHere))
        if (fails(hovered) && same(hovered.explanation)) return false;
      return true;
    });

    assert.deepEqual(
      silent.map(({ id, tool, text }) => `${id} ${tool} ${text.slice(0, 80)}`),
      [],
    );
  });

  it("finds nothing in texts of other programs without a trace of the chain", () => {
    const alarmed = ordinaryTexts().filter(({ text }) => {
      assert.equal(hasTrace(text), false);
      const words = [...wordsOf(text, explainHere, { isOfChain: () => false })];
      return words.some(({ hovered, linked }) => fails(hovered) || fails(linked));
    });

    assert.deepEqual(
      alarmed.map(({ id }) => id),
      [],
    );
  });
});
