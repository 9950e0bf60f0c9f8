import { type Bounds, segmentAround } from "./segment.ts";

/**
 * A text with gaps, ready for comparison. Comparing takes time linear in the text: there are no alternatives to try.
 */
export interface Template {
  /** The fixed parts in lower case, around and between the gaps. */
  readonly parts: readonly string[];
  readonly names: readonly string[];
  /** The index of the longest fixed part. */
  readonly anchor: number;
  /** A word that every text of this form has as a whole word; undefined for forms that consist of gaps. */
  readonly key: string | undefined;
  /** Amount of fixed text: a larger amount makes a match more certain. */
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
  const parts = pieces.filter((_, index) => index % 2 === 0).map((part) => lowerCase(part.replace(BLANKS, "")));
  const names = pieces.filter((_, index) => index % 2 === 1);
  const anchor = parts.reduce((best, part, index) => (part.length > (parts[best]?.length ?? 0) ? index : best), 0);
  return { parts, names, anchor, key: keyOf(parts), weight: normal(text).replace(/\{[A-Za-z]+\}/g, "").length };
}

/** The longest word that no gap touches: it is a whole word of every text of this form. */
function keyOf(parts: readonly string[]): string | undefined {
  const words = parts.flatMap((part, index) => {
    const bounded = `${index === 0 ? " " : ""}${part}${index === parts.length - 1 ? " " : ""}`;
    return bounded.match(INNER_WORD) ?? [];
  });
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
  /** In lower case, without the blanks that do not count. */
  readonly lower: string;
  /** The offset in the text of each character of `lower`; undefined when both are the same. */
  readonly offsets: readonly number[] | undefined;
}

/** Blanks around these marks differ between versions and languages. */
const BLANKS = / {1,8}(?=[:,=])|(?<=[:,=]) {1,8}/g;

/** A text without the blanks that do not count. */
export function withoutBlanks(text: string): string {
  return text.replace(BLANKS, "");
}

/** @param text - blanks, full stops and exclamation marks at its end do not count */
export function comparable(text: string): ComparedText {
  const whole = normal(text);
  const lower = lowerCase(whole);
  const squeezed = withoutBlanks(lower);
  if (squeezed.length === lower.length) return { text: whole, lower, offsets: undefined };
  const offsets: number[] = [];
  let from = 0;
  for (const { index, 0: blanks } of lower.matchAll(BLANKS)) {
    for (let at = from; at < index; at++) offsets.push(at);
    from = index + blanks.length;
  }
  for (let at = from; at <= lower.length; at++) offsets.push(at);
  return { text: whole, lower: squeezed, offsets };
}

function offsetIn({ offsets }: ComparedText, at: number): number {
  return offsets === undefined ? at : (offsets[at] ?? 0);
}

/** Returns the contents of the gaps if the whole text follows the template. */
export function matchWhole(template: Template, whole: ComparedText): Captures | undefined {
  const found = match(template, whole, 0);
  if (found === undefined || found.end !== whole.lower.length) return undefined;
  return isOneMessage(template, whole) ? found.captures : undefined;
}

/** Positions of the fixed parts of a template in a line. */
export interface FixedBounds extends Bounds {
  /** True if a gap precedes them, and if one follows. */
  readonly leads: boolean;
  readonly trails: boolean;
}

/** Returns the positions of the fixed parts of a template in a line; undefined if one of them is missing. */
export function findWithin({ parts, anchor }: Template, compared: ComparedText): FixedBounds | undefined {
  const { lower } = compared;
  let start = lower.indexOf(parts[anchor] ?? "");
  let end = start < 0 ? -1 : start + (parts[anchor] ?? "").length;
  for (const part of parts.slice(anchor + 1)) {
    const next = end < 0 ? -1 : lower.indexOf(part, end);
    end = next < 0 ? -1 : next + part.length;
  }
  for (const part of parts.slice(0, anchor).reverse()) {
    if (part === "" || start < 0) continue;
    start = start < part.length ? -1 : lower.lastIndexOf(part, start - part.length);
  }
  if (start < 0 || end < 0) return undefined;
  const bounds = { start: offsetIn(compared, start), end: offsetIn(compared, end - 1) + 1 };
  return { ...bounds, leads: parts[0] === "" && parts.length > 1, trails: parts.at(-1) === "" && parts.length > 1 };
}

/** Only ASCII: other letters could change the length. */
function lowerCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all characters of ASCII
const ASCII = /^[\x00-\x7f]*$/;

interface Found {
  readonly captures: Captures;
  readonly end: number;
}

function match({ parts, names }: Template, compared: ComparedText, start: number): Found | undefined {
  const { text, lower } = compared;
  const [first = "", ...others] = parts;
  if (!lower.startsWith(first, start)) return undefined;
  const captures: { [name: string]: string } = {};
  let at = start + first.length;
  for (const [index, part] of others.entries()) {
    const last = index === others.length - 1;
    const next = last ? lastPart(lower, part, at) : lower.indexOf(part, at);
    if (next < 0) return undefined;
    const name = names[index] ?? "";
    const value = text.slice(offsetIn(compared, at), offsetIn(compared, next)).trim();
    if (!mayFill(name, value, { leads: index === 0 && first === "" })) return undefined;
    captures[name] = clip(value);
    at = next + part.length;
  }
  return { captures, end: at };
}

/**
 * Returns whether no quote or bracket opens before the fixed parts and closes behind them: it would belong to the
 * surrounding text.
 */
function isOneMessage({ parts }: Template, compared: ComparedText): boolean {
  const [first = ""] = parts;
  const offset = first === "" ? Math.max(0, compared.lower.indexOf(parts[1] ?? "")) : 0;
  const { start, end } = segmentAround(compared.text, offsetIn(compared, offset));
  return start === 0 && end === compared.text.length;
}

const NUMBERS: ReadonlySet<string> = new Set(["line", "column"]);
/** Characters that end a label before a message. */
const LABEL_END = /:(?:\s|$)|\) |\s[-|]\s|=|\] (?!or )/;

/** Returns whether a value fits a gap: positions are numbers, and a gap at the beginning takes no log label. */
function mayFill(name: string, value: string, { leads }: { readonly leads: boolean }): boolean {
  if (NUMBERS.has(name)) return /^\d{1,9}$/.test(value);
  return !leads || !LABEL_END.test(value);
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
