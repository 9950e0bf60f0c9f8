/**
 * A text with gaps, ready for comparison. Comparing takes time linear in the text: there are no alternatives to try.
 */
export interface Template {
  /** The fixed parts in lower case, around and between the gaps. */
  readonly parts: readonly string[];
  readonly names: readonly string[];
  /** A word that every text of this form has as a whole word; undefined for forms of a word or two. */
  readonly key: string | undefined;
  /** How much is fixed: the more, the more surely a match is meant. */
  readonly weight: number;
}

export type Captures = { readonly [name: string]: string };

const MAX_CAPTURE = 160;

/**
 * @example
 * matchWhole(templateOf("Account[{account}] not exists"), comparable("account[41ab] not exists.")); // { account:
 * "41ab" }
 */
export function templateOf(text: string): Template {
  const pieces = normal(text).split(/\{([A-Za-z]+)\}/);
  const parts = pieces.filter((_, index) => index % 2 === 0).map(lowerCase);
  const names = pieces.filter((_, index) => index % 2 === 1);
  return { parts, names, key: keyOf(parts), weight: parts.join("").length };
}

/** The longest word with something else on both sides of it, inside of a fixed part. */
function keyOf(parts: readonly string[]): string | undefined {
  const words = parts.flatMap((part) => part.match(INNER_WORD) ?? []);
  return words.sort((left, right) => right.length - left.length)[0];
}

const INNER_WORD = /(?<=[^a-z])[a-z]{3,}(?=[^a-z])/g;

/** The words of a text, to see which templates it may follow. */
export function wordsIn({ lower }: ComparedText): ReadonlySet<string> {
  return new Set(lower.match(/[a-z]{3,}/g));
}

/** A text as templates compare it. */
export interface ComparedText {
  readonly text: string;
  readonly lower: string;
}

/** @param text - blanks, full stops and exclamation marks at its end do not count */
export function comparable(text: string): ComparedText {
  const whole = normal(text);
  return { text: whole, lower: lowerCase(whole) };
}

/** What stands in the gaps when the whole text follows the template. */
export function matchWhole(template: Template, whole: ComparedText): Captures | undefined {
  const found = match(template, whole, 0);
  return found !== undefined && found.end === whole.text.length ? found.captures : undefined;
}

/** What stands in the gaps when the template occurs somewhere in the text. The last gap ends with the line. */
export function matchWithin(template: Template, line: ComparedText): Captures | undefined {
  const start = line.lower.indexOf(template.parts[0] ?? "");
  return start < 0 ? undefined : match(template, line, start)?.captures;
}

/** Only ASCII: other letters could change the length. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

interface Found {
  readonly captures: Captures;
  readonly end: number;
}

function match({ parts, names }: Template, { text, lower }: ComparedText, start: number): Found | undefined {
  const [first = "", ...others] = parts;
  if (!lower.startsWith(first, start)) return undefined;
  const captures: { [name: string]: string } = {};
  let at = start + first.length;
  for (const [index, part] of others.entries()) {
    const last = index === others.length - 1;
    const next = last ? lastPart(lower, part, at) : lower.indexOf(part, at);
    if (next < 0) return undefined;
    captures[names[index] ?? ""] = clip(text.slice(at, next).trim());
    at = next + part.length;
  }
  return { captures, end: at };
}

/** Without a fixed end the last gap takes the rest of the text. */
function lastPart(lower: string, part: string, at: number): number {
  if (part === "") return lower.length;
  return lower.endsWith(part) && lower.length - part.length >= at
    ? lower.length - part.length
    : lower.indexOf(part, at);
}

function clip(text: string): string {
  return text.length <= MAX_CAPTURE ? text : `${text.slice(0, MAX_CAPTURE)}…`;
}

/** Blanks, full stops and exclamation marks at the end differ between versions. */
function normal(text: string): string {
  return text.trim().replace(/[.!\s]{1,8}$/, "");
}
