// The page of errors: what the catalogue of explanations says, a heading for each place of the documentation.

import { broadcastCodeWords } from "../../src/core/explain/catalogue/broadcast-codes.ts";
import { messageEntries } from "../../src/core/explain/catalogue/catalogue.ts";
import { httpSymptoms } from "../../src/core/explain/catalogue/http-symptoms.ts";
import { receiptResultWords } from "../../src/core/explain/catalogue/receipt-results.ts";
import { documentedPlaces, shownSources } from "../../src/words/reasons/documented-sources.ts";

const [BEGIN, END] = ["<!-- errors -->", "<!-- /errors -->"];

/** @typedef {{ readonly texts: readonly string[], readonly title: string, readonly cause: string, readonly fix: string }} Row */

/**
 * @param {string} text the page as it is
 * @returns {string} the page as it has to be
 */
export function errorPage(text) {
  const [before, rest = ""] = text.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error(`docs/errors.md has no place between ${BEGIN} and ${END}.`);
  const entries = [...httpSymptoms, ...messageEntries];
  const sections = Object.entries(documentedPlaces)
    .filter(([, { page }]) => page === "errors")
    .sort(([left], [right]) => rank(left) - rank(right))
    .map(([name, { title }]) => {
      const rows = entries.filter(({ source }) => shownSources([source])[0]?.place === name);
      return section(title.replace("Errors: ", ""), [...(CODES.get(name) ?? []), ...rows]);
    });
  return [before, BEGIN, "\n\n", sections.join("\n\n"), "\n\n", END, after].join("");
}

/** @type {(words: Readonly<Record<string, Omit<Row, "texts">>>) => readonly Row[]} */
const byCode = (words) => Object.entries(words).map(([code, it]) => ({ ...it, texts: [code] }));

/** In the order in which a person looks things up; what is not named stands between, as it is in the table. */
const [FIRST, LAST] = [
  ["silence", "refusals", "signatures", "executions", "simulations", "requests"],
  ["validations", "tools"],
];

/** @param {string} name */
function rank(name) {
  if (FIRST.includes(name)) return FIRST.indexOf(name);
  return FIRST.length + LAST.indexOf(name) + 1;
}

/** @type {ReadonlyMap<string, readonly Row[]>} */
const CODES = new Map([
  ["refusals", byCode(broadcastCodeWords)],
  ["executions", byCode(receiptResultWords)],
]);

/**
 * @param {string} heading
 * @param {readonly Row[]} rows
 */
function section(heading, rows) {
  if (rows.length === 0) return `## ${heading}\n\nThey are told by the form of their message.`;
  return [
    `## ${heading}`,
    "",
    "| what is said | what it means | what to do |",
    "| --- | --- | --- |",
    ...rows.map(({ texts, title, cause, fix }) => {
      const said = texts.map((it) => `\`${cell(it).replaceAll("`", "'")}\``).join("<br>");
      return `| ${said} | **${cell(title)}.** ${cell(cause)} | ${cell(fix)} |`;
    }),
  ].join("\n");
}

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
