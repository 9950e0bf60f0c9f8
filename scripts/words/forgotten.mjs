import { readFileSync } from "node:fs";
import { basename } from "node:path";
import ts from "typescript";

/**
 * The literals of a source file that read like a text for people and are not tagged with `t`: two words in a row, or
 * words around what is filled in.
 *
 * @param {string} path
 * @returns {string[]}
 */
export function forgottenIn(path) {
  const tree = ts.createSourceFile(basename(path), readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node */
  const look = (node) => {
    if (isNoText(node)) return;
    if (isLiteral(node) && reads(textOf(node)) && !isUsedAsValue(node)) found.push(textOf(node));
    ts.forEachChild(node, look);
  };
  look(tree);
  return found;
}

/** @typedef {ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression} Literal */

/** @param {ts.Node} node @returns {node is Literal} */
const isLiteral = (node) =>
  (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) &&
  !ts.isTaggedTemplateExpression(node.parent);

/** @param {Literal} node */
const textOf = (node) =>
  ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("\uFFFC")
    : node.text;

/** Words in a row, or beside what is filled in. */
const WORDS = [
  /[A-Za-z]+[’']?[,;:.…)”"]*\s+[(„“"*_]*[A-Za-z\uFFFC]/,
  /\uFFFC[,;:.)%”"]*\s\(?[a-z]/,
  /^[A-Z][a-z]+(…|\.)$/,
  /^\d+ [a-z]+$/,
  /^ (and|or) $/,
];
/** Code, patterns, headers and names of the protocol, which have blanks as well. */
const NO_WORDS = /^<!DOCTYPE|-src |charset=|\\b|\||^-----|^[0-9a-f]{8} |^application\/|^Bearer /;

/** @param {string} text */
const reads = (text) => {
  const plain = text.replace(/\$\([a-z~-]+\)/g, "");
  return WORDS.some((form) => form.test(plain)) && !NO_WORDS.test(text);
};

/** Types, imports, and what goes to the log. */
const isNoText = (/** @type {ts.Node} */ node) =>
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isTypeNode(node) ||
  (ts.isCallExpression(node) &&
    /(^|\.|#)(log(\??\.(info|warn|error|debug|trace))?|report)$/.test(node.expression.getText())) ||
  (ts.isNewExpression(node) && /^RegExp$|^TextDecoder$/.test(node.expression.getText()));

const VALUE_CALLS = new Set([
  "includes",
  "startsWith",
  "endsWith",
  "indexOf",
  "match",
  "split",
  "test",
  "has",
  "replace",
]);
const COMPARES = new Set([ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken]);

/** What is compared, looked up or a key is of the code, not for people. */
const isUsedAsValue = (/** @type {ts.Node} */ node) => {
  const { parent } = node;
  if (ts.isCaseClause(parent) || ts.isElementAccessExpression(parent)) return true;
  if ("name" in parent && parent.name === node) return true;
  if (ts.isPropertyAssignment(parent) && /^(class|id|key|command)$/.test(parent.name.getText())) return true;
  if (ts.isArrayLiteralExpression(parent) && (isMessageOfNode(parent, node) || isMessageOfNode(parent.parent, parent)))
    return true;
  if (ts.isBinaryExpression(parent)) return COMPARES.has(parent.operatorToken.kind);
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    VALUE_CALLS.has(parent.expression.name.text)
  );
};

/**
 * An entry of the catalogue is a list: its name, then what the node says, which is looked for as it is.
 *
 * @param {ts.Node} list
 * @param {ts.Node} element
 */
const isMessageOfNode = (list, element) =>
  ts.isArrayLiteralExpression(list) &&
  list.elements[1] === element &&
  list.elements[0] !== undefined &&
  ts.isStringLiteral(list.elements[0]) &&
  /^[a-z0-9]+(-[a-z0-9]+)+$/.test(list.elements[0].text);
