import { readFileSync } from "node:fs";
import { explain } from "../../../packages/client/src/explain/explain.ts";
import { type Explain, rangesIn } from "../../../packages/client/src/explain/explained-range.ts";
import type { Explanation } from "../../../packages/client/src/explain/explanation.ts";
import { answerProblems } from "../../../packages/client/src/explain/text-problems.ts";
import type { AbiIndex } from "../../../packages/tron/src/abi/abi-index.ts";

/** A text that a program printed, and the meaning that a person who knows the node gave it. */
export interface CollectedMessage {
  /** The first ten digits of the SHA-256 of the text. */
  readonly id: string;
  readonly tool: string;
  readonly version: string;
  readonly origin: "run" | "wording";
  readonly what: string;
  readonly text: string;
  readonly expected: Expected;
}

interface Expected {
  readonly category: string;
  readonly code: string;
  /** Each has to stand in the title or the cause. */
  readonly causeWords: readonly string[];
  readonly verdict: string;
  /** The code was not one of ours when the text was collected. */
  readonly newCode?: true;
}

/** A text of a program that has nothing to do with a chain. */
interface OrdinaryText {
  readonly id: string;
  readonly tool: string;
  readonly origin: "run" | "wording";
  readonly what: string;
  readonly text: string;
}

/** Texts that are judged wrong today, by their ids. */
export interface NotYet {
  readonly open: readonly string[];
  readonly ordinary: readonly string[];
}

const folder = new URL("../../fixtures/explanations/collected/", import.meta.url);
const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));

export const openTexts = (): readonly CollectedMessage[] => read("open");
export const heldBackTexts = (): readonly CollectedMessage[] => read("held-back");
export const ordinaryTexts = (): readonly OrdinaryText[] => read("ordinary");
export const notYet = (): NotYet => read("not-yet");

/** Returns the differences of an explanation from the expected one. */
export function mistakesIn({ text, expected }: CollectedMessage, abi: AbiIndex): readonly string[] {
  const said: Explanation = explain(text, { abi });
  const words = `${said.title} ${said.cause}`.toLowerCase();
  return [
    ...differs("category", said.category, expected.category),
    ...differs("code", said.code, expected.code),
    ...differs("verdict", said.retry.sameBytes, expected.verdict),
    ...expected.causeWords.filter((word) => !words.includes(word.toLowerCase())).map((word) => `no word "${word}"`),
  ];
}

function differs(field: string, said: string, expected: string): readonly string[] {
  return said === expected ? [] : [`${field} ${said} instead of ${expected}`];
}

/** The failures of a chain that are seen in a text: in the whole, in its lines, and in the answers it holds. */
export function alarmsIn({ text }: OrdinaryText, abi: AbiIndex): readonly string[] {
  const explainHere: Explain = (input, options) => explain(input, { ...options, abi });
  const whole = explainHere(text);
  const inLines = text.split("\n").flatMap((line) => rangesIn(line, explainHere));
  return [
    ...(whole.category === "none" ? [] : [`the whole: ${whole.code}`]),
    ...inLines.filter(({ explanation }) => explanation.category !== "none").map(({ input }) => `a line: ${input}`),
    ...answerProblems(text, explainHere).map(({ code }) => `an answer: ${code}`),
  ];
}
