import { hasTrace } from "./decode/plain-text.ts";
import { type Explain, type ExplainedRange, failedAnswersIn, rangesIn } from "./explained-range.ts";

/**
 * Returns the ranges of a text of many lines that have a meaning: failed answers, and the ranges of the lines outside of
 * them. They are in order and do not overlap.
 */
export function rangesInText(text: string, explainHere: Explain): readonly ExplainedRange[] {
  const answers = failedAnswersIn(text, explainHere);
  const isOfChain = (): boolean => hasTrace(text);
  const outside = linesOf(text).flatMap(({ line, start }) =>
    rangesIn(line, explainHere, isOfChain)
      .map((it) => ({ ...it, start: start + it.start, end: start + it.end }))
      .filter((it) => !answers.some((answer) => it.start < answer.end && answer.start < it.end)),
  );
  return [...answers, ...outside].sort((left, right) => left.start - right.start);
}

function linesOf(text: string): readonly { readonly line: string; readonly start: number }[] {
  let next = 0;
  return text.split("\n").map((line) => {
    const start = next;
    next += line.length + 1;
    return { line, start };
  });
}
