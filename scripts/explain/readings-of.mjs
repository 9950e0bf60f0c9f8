import { hasTrace } from "../../packages/client/src/explain/decode/plain-text.ts";
import { failedAnswersIn, rangesIn } from "../../packages/client/src/explain/explained-range.ts";

/** @typedef {import("../../packages/client/src/explain/explained-range.ts").ExplainedRange} ExplainedRange */
/** @typedef {import("../../packages/client/src/explain/explained-range.ts").Explain} Explain */

/**
 * Everything in a text of many lines that can be explained: failed answers, and what stands in the lines outside of
 * them. The readings are in order and do not overlap.
 *
 * @param {string} text
 * @param {Explain} explain
 * @returns {readonly ExplainedRange[]}
 */
export function readingsOf(text, explain) {
  const answers = failedAnswersIn(text, explain);
  const isOfChain = () => hasTrace(text);
  const outside = linesOf(text).flatMap(({ line, start }) =>
    rangesIn(line, explain, isOfChain)
      .map((one) => ({ ...one, start: start + one.start, end: start + one.end }))
      .filter((one) => !answers.some((answer) => one.start < answer.end && answer.start < one.end)),
  );
  return [...answers, ...outside].sort((left, right) => left.start - right.start);
}

/** @param {string} text */
function linesOf(text) {
  let start = 0;
  return text.split("\n").map((line) => {
    const here = { line, start };
    start += line.length + 1;
    return here;
  });
}
