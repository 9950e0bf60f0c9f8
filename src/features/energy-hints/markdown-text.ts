import { type ForeignText, markdownText } from "../../core/primitives/plain-text.ts";

const LONGEST = 4_000;

/**
 * A text of anybody as Markdown that reads the same, where icons are drawn too: no sign of it is markup, a link or an
 * icon.
 */
export function asMarkdown(text: string | ForeignText): string {
  return markdownText(text, LONGEST).replaceAll("\\$", "&#36;");
}
