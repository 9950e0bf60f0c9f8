/** Foreign text, or text of the product that includes it. */
type Text = string | ForeignText;

/** Maximum length of a foreign name in a dialog. */
const NAME = 60;

/**
 * Makes all characters of a foreign text visible: control characters, terminal escapes and direction marks become code
 * points such as ⟨U+202E⟩. The text is cut at `length` characters. Line breaks stay.
 */
export function visibleText(text: Text, length = 4_000): string {
  const written = writtenIn(text);
  const shown = seen(written.slice(0, length));
  return written.length > length ? `${shown}…` : shown;
}

/** Does the same in one line. */
export function visibleLine(text: Text, length = 400): string {
  return visibleText(writtenIn(text).slice(0, length + 1), length)
    .replace(/\s+/g, " ")
    .trim();
}

/** Formats a foreign name as one line of at most 60 characters; `otherwise` replaces a blank name. */
export function nameText(name: ForeignText, otherwise = ""): string {
  const line = visibleLine(name);
  return line === "" ? otherwise : cut(line, NAME);
}

/** Formats one line for a notification, where `[title](command:…)` would be a link. */
export function noticeText(text: Text, length?: number): string {
  return visibleLine(text, length).replaceAll("](", "] (");
}

/**
 * Formats one line for boxes and lists of VS Code and for its status bar, where `[title](command:…)` would be a link
 * and `$(name)` an icon.
 */
export function labelText(text: Text, length?: number): string {
  return noticeText(text, length).replaceAll("$(", "$ (");
}

function writtenIn(text: Text): string {
  return typeof text === "string" ? text : rawText(text);
}

function cut(line: string, length: number): string {
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** Global symbol, because each bundle has its own copy of this file. */
const RAW = Symbol.for("finality.foreign-text");

/**
 * Control characters, and marks that change the direction of text, join or hide letters, so that a text looks like
 * another one.
 */
const UNSEEN = /[^\P{Cc}\n\r\t]|[\p{Cf}\u2028\u2029]/gu;

/**
 * Foreign text: a name of an ABI, a result of a contract, the name of a token. It is not a `string`, so that the
 * compiler rejects it as UI text; this module formats it. An accidental conversion to a string gives one short quoted
 * line.
 */
export class ForeignText {
  readonly [RAW]: string;

  constructor(text: string) {
    this[RAW] = text;
  }

  /** Returns one line of at most 60 characters, in quotes. */
  toString(): string {
    return shortly(this[RAW]);
  }

  toJSON(): string {
    return shortly(this[RAW]);
  }
}

function shortly(text: string): string {
  return `“${seen(text.slice(0, NAME)).replace(/\s+/g, " ").trim()}”`;
}

/** Marks a foreign text, so that only the functions of this module can show it. */
export function foreignText(text: string): ForeignText {
  return new ForeignText(text);
}

/** Returns the original text for hashing, comparison, look-ups and other programs; never for display. */
export function rawText(text: ForeignText): string {
  return text[RAW];
}

/** Returns true for a `ForeignText`, also for one of another bundle, which has its own copy of the class. */
export function isForeignText(value: unknown): value is ForeignText {
  return typeof value === "object" && value !== null && RAW in value;
}

export function isBlank(text: ForeignText): boolean {
  return text[RAW] === "";
}

/** Replaces invisible characters by their code points, such as ⟨U+202E⟩. */
export function seen(text: string): string {
  return text.replace(UNSEEN, numbered);
}

function numbered(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return `⟨U+${number.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
