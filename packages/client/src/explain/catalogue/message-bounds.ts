import { segmentAround } from "./segment.ts";
import type { FixedBounds } from "./template.ts";

/** Text that programs put after a message in its line: the next line of a stack, a logfmt pair, the tag of a page. */
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

/** A line without what loggers and runtimes put before it. */
export function withoutLogPrefix(line: string): string {
  return line.slice(PREFIX.exec(line.slice(0, MAX_PREFIX))?.[0].length ?? 0).replace(ERROR_LABELS, "");
}

/** The names of errors, as runtimes print them before a message. */
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
  /** The part with the values before and after it, and nothing else. */
  readonly least: string;
}

/** The texts in a line that may be the message to which its part belongs. */
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

/** The message that begins at an offset of a line, with words of a known length. */
export function messageFrom(line: string, start: number, length: number): string {
  const end = endOfMessage(line, start + length, segmentAround(line, start).end);
  return line.slice(start, end).trim();
}
