/** Returns a text as a terminal would show it: without colours, titles and cursor movements. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, "");
}

const ESC = "\\u001b";
const ESCAPES = new RegExp(
  `${ESC}\\][^\\u0007${ESC}]{0,4096}(?:\\u0007|${ESC}\\\\)?|${ESC}\\[[0-?]{0,64}[ -/]{0,8}[@-~]|${ESC}[@-Z\\\\^_=>78]`,
  "g",
);

const MAX_LEVELS = 3;

/**
 * Returns the forms in which a text may contain JSON, the given one first. Other forms omit the backslashes of
 * enclosing texts, or each line's prefix (line number, or mark of a quotation, comment or event). Takes time linear in
 * the text.
 */
export function* plainForms(text: string): Generator<string> {
  yield text;
  let plain = text;
  for (let level = 0; level < MAX_LEVELS && plain.includes('\\"'); level++) {
    plain = plain.replace(/\\(["\\/nrt])/g, (_all, character: string) => (/[nrt]/.test(character) ? " " : character));
    yield plain;
  }
  const bare = text.includes("\n") ? text.replace(MARGIN, "") : text;
  if (bare !== text) yield bare;
}

/**
 * A text without the escapes of JSON, however often it was put into a text: for reading words, which have no backslash.
 * Escaped line breaks become line breaks.
 */
export function withoutJsonEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(JSON_ESCAPE, (_all, hex?: string, mark?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return mark ?? "\n";
  });
}

const JSON_ESCAPE = /(?<!\\)\\{1,16}(?:u00([\da-fA-F]{2})|(["'/])|[nrt])/g;

const MARGIN = /^[ \t]{0,40}(?:\d{1,6}[ \t]{0,4}[:|│]?|data:|[>+*#|│-]|\/\/)[ \t]/gm;

/** The text that a whole text in double quotes is, by the rules of JSON; undefined for other texts. */
export function textInQuotes(text: string): string | undefined {
  if (!text.startsWith('"') || !text.endsWith('"') || text.length < 2) return undefined;
  try {
    const inside: unknown = JSON.parse(text);
    return typeof inside === "string" ? inside : undefined;
  } catch {
    return undefined;
  }
}

const ENCODED = /%(?:7B|22|3A|3D|5B)/gi;
const MIN_ENCODED = 2;

/** The text that a whole text is which was made fit for a URL; undefined for other texts. */
export function textInUrl(text: string): string | undefined {
  if ((text.match(ENCODED)?.length ?? 0) < MIN_ENCODED) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
