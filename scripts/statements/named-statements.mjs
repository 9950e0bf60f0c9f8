import ts from "typescript";

const STATEMENT = /\bS(\d{1,3})(?:\s*[–-]\s*S(\d{1,3}))?/g;
/**
 * Lines of the audit stand at the beginning of a title, `it("H2: …")` or `it("H2, M1b: …")`: elsewhere such a word is
 * something else.
 */
const AUDIT = /^[CHMLP]\d{1,2}b?(?:, [CHMLP]\d{1,2}b?)*(?=: )/;

/**
 * The ids that titles of tests name, e.g. `it("S18: …")`, `it("S1, S2 …")`, `it("S48–S63 …")`. The title of a
 * `describe` counts for a test in it. What is skipped, pending or commented out names nothing.
 *
 * @param {string} source
 * @returns {string[]}
 */
export function namedStatements(source) {
  return titlesOfTests(source).flatMap(ids);
}

/**
 * The lines of the audit that titles of tests name, e.g. `it("H2: …")`.
 *
 * @param {string} source
 * @returns {string[]}
 */
export function namedAuditLines(source) {
  return titlesOfTests(source).flatMap((title) => AUDIT.exec(title)?.[0].split(", ") ?? []);
}

/** @param {string} source */
function titlesOfTests(source) {
  return testTitles(ts.createSourceFile("x.test.ts", source, ts.ScriptTarget.Latest), []);
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
 * @returns {string[]}
 */
function testTitles(node, above) {
  const below = (/** @type {readonly string[]} */ titles) => {
    /** @type {string[]} */
    const found = [];
    ts.forEachChild(node, (child) => {
      found.push(...testTitles(child, titles));
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
  if (/^(it|specify)(\.only)?$/.test(name)) return body === undefined ? [] : [...above, text];
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
