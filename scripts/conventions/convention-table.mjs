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
 * @returns {{
 *   readonly faults: readonly string[],
 *   readonly summary: string,
 *   readonly table: string,
 *   readonly page: string,
 * }} `table`: a line each, for a terminal
 */
export function conventionsOf(root) {
  /** @type {Record<string, Convention>} */
  const conventions = JSON.parse(readFileSync(join(root, "test", "fixtures", "conventions.json"), "utf8"));
  const rows = Object.entries(conventions).map(([id, convention]) => {
    const faults = faultsOf(root, convention);
    return { id, convention, faults, state: faults.length > 0 ? "BROKEN" : stateOf(convention) };
  });
  const count = (/** @type {string} */ state) => rows.filter((it) => it.state === state).length;
  const held = `${count("held")} held by tests, ${count("in part")} in part, ${count("decided")} by decisions`;
  return {
    faults: rows.flatMap(({ id, faults }) => faults.map((fault) => `${id}: ${fault}`)),
    summary: `conventions: ${rows.length - count("BROKEN")} of ${rows.length} (${held})`,
    table: rows.map(lineOf).join("\n"),
    page: pageOf(rows),
  };
}

/** @typedef {{ id: string, convention: Convention, state: string }} Row */

/**
 * What has a decision beside its tests is held in part: the decision says which part is not.
 *
 * @param {Convention} convention
 */
function stateOf({ tests = [], decision }) {
  if (tests.length === 0) return "decided";
  return decision === undefined ? "held" : "in part";
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
  const pattern = new RegExp(code);
  if (!reached.some((it) => pattern.test(it.code))) return [`"${title}" asserts something else`];
  const others = tests.filter((it) => !named.includes(it));
  const alike = others.filter(({ body }) => pattern.test(reachedCode(body, path).code));
  return others.length < FEW_TESTS || alike.length <= others.length / 2
    ? []
    : [`/${code}/ tells nothing of "${title}": it stands in ${alike.length} other tests of ${others.length}`];
}

/** Of fewer than these nothing can be said that holds for most. */
const FEW_TESTS = 2;

const HEAD = `# The conventions of extensions

What a reviewer of VS Code extensions would check, and the test that holds each line here, or the decision why not. What has both is held in part, and the
decision says which part is not. \`npm run conventions -- --write\` writes this page from \`test/fixtures/conventions.json\`; \`npm run check\` prints it, and fails
where a named test is gone, asserts nothing or asserts something else.

| # | convention | is | by |
| --- | --- | --- | --- |
`;

/** @param {readonly Row[]} rows */
function pageOf(rows) {
  const told = rows.map(({ id, convention: { text, tests = [], decision }, state }) => {
    const named = tests.map(({ file, title }) => `\`${file}\`: ${title.replaceAll("|", "\\|")}`);
    const decided = decision === undefined ? [] : [`decided: [${decision}](decisions/${decision}.md)`];
    return `| ${id} | ${text.replaceAll("|", "\\|")} | ${state} | ${[...named, ...decided].join("<br>")} |`;
  });
  return `${HEAD}${told.join("\n")}\n`;
}

/** @param {Row} row */
function lineOf({ id, convention: { text, tests = [], decision }, state }) {
  const named = tests.map(({ file, title }) => `${file}: ${title}`);
  const decided = decision === undefined ? [] : [decisionFile(decision)];
  return `${id.padStart(4)} ${state.padEnd(8)} ${text} ← ${[...named, ...decided].join(" · ")}`;
}
