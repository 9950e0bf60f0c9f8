/** Control characters, and marks that change the direction of text, join or hide letters: a text can look like another one by them. */
const UNSEEN = /[^\P{Cc}\n\r\t]|[\p{Cf}\u2028\u2029]/gu;

/**
 * Text of a stranger as one that shows all it is: control characters, terminal escapes and marks of direction become their numbers,
 * such as ⟨U+202E⟩, and nothing of it is longer than `length` characters. Line breaks stay.
 */
export function visibleText(text: string, length = 4_000): string {
  const cut = text.slice(0, length);
  const shown = cut.replace(UNSEEN, numbered);
  return text.length > length ? `${shown}…` : shown;
}

/** The same in one line. */
export function visibleLine(text: string, length = 400): string {
  return visibleText(text.slice(0, length + 1), length)
    .replace(/\s+/g, " ")
    .trim();
}

/** One line for a notification, where `[title](command:…)` would be a link. */
export function noticeText(text: string, length?: number): string {
  return visibleLine(text, length).replaceAll("](", "] (");
}

/** Text as Markdown that shows just this text, in one line: every mark is escaped, so that nothing of it becomes a link, an image or HTML. */
export function markdownText(text: string, length?: number): string {
  return visibleLine(text, length).replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

function numbered(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return `⟨U+${number.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
