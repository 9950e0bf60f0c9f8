import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { testsOf } from "../statements/named-statements.mjs";
import { reachedCode } from "../statements/reached-code.mjs";

/**
 * @typedef {{ readonly file: string, readonly title: string, readonly code: string }} Evidence - `file`: of a test, below
 *   `test/`, without its ending. `title`: a part of the title of a test in it. `code`: a pattern that stands in its code
 * @typedef {{ readonly text: string, readonly tests?: readonly Evidence[], readonly decision?: string }} Convention -
 *   `decision`: a file of docs/decisions, for what is not built or not tested, with the reason
 */

/**
 * How the conventions of extensions stand here.
 *
 * @param {string} root
 * @returns {{ readonly faults: readonly string[], readonly summary: string, readonly page: string }}
 */
export function conventionsOf(root) {
  /** @type {Record<string, Convention>} */
  const conventions = JSON.parse(readFileSync(join(root, "test", "fixtures", "conventions.json"), "utf8"));
  const rows = Object.entries(conventions);
  const faults = rows.flatMap(([id, convention]) => faultsOf(root, convention).map((fault) => `${id}: ${fault}`));
  const decided = rows.filter(([, { tests = [] }]) => tests.length === 0).length;
  const broken = new Set(faults.map((fault) => fault.split(":")[0])).size;
  const held = `${rows.length - decided - broken} held by tests, ${decided} by decisions`;
  return { faults, summary: `conventions: ${rows.length - broken} of ${rows.length} (${held})`, page: pageOf(rows) };
}

/**
 * What is wrong with the evidence of a line.
 *
 * @param {string} root
 * @param {Convention} convention
 * @returns {string[]}
 */
export function faultsOf(root, { tests = [], decision }) {
  if (tests.length === 0 && decision === undefined) return ["nobody holds it"];
  const missing = decision === undefined || existsSync(join(root, decisionFile(decision))) ? [] : [decision];
  return [
    ...missing.map((it) => `there is no docs/decisions/${it}.md`),
    ...tests.flatMap((it) => faultsOfTest(root, it)),
  ];
}

/** @param {string} name */
const decisionFile = (name) => join("docs", "decisions", `${name}.md`);

/** @type {Map<string, import("../statements/named-statements.mjs").Test[]>} */
const read = new Map();

/**
 * @param {string} root
 * @param {Evidence} evidence
 * @returns {string[]}
 */
function faultsOfTest(root, { file, title, code }) {
  const path = join(root, "test", `${file}.test.ts`);
  if (!existsSync(path)) return [`there is no test/${file}.test.ts`];
  const tests = read.get(path) ?? testsOf(readFileSync(path, "utf8"), path);
  read.set(path, tests);
  const named = tests.filter(({ titles }) => titles.at(-1)?.includes(title));
  if (named.length === 0) return [`test/${file}.test.ts has no test called "${title}" that runs`];
  const reached = named.map(({ body }) => reachedCode(body, path));
  if (!reached.some(({ asserts }) => asserts)) return [`"${title}" asserts nothing`];
  return reached.some((it) => new RegExp(code).test(it.code)) ? [] : [`"${title}" asserts something else`];
}

const HEAD = `# The conventions of extensions

What a reviewer of VS Code extensions would check, and the test that holds each line here, or the decision why not. \`npm run conventions -- --write\` writes
this page from \`test/fixtures/conventions.json\`; \`npm run check\` fails where a named test is gone, asserts nothing or asserts something else.

| # | convention | held by |
| --- | --- | --- |
`;

/** @param {readonly (readonly [string, Convention])[]} rows */
function pageOf(rows) {
  const told = rows.map(([id, { text, tests = [], decision }]) => {
    const named = tests.map(({ file, title }) => `\`${file}\`: ${title.replaceAll("|", "\\|")}`);
    const decided = decision === undefined ? [] : [`decided: [${decision}](decisions/${decision}.md)`];
    return `| ${id} | ${text.replaceAll("|", "\\|")} | ${[...named, ...decided].join("<br>")} |`;
  });
  return `${HEAD}${told.join("\n")}\n`;
}
