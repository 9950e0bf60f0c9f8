import { type ForeignText, visibleLine, visibleText } from "../primitives/plain-text.ts";

/** What somebody else wrote, or a text of ours with that in it. */
type Text = string | ForeignText;

/** For a text that may be a few sentences. */
const LONG = 4_000;

/**
 * Text as Markdown that shows just this text, in one line: every mark is escaped, so that nothing of it becomes a link,
 * an image, HTML or an icon, and what nobody sees stands there as its number.
 */
export function markdownText(text: Text, length = LONG): string {
  return visibleLine(text, length).replace(/[!-/:-@[-`{-~]/g, escaped);
}

/** Where icons are drawn, a backslash does not keep `$(name)` from being one. */
function escaped(mark: string): string {
  return mark === "$" ? "&#36;" : `\\${mark}`;
}

/** A line as code in Markdown: nothing of it ends the code. */
export function inlineCode(text: Text, length?: number): string {
  return `\`${visibleLine(text, length).replaceAll("`", "ˋ")}\``;
}

/** A block of code in Markdown, with a fence that is longer than every one in it. */
export function codeBlock(language: string, text: Text, length?: number): string {
  const shown = visibleText(text, length);
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map(({ length: marks }) => marks));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** A line as code in a cell of a table, where a backslash keeps even the bar inside of code from ending the cell. */
export function codeInTable(text: Text): string {
  return inlineCode(text).replaceAll("|", "\\|");
}

/** Names and values as a table without a head. @param rows - cells that are Markdown */
export function markdownTable(rows: readonly (readonly [name: string, value: string])[]): string {
  return ["| | |", "| --- | --- |", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}
