/** The same in every bundle: each has a copy of this file. */
const RAW = Symbol.for("finality.foreign-text");

/**
 * Control characters, and marks that change the direction of text, join or hide letters: a text can look like another
 * one by them.
 */
const UNSEEN = /[^\P{Cc}\n\r\t]|[\p{Cf}\u2028\u2029]/gu;

const NAME = 60;

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
