/** What somebody else wrote, or a text of ours with that in it. */
type Text = string | ForeignText;

/** A name of somebody else is no longer than this where a person decides. */
const NAME = 60;

/**
 * Text of a stranger as one that shows all it is: control characters, terminal escapes and marks of direction become
 * their numbers, such as ⟨U+202E⟩, and nothing of it is longer than `length` characters. Line breaks stay.
 */
export function visibleText(text: Text, length = 4_000): string {
  const written = writtenIn(text);
  const shown = seen(written.slice(0, length));
  return written.length > length ? `${shown}…` : shown;
}

/** The same in one line. */
export function visibleLine(text: Text, length = 400): string {
  return visibleText(writtenIn(text).slice(0, length + 1), length)
    .replace(/\s+/g, " ")
    .trim();
}

/** A name of a stranger in one line of at most 60 characters; what stands in its place when nobody gave one. */
export function nameText(name: ForeignText, otherwise = ""): string {
  const line = visibleLine(name);
  return line === "" ? otherwise : cut(line, NAME);
}

/** One line for a notification, where `[title](command:…)` would be a link. */
export function noticeText(text: Text, length?: number): string {
  return visibleLine(text, length).replaceAll("](", "] (");
}

/**
 * One line for the boxes and lists of the editor and for its status bar, where `[title](command:…)` would be a link and
 * `$(name)` an icon.
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

/** The same in every bundle: each has a copy of this file. */
const RAW = Symbol.for("finality.foreign-text");

/**
 * Control characters, and marks that change the direction of text, join or hide letters: a text can look like another
 * one by them.
 */
const UNSEEN = /[^\P{Cc}\n\r\t]|[\p{Cf}\u2028\u2029]/gu;

/**
 * A text that somebody else wrote: a name out of an ABI, what a contract gave back, what a token calls itself. It is no
 * `string`, so that the compiler refuses it wherever texts are shown; `plain-text.ts` turns it into one that shows all
 * it is. Where it becomes a string by mistake, in a template or as JSON, it is one short line in quotes.
 */
export class ForeignText {
  readonly [RAW]: string;

  constructor(text: string) {
    this[RAW] = text;
  }

  /** One line of at most 60 characters, in quotes. */
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

/** Marks a text that somebody else wrote: from here on it is shown through the neutralising functions alone. */
export function foreignText(text: string): ForeignText {
  return new ForeignText(text);
}

/**
 * What was written, for calculations: to hash it, to compare it, to look it up, to hand it to a program. Never to show
 * it.
 */
export function rawText(text: ForeignText): string {
  return text[RAW];
}

/** Whether a value is a text of somebody else; each bundle has its own copy of the class. */
export function isForeignText(value: unknown): value is ForeignText {
  return typeof value === "object" && value !== null && RAW in value;
}

/** Whether nothing was written. */
export function isBlank(text: ForeignText): boolean {
  return text[RAW] === "";
}

/** Characters that nobody sees become their numbers, such as ⟨U+202E⟩. */
export function seen(text: string): string {
  return text.replace(UNSEEN, numbered);
}

function numbered(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return `⟨U+${number.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
