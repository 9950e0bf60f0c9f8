import ts from "typescript";
import { reachedCode } from "./reached-code.mjs";

const STATEMENT = /\bS(\d{1,3})(?:\s*[–-]\s*S(\d{1,3}))?/g;
/**
 * Lines of the audit stand at the beginning of a title, `it("H2: …")` or `it("H2, M1b: …")`: elsewhere such a word is
 * something else.
 */
const AUDIT = /^[CHMLP]\d{1,2}b?(?:, [CHMLP]\d{1,2}b?)*(?=: )/;

/**
 * A test that runs, with the titles of the groups around it.
 *
 * @typedef {{ readonly titles: readonly string[], readonly body: import("typescript").Node }} Test
 */

/**
 * @typedef {{
 *   readonly text: string,
 *   readonly kind: "endpoint" | "field" | "limit" | "rule",
 *   readonly place: string,
 *   readonly evidence: readonly string[],
 * }} Statement - `place`: where a person meets it. `evidence`: patterns, one of which stands in the code of each test that
 *   asserts it
 */

/**
 * The statements that the title of a test names, e.g. `it("S18: …")`, `it("S1, S2 …")`, `it("S48–S63 …")`. The title of a
 * `describe` counts for a test in it.
 *
 * @param {Test} test
 * @returns {string[]}
 */
export function namedStatements({ titles }) {
  return titles.flatMap(ids);
}

/**
 * The lines of the audit that titles of tests name, e.g. `it("H2: …")`.
 *
 * @param {Test} test
 * @returns {string[]}
 */
export function namedAuditLines({ titles }) {
  return titles.flatMap((title) => AUDIT.exec(title)?.[0].split(", ") ?? []);
}

/**
 * The tests of a file that run. What is skipped, pending or commented out is none.
 *
 * @param {string} source
 * @param {string} [path]
 * @returns {Test[]}
 */
export function testsOf(source, path = "x.test.ts") {
  return testsIn(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true), []);
}

/**
 * The statements that a test only mentions in its title, each with the reason.
 *
 * @param {Test} test
 * @param {string} path
 * @param {Readonly<Record<string, Statement>>} statements
 * @returns {string[]}
 */
export function onlyMentioned(test, path, statements) {
  const named = namedStatements(test).filter((id) => id in statements);
  if (named.length === 0) return [];
  const { code, asserts } = reachedCode(test.body, path);
  if (!asserts) return named.map((id) => `${id} is named by a test that asserts nothing`);
  return named
    .filter((id) => !(statements[id]?.evidence ?? []).some((pattern) => new RegExp(pattern).test(code)))
    .map((id) => `${id} (${statements[id]?.text}) is named by a test that asserts something else`);
}

/** @param {string} title */
function ids(title) {
  return [...title.matchAll(STATEMENT)].flatMap(([, first, last = first]) => {
    const [from, to] = [Number(first), Number(last)];
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => `S${from + at}`);
  });
}

/**
 * @param {import("typescript").Node} node
 * @param {readonly string[]} above - titles of the groups around the node
 * @returns {Test[]}
 */
function testsIn(node, above) {
  const below = (/** @type {readonly string[]} */ titles) => {
    /** @type {Test[]} */
    const found = [];
    ts.forEachChild(node, (child) => {
      found.push(...testsIn(child, titles));
    });
    return found;
  };
  if (!ts.isCallExpression(node)) return below(above);
  const [title, body] = node.arguments;
  const name = calledName(node.expression);
  if (/^(describe|context|it|specify)\.skip$|^x(describe|it)$/.test(name)) return [];
  if (title === undefined || !isText(title)) return below(above);
  const text = textOf(title);
  if (/^(describe|context)(\.only)?$/.test(name)) return below([...above, text]);
  if (/^(it|specify)(\.only)?$/.test(name)) return body === undefined ? [] : [{ titles: [...above, text], body }];
  return below(above);
}

/**
 * @param {import("typescript").Expression} expression
 * @returns {string}
 */
function calledName(expression) {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return `${calledName(expression.expression)}.${expression.name.text}`;
  return "";
}

/** @param {import("typescript").Node} node */
const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/**
 * The fixed text of a title; what a template inserts is not known.
 *
 * @param {import("typescript").Node} node
 * @returns {string}
 */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join("…");
  return "";
}
