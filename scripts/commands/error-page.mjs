// The page of errors: what the catalogue of explanations says, a heading for each place of the documentation; and the
// codes of Finality itself.

import { explainSignatureCode } from "../../packages/client/src/explain/call-answers.ts";
import { documentedSources, shownSources } from "../../packages/client/src/explain/documented-sources.ts";
import { broadcastCodeMessages } from "../../packages/client/src/explain/messages/admission-messages.ts";
import { messageEntries } from "../../packages/client/src/explain/messages/catalogue.ts";
import { receiptResultMessages } from "../../packages/client/src/explain/messages/contract-messages.ts";
import { httpSymptoms } from "../../packages/client/src/explain/messages/network-messages.ts";
import { generalMessages } from "../../packages/client/src/explain/messages/request-messages.ts";
import { contractRows } from "./contract-rows.mjs";
import { ownCodes } from "./own-codes.mjs";

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
  const entries = [...httpSymptoms, ...messageEntries, ...generalMessages];
  const sections = Object.entries(documentedSources)
    .filter(([, { page }]) => page === "errors")
    .sort(([left], [right]) => rank(left) - rank(right))
    .map(([name, { title }]) => {
      const rows = entries.filter(({ source }) => shownSources([source])[0]?.place === name);
      return section(title.replace("Errors: ", ""), [...(CODES.get(name) ?? []), ...rows]);
    });
  return [before, BEGIN, "\n\n", [...sections, ownCodes()].join("\n\n"), "\n\n", END, after].join("");
}

/** @type {(words: Readonly<Record<string, Omit<Row, "texts">>>) => readonly Row[]} */
const byCode = (words) => Object.entries(words).map(([code, it]) => ({ ...it, texts: [code] }));

/** In the order in which a person looks things up; what is not named stands between, as it is in the table. */
const [FIRST, LAST] = [
  ["silence", "refusals", "signatures", "executions", "reasons", "simulations", "requests"],
  ["validations", "tools"],
];

/** @param {string} name */
function rank(name) {
  if (FIRST.includes(name)) return FIRST.indexOf(name);
  return FIRST.length + LAST.indexOf(name) + 1;
}

const SIGNATURE_CODES = [
  "NOT_ENOUGH_PERMISSION",
  "PERMISSION_ERROR",
  "SIGNATURE_FORMAT_ERROR",
  "COMPUTE_ADDRESS_ERROR",
];

/**
 * @param {string} code
 * @returns {readonly Row[]}
 */
function ofSignatureCode(code) {
  const words = explainSignatureCode({}, code);
  return words === undefined ? [] : [{ ...words, texts: [code] }];
}

/** @type {ReadonlyMap<string, readonly Row[]>} */
const CODES = new Map([
  ["refusals", byCode(broadcastCodeMessages)],
  ["signatures", SIGNATURE_CODES.flatMap(ofSignatureCode)],
  ["executions", byCode(receiptResultMessages)],
  ["reasons", contractRows()],
]);

/**
 * @param {string} heading
 * @param {readonly Row[]} rows
 */
function section(heading, rows) {
  return [
    `## ${heading}`,
    "",
    "| what is said | what it means | what to do |",
    "| --- | --- | --- |",
    ...rows.map(({ texts, title, cause, fix }) => {
      const said = texts.map((it) => `\`${cell(it).replaceAll("`", "'")}\``).join("<br>") || BY_FORM;
      return `| ${said} | **${cell(title)}.** ${cell(cause)} | ${cell(fix)} |`;
    }),
  ].join("\n");
}

/** Of what several libraries say, each in its own words, and Finality knows by patterns. */
const BY_FORM = "in the words of each library";

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
