import { readFileSync } from "node:fs";
import ts from "typescript";

/**
 * The texts for people in a source file: what is tagged with `t`, as keys of the bundles of words, `{0}` for what is
 * filled in.
 *
 * @param {string} path
 * @returns {string[]}
 */
export function textsOf(path) {
  const source = readFileSync(path, "utf8");
  if (!source.includes("@vscode/l10n")) return [];
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const texts = [];
  /** @param {ts.Node} node */
  const look = (node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(tree) === "t") texts.push(keyOf(node.template));
    ts.forEachChild(node, look);
  };
  look(tree);
  return texts;
}

/** @param {ts.TemplateLiteral} template */
function keyOf(template) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.templateSpans.reduce(
    (key, { literal }, index) => `${key}{${index}}${literal.text}`,
    template.head.text,
  );
}

/** What is filled in, links to settings, the ends of other links, code, icons. */
const PLACES = /\{\w+\}|#[\w.]+#|\]\([^)]*\)|`[^`]*`|\$\([a-z~-]+\)/g;

/**
 * What is filled into a text and what it leads to, in order: a translation has the same, wherever it puts it.
 *
 * @param {string} text
 */
export const placesOf = (text) => (text.match(PLACES) ?? []).sort().join(" ");
