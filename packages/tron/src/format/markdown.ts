import { type ForeignText, visibleLine, visibleText } from "../primitives/plain-text.ts";

/** Foreign text, or text of the product that includes it. */
type Text = string | ForeignText;

/** Escapes a text of a few sentences. */
const LONG = 4_000;

/**
 * Escapes a text as one line of Markdown. No part of it becomes a link, an image, HTML or an icon, and invisible
 * characters become their code points.
 */
export function markdownText(text: Text, length = LONG): string {
  return visibleLine(text, length).replace(/[!-/:-@[-`{-~]/g, escaped);
}

/** A backslash does not escape `$(name)` where icons are rendered. */
function escaped(mark: string): string {
  return mark === "$" ? "&#36;" : `\\${mark}`;
}

/**
 * Escapes a text as one line of Markdown for a copied report: only characters that Markdown reads, so that it also reads
 * well as plain text. As with `markdownText`, no part of it becomes a link, an image or HTML.
 */
export function markdownLine(text: Text, length = LONG): string {
  return visibleLine(text, length)
    .replace(/[\\`*[\]<|~$]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/&(?=#?\w+;)/g, "\\&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/(?<=\bwww)\./gi, "\\.")
    .replace(/^[#>+=-]/, "\\$&")
    .replace(/^(\d+)([.)])(?=\s|$)/, "$1\\$2");
}

/** Formats a line as Markdown code that its content cannot end. */
export function inlineCode(text: Text, length?: number): string {
  return `\`${visibleLine(text, length).replaceAll("`", "ˋ")}\``;
}

/** Formats a Markdown code block, with a fence that is longer than every one in it. */
export function codeBlock(language: string, text: Text, length?: number): string {
  const shown = visibleText(text, length);
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map(({ length: marks }) => marks));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** Formats a line as code in a table cell, where a backslash keeps `|` from ending the cell. */
export function codeInTable(text: Text): string {
  return inlineCode(text).replaceAll("|", "\\|");
}

/** Formats names and values as a table without a header. @param rows - Cells in Markdown. */
export function markdownTable(rows: readonly (readonly [name: string, value: string])[]): string {
  return ["| | |", "| --- | --- |", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}
