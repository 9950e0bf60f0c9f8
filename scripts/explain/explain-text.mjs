import { forPrograms, loadDictionary } from "../../packages/client/src/explain/documented-sources.ts";
import { explain } from "../../packages/client/src/explain/explain.ts";
import { readingsOf } from "./readings-of.mjs";

/**
 * A place in a text: the offset in UTF-16 units from 0, line and column from 1.
 *
 * @typedef {{ offset: number, line: number, column: number }} Place
 */

/**
 * What a part of a text means.
 *
 * @typedef {object} Meaning
 * @property {string} category
 * @property {string} code
 * @property {string} title
 * @property {string} cause
 * @property {string} fix
 * @property {import("../../packages/client/src/explain/explanation.ts").RetryVerdict} verdict
 * @property {readonly string[]} sources
 */

/** @typedef {Meaning & { start: Place, end: Place, text: string }} Finding */

/**
 * What the text means as a whole, and everything in it that can be explained by itself.
 *
 * @typedef {{ whole: Meaning, findings: readonly Finding[] }} Explained
 */

/**
 * Explains a text with the names of the dictionary that is shipped.
 *
 * @param {string} text
 * @returns {Promise<Explained>}
 */
export async function explainText(text) {
  const abi = await loadDictionary();
  /** @type {import("../../packages/client/src/explain/explained-range.ts").Explain} */
  const explainHere = (input, options) => explain(input, { ...options, abi });
  const placeAt = placesIn(text);
  const findings = readingsOf(text, explainHere).map(({ start, end, explanation }) => ({
    ...meaningOf(explanation),
    start: placeAt(start),
    end: placeAt(end),
    text: text.slice(start, end),
  }));
  return { whole: meaningOf(explainHere(text)), findings };
}

/**
 * @param {import("../../packages/client/src/explain/explanation.ts").Explanation} explanation
 * @returns {Meaning}
 */
function meaningOf(explanation) {
  const { category, code, title, cause, fix, retry, sources } = forPrograms(explanation);
  return { category, code, title, cause, fix, verdict: retry, sources };
}

/**
 * Finds places without counting the lines for each of them.
 *
 * @param {string} text
 * @returns {(offset: number) => Place}
 */
function placesIn(text) {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    let line = 1;
    for (let step = 2 ** 31; step >= 1; step /= 2) {
      if ((starts[line + step - 1] ?? Number.POSITIVE_INFINITY) <= offset) line += step;
    }
    return { offset, line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}
