import type { Category, RetryCase, RetryVerdict } from "../explanation.ts";

/** Meaning of a message or code. Its text may use the placeholders of the message: `{limit}`. */
export interface CatalogueEntry {
  /** Stable and unique. */
  readonly id: string;
  /** Texts of the node; `{name}` is a placeholder. Compared without case and surrounding whitespace. */
  readonly texts: readonly string[];
  readonly category: Category;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  /** Undefined if the code decides. */
  readonly retry?: RetryCase | RetryVerdict;
  readonly source: string;
}

/** The common part of a group of entries and its rows: id, text or texts, title, cause, fix. */
export function group(
  shared: Pick<CatalogueEntry, "category" | "source" | "retry">,
  rows: readonly MessageRow[],
): readonly CatalogueEntry[] {
  return rows.map(([id, texts, title, cause, fix]) => ({
    ...shared,
    id,
    texts: typeof texts === "string" ? [texts] : texts,
    title,
    cause,
    fix,
  }));
}

export type MessageRow = readonly [
  id: string,
  texts: string | readonly string[],
  title: string,
  cause: string,
  fix: string,
];

/**
 * Text with placeholders, prepared for comparison. Comparing takes time linear in the text, because there are no
 * alternatives to try.
 */
export interface Template {
  /** Fixed parts in lower case, around and between the placeholders. */
  readonly parts: readonly string[];
  readonly names: readonly string[];
  /** Index of the longest fixed part. */
  readonly anchor: number;
  /** Word that every matching text contains as a whole word; undefined for forms that consist of placeholders. */
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

/** Returns the longest word that no placeholder touches: every matching text contains it as a whole word. */
function keyOf(parts: readonly string[]): string | undefined {
  const words = parts.flatMap((part, index) => {
    const bounded = `${index === 0 ? " " : ""}${part}${index === parts.length - 1 ? " " : ""}`;
    return bounded.match(INNER_WORD) ?? [];
  });
  return words.sort((left, right) => right.length - left.length)[0];
}

const INNER_WORD = /(?<=[^a-z])[a-z]{3,}(?=[^a-z])/g;

/** Returns the words of a text, to find the templates that it may match. */
export function wordsIn({ lower }: ComparedText): ReadonlySet<string> {
  return new Set(lower.match(/[a-z]{3,}/g));
}

/** Text in the form that templates compare. */
export interface ComparedText {
  readonly text: string;
  /** In lower case, without ignored whitespace. */
  readonly lower: string;
  /** Offset of each character of `lower` in the text; undefined if both are equal. */
  readonly offsets: readonly number[] | undefined;
}

/** Whitespace around these marks differs between versions and languages. */
const BLANKS = / {1,8}(?=[:,=])|(?<=[:,=]) {1,8}/g;

/** Removes ignored whitespace from a text. */
export function withoutBlanks(text: string): string {
  return text.replace(BLANKS, "");
}

/** @param text - Whitespace, full stops and exclamation marks at its end are ignored. */
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

/** Returns the values of the placeholders if the whole text matches the template. */
export function matchWhole(template: Template, whole: ComparedText): Captures | undefined {
  const found = match(template, whole, 0);
  if (found === undefined || found.end !== whole.lower.length) return undefined;
  return isOneMessage(template, whole) ? found.captures : undefined;
}

/** Positions of the fixed parts of a template in a line. */
export interface FixedBounds extends Bounds {
  /** True if a placeholder precedes them, and if one follows. */
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

/** ASCII only: case conversion can change the length of other letters. */
function lowerCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const ASCII = /^\p{ASCII}*$/u;

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
 * Returns whether no quote or bracket opens before the fixed parts and closes after them, because it would belong to
 * the surrounding text.
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

/**
 * Returns whether a value fits a placeholder: positions are numbers, and a placeholder at the beginning matches no log
 * label.
 */
function mayFill(name: string, value: string, { leads }: { readonly leads: boolean }): boolean {
  if (NUMBERS.has(name)) return /^\d{1,9}$/.test(value);
  return !leads || !LABEL_END.test(value);
}

/** Without a fixed end the last placeholder matches the rest of the text. */
function lastPart(lower: string, part: string, at: number): number {
  if (part === "") return lower.length;
  return lower.endsWith(part) && lower.length - part.length >= at
    ? lower.length - part.length
    : lower.indexOf(part, at);
}

function clip(text: string): string {
  return text.length <= MAX_CAPTURE ? text : `${text.slice(0, MAX_CAPTURE)}…`;
}

/** Whitespace, full stops and exclamation marks at the end differ between versions. */
function normal(text: string): string {
  return text.trim().replace(/[.!\s]{1,8}$/, "");
}

/** Part of a text. */
interface Bounds {
  readonly start: number;
  readonly end: number;
}

interface Mark {
  readonly mark: string;
  readonly index: number;
}

/**
 * Returns the part of a line that an offset belongs to: from the opening quote or bracket to the closing one, or the
 * whole line. Takes time linear in the line.
 */
function segmentAround(line: string, offset: number): Bounds {
  const open: Mark[] = [];
  let around: { readonly start: number; readonly depth: number } | undefined;
  const entered = () => ({ start: (open.at(-1)?.index ?? -1) + 1, depth: open.length });
  for (const { index, 0: mark } of line.matchAll(MARKS)) {
    if (around === undefined && index >= offset) around = entered();
    const depth = closedDepth(line, { mark, index }, open);
    if (depth === undefined) {
      if (mayOpen(line, { mark, index })) open.push({ mark, index });
      continue;
    }
    if (around !== undefined && depth < around.depth) return { start: around.start, end: index };
    open.length = depth;
  }
  return { start: (around ?? entered()).start, end: line.length };
}

/** An apostrophe inside a word is no quote. */
const MARKS = /"|`|(?<!\w)'|'(?!\w)|[()[\]{}“”‘’«»「」（）【】]/g;
const CLOSING: { readonly [mark: string]: string } = {
  ")": "(",
  "]": "[",
  "}": "{",
  "”": "“",
  "’": "‘",
  "»": "«",
  "」": "「",
  "）": "（",
  "】": "【",
};
const QUOTE = /["'`]/;
/** Characters that may precede an opening quotation mark. */
const BEFORE_QUOTE = /[\s([{<=:,>|"'`-]/;

/** Returns the number of marks that remain open after a closing mark; undefined if it closes none. */
function closedDepth(line: string, { mark, index }: Mark, open: readonly Mark[]): number | undefined {
  const opening = CLOSING[mark] ?? (QUOTE.test(mark) && !/\w/.test(line[index + 1] ?? "") ? mark : undefined);
  const depth = opening === undefined ? -1 : open.findLastIndex((one) => one.mark === opening);
  if (depth < 0) return undefined;
  const isNested = QUOTE.test(mark) && mayOpen(line, { mark, index });
  return isNested && (depth < open.length - 1 || /[\s([{]/.test(line[index - 1] ?? "")) ? undefined : depth;
}

function mayOpen(line: string, { mark, index }: Mark): boolean {
  if (!QUOTE.test(mark)) return CLOSING[mark] === undefined;
  const next = line[index + 1] ?? "";
  const begins = /[^\s,.;:)\]}]/.test(next) || (next === ":" && line[index + 2] === mark);
  return begins && (index === 0 || BEFORE_QUOTE.test(line[index - 1] ?? ""));
}

/** Text after a message in its line: the next line of a stack, a logfmt pair, the tag of a page. */
const TAIL = /\t|<\/|\s{2,}at \S|\s\[See: |; nested exception is |(?<![,;:(])\s[A-Za-z][\w.]{0,40}=(?=\S)/g;

/** Returns the end of a message whose minimum length is known. */
function endOfMessage(line: string, least: number, end: number): number {
  TAIL.lastIndex = least;
  const tail = TAIL.exec(line)?.index ?? end;
  return Math.min(tail, end);
}

/** Prefixes of loggers and runtimes: times, levels, threads, logger names, exception classes. */
const PREFIX =
  /^(?:[ \t]*(?:\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]{1,2})?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|FATAL|SEVERE|CRITICAL)\]?:?|\[(?![A-Z_]{8,}\])[^\]\n]{0,80}\](?:\([\w$]{1,60}\.\w{1,10}:\d{1,6}\))?|\((?:node:)?\d{1,10}\)|Caused by:|Exception in thread "[^"\n]{0,80}"|Uncaught|[IWEF]\d{4}(?= \d\d:)|\d{1,8} [\w.-]{1,80}:\d{1,6}\]|[-*>|•×✖✗✘❌⚠])(?=[ \t]))+[ \t]+/i;

/** Removes the prefixes of loggers and runtimes from a line. */
export function withoutLogPrefix(line: string): string {
  return line.slice(PREFIX.exec(line.slice(0, MAX_PREFIX))?.[0].length ?? 0).replace(ERROR_LABELS, "");
}

/** Error names that runtimes print before a message. */
const ERROR_LABELS =
  /^(?:\(in promise\) |[\w.$]{0,60}(?:Error|Exception|Warning)(?: \[\w{1,60}\])?\s{0,3}:\s{0,3}){1,5}/;

/** Returns whether a line begins with the prefix of a logger or a runtime. */
export function hasLogPrefix(line: string): boolean {
  return PREFIX.test(line.slice(0, MAX_PREFIX));
}

const MAX_PREFIX = 1_000;

/** Text that may precede a message: the end of a label, of a bracketed part, or of a field name. */
const SEPARATOR = /: ?|[\])] |\s-\s|\s?\|\s|=/g;
const MAX_STARTS = 16;

/** Returns the possible message to which a part of a line belongs. */
export interface MessagesAround {
  /** From the labels before the part to the end of the message, the longest first. */
  readonly messages: readonly string[];
  /** The part with the adjacent values only. */
  readonly least: string;
}

/** Returns the texts in a line that may be the message of this part. */
export function messagesAround(line: string, part: FixedBounds): MessagesAround {
  const segment = segmentAround(line, part.start);
  const end = endOfMessage(line, part.end, Math.max(segment.end, part.end));
  const first = segment.start + (PREFIX.exec(line.slice(segment.start, part.start))?.[0].length ?? 0);
  const starts = [first, segment.start];
  SEPARATOR.lastIndex = first;
  for (let found = SEPARATOR.exec(line); found !== null && starts.length < MAX_STARTS; found = SEPARATOR.exec(line)) {
    if (SEPARATOR.lastIndex > part.start) break;
    starts.push(SEPARATOR.lastIndex);
  }
  const messages = [...new Set(starts.map((start) => line.slice(start, end).trim()))].filter((text) => text !== "");
  const start = part.leads ? startOfWord(line, part.start) : part.start;
  return { messages, least: line.slice(start, part.trails ? end : part.end) };
}

const MAX_WORD = 200;

function startOfWord(line: string, start: number): number {
  const before = line.slice(Math.max(0, start - MAX_WORD), start);
  return start - (/[\w.$-]*\s?$/.exec(before)?.[0].length ?? 0);
}

/** Returns the message that begins at an offset of a line, with a known length of its words. */
export function messageFrom(line: string, start: number, length: number): string {
  const end = endOfMessage(line, start + length, segmentAround(line, start).end);
  return line.slice(start, end).trim();
}
