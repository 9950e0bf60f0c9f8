import { NODE_CLASS } from "../answers/foreign-answer.ts";
import { entryOf } from "../catalogue/catalogue.ts";
import { withoutBlanks } from "../catalogue/template.ts";
import { hasTrace } from "../decode/trace.ts";
import type { ExplainContext } from "../result/explanation.ts";
import type { Finding, Recogniser } from "../words/finding.ts";

/**
 * Words that programs of all kinds use. A message of these words alone (`account does not exist`) counts as one of the
 * chain if the text shows a trace of the chain. It also counts if it is alone in its line.
 */
const EVERYDAY_WORDS: ReadonlySet<string> = new Set(
  [
    "a an the of to for in on at is are be been was it its this that than and or with without by from as any all only per",
    "not no cannot can can't could couldn't isn't isnt doesn't does do don't must should shouldn't may need needs",
    "has have had already again once yet too more less much many few so between equal equals greater smaller over above below",
    "account accounts address addresses amount amounts asset assets balance balances contract contracts count description",
    "id key keys lock name names number order orders owner parameter parameters password permission period price private quantity",
    "sender signature size sum time token tokens total transaction transactions type url user value values",
    "body code data date day days end error errors field file first second last list message object position range request",
    "response result seconds server service start state status string text thread",
    "activated active available bad busy closed denied distinct duplicate empty enough exist exists existed existing expected expired",
    "fail failed failure found funds given illegal insufficient invalid legal limit long maximum minimum missing negative",
    "null positive provided read required same set short should sufficient support supported unknown unique unsupported",
    "valid wrong yourself connection create created delete exceed exceeded exceeds max min overflow integer update match matches method function input output option options param params",
  ].flatMap((line) => line.split(" ")),
);

/** Leaves out what everybody may have written. */
export function unlessEveryday(recognise: Recogniser<string>): Recogniser<string> {
  return (text, context) => {
    const finding = recognise(text, context);
    return finding === undefined || isOfChainHere(finding, text, context) ? finding : undefined;
  };
}

const MAX_TEXT = 65_536;

function isOfChainHere({ entry }: Finding, text: string, context: ExplainContext): boolean {
  const matching = partsOfEntry(entry);
  const start = text.slice(0, MAX_TEXT);
  if (NODE_CLASS.test(start)) return true;
  if (entry.startsWith("generic-") && /\bclass (?:\w{1,60}\.){1,12}\w{1,80} ?:/.test(start))
    return hasChain(start, context);
  const lines = start.split(/[\r\n]+/);
  const found = lines.flatMap((line) => matching.flatMap((parts) => around(parts, line) ?? []));
  if (found.length === 0 || found.some(({ isEveryday }) => !isEveryday)) return true;
  if (found.some(({ rest }) => isAlone(rest) || NEAR_WORDS.test(rest))) return true;
  return hasChain(start, context);
}

function hasChain(text: string, { isOfChain }: ExplainContext): boolean {
  return isOfChain?.() ?? hasTrace(text);
}

interface Parts {
  readonly fixed: readonly string[];
  readonly isEveryday: boolean;
}

const partsOfEntries = new Map<string, readonly Parts[]>();

function partsOfEntry(entry: string): readonly Parts[] {
  const parts = partsOfEntries.get(entry) ?? entryOf(entry).texts.map(partsOf);
  partsOfEntries.set(entry, parts);
  return parts;
}

function partsOf(text: string): Parts {
  const pieces = withoutBlanks(text)
    .toLowerCase()
    .replace(/[.!\s]{1,8}$/, "")
    .split(/\{[a-z]+\}/)
    .map(withoutBlanks);
  const words = pieces.flatMap((piece) => piece.match(/[a-z][a-z']*/g) ?? []);
  const isEveryday = words.every((word) => EVERYDAY_WORDS.has(word)) && !/[_[\]#/]/.test(pieces.join(""));
  return { fixed: pieces, isEveryday };
}

/** Returns the text before and after a message in a line; undefined if the line does not contain it. */
function around({ fixed, isEveryday }: Parts, line: string): { rest: string; isEveryday: boolean } | undefined {
  const tight = withoutBlanks(line);
  const lower = tight.toLowerCase();
  const [first = "", ...others] = fixed;
  const start = lower.indexOf(first);
  if (start < 0 || fixed.join("").length < MIN_LENGTH) return undefined;
  let end = start + first.length;
  for (const part of others) {
    const next = part === "" ? lower.length : lower.indexOf(part, end);
    if (next < 0) return undefined;
    end = next + part.length;
  }
  return { rest: `${tight.slice(0, start)} ${tight.slice(end)}`, isEveryday };
}

const MIN_LENGTH = 8;

/** Text that loggers, runtimes and tools put around a message. No text of another program matches. */
const WRAPPING: readonly RegExp[] = [
  /\\+(?:u00[0-9a-f]{2}|[nrt"'\\/])/gi,
  /[\w$.-]{1,80}\.\w{1,6}:\d{1,7}(?::\d{1,7})?/g,
  /\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?/g,
  /\bException in thread "[^"]{0,80}"|\bjava\.lang\.(?:RuntimeException|Exception|Error)\b/g,
  /\b(?:UnhandledPromiseRejection\w{0,8}|in promise)\b|\bThis error originated either by throwing inside of an async function[^"]{0,200}?(?:with the reason\b|\.catch\(\)\.(?! The promise))/g,
  /\bthe (?:string|object)\b|\bwas thrown, ?throw an Error\b|\(rejection id: ?\d{1,9}\)|\{ ?code: ?'ERR_UNHANDLED_REJECTION',? ?\}|\bNon-Error (?:promise rejection|exception) captured\b(?: with value\b)?|\bthrown(?=: ?["'])|\bUnhandled (?:promise rejection|error|rejection|exception)\b|\bPossibly unhandled\b|\bexception\b/gi,
  /\[[a-z\d:_ .-]{1,60}\]|\[API\]|\((?:node:)?\d{1,10}\)/g,
  /["']?\b(?:level|lvl|severity|ts|time|timestamp|host|hostname|caller|source|logger|thread|stream|attempt|pid|log|payload)["']?\s?[:=]\s?(?:"[^"]{0,80}"|'[^']{0,80}'|[^\s"',{}]{0,80})/gi,
  /\b(?:trace|debug|info|notice|warn(?:ing)?|err(?:or)?|fatal|severe|critical|uncaught|unhandled|caused by|message|msg|reason|cause|detail|details|result|log|payload|the)\b/gi,
];

function isAlone(rest: string): boolean {
  const left = WRAPPING.reduce((text, pattern) => text.replace(pattern, " "), rest);
  return !/\p{L}{2}/u.test(left);
}

/** Words around a message that make it one of a node. */
const NEAR_WORDS =
  /\bbroadcast\w{0,4}\b|\bthe (?:full)?node (?:says?|said|answer(?:s|ed)|refused|returned)\b|\btransaction execution\b|\b[a-z]\w{1,60}\((?:address|u?int\d{1,3}|bytes\d{0,2}|bool|string|tuple)\b|\b(?:sign|send|build|creat)(?:e|ing)? (?:the |a )?transaction\b|\bon-?chain\b|\bblockchain\b|\bsmart contract\b|\bexecution_error\b|\bvalidate \w{1,40} ?contract error\b|\bContract(?:Validate|Exe)Exception\b/i;
