/** A text of anybody as Markdown that reads the same: no sign of it is markup, a link or an icon. */
export function asMarkdown(text: string): string {
  return text
    .replaceAll(/[!-#%-/:-@[-`{-~]/g, "\\$&")
    .replaceAll("$", "&#36;")
    .replaceAll(/\s+/g, " ");
}
