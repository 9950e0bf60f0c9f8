import { readRevertData } from "@finality/tron/abi";
import { explainJson } from "./answers.ts";
import { objectAt, objectStarts, pairsIn, readJsonText, type Span } from "./decode/json.ts";
import { hasTrace, isOfOtherService, plainForms, withoutJsonEscapes } from "./decode/plain-text.ts";
import { type Diagnosis, type Explainer, firstOf, retryOf } from "./diagnosis.ts";
import type { DecodedField, ExplainContext } from "./explanation.ts";
import { entryOf } from "./messages/catalogue.ts";
import { explainRevert } from "./messages/failures.ts";
import { explainMessage, explainMessageWithin } from "./messages/find-message.ts";
import { explainHttpText, readHttpFailure } from "./messages/http-text.ts";
import { type FoundMessage, findMessage } from "./messages/message-text.ts";
import { withoutBlanks } from "./messages/template.ts";
import { explainProgramError, explainToolText } from "./messages/tool-text.ts";
import { explainRpcError, NODE_CLASS } from "./rpc-error.ts";
import { explainToken, meansChain, tokensIn } from "./tokens.ts";

const MAX_TEXT = 262_144;
const MAX_STARTS = 64;
const MAX_TOKENS = 64;

/** Explains the most specific content of a text of any kind, such as a log line. Lists its IDs and addresses. */
export function explainWithin(input: string, context: ExplainContext): Diagnosis | undefined {
  const text = input.slice(0, MAX_TEXT);
  const found = explainParts(text, context);
  if (found?.category !== "http" && found?.category !== "validation") return found;
  const banner = findMessage(text, ({ id }) => BANNERS.has(id));
  return banner === undefined ? found : (explainBelow(banner, text, context) ?? found);
}

/**
 * Banners that tools print above the error that stopped them. They report the outcome of the transactions, not the
 * cause.
 */
const BANNERS: ReadonlySet<string> = new Set(["tool-deployment-unknown"]);

/** Explains the failure beside a banner, with the outcome that the banner reports. */
function explainBelow({ message, entry }: FoundMessage, text: string, context: ExplainContext): Diagnosis | undefined {
  const lines = withoutJsonEscapes(text).split("\n");
  const others = lines.filter((line) => line.trim() !== "" && !line.includes(message));
  const specific = others.length === 0 ? undefined : explainParts(others.join("\n"), context);
  const cause = specific !== undefined && isFailure(specific) ? specific : explainFirstLine(others, context);
  if (cause === undefined || BANNERS.has(cause.entry)) return undefined;
  return { ...cause, fix: `${entry.fix} ${cause.fix}`, retry: retryOf(entry) };
}

/** First line that is a message by itself: below a banner, common words are those of the tool. */
function explainFirstLine(lines: readonly string[], context: ExplainContext): Diagnosis | undefined {
  for (const line of lines.slice(0, MAX_STARTS)) {
    const diagnosis = explainMessage(line.trim(), context);
    if (diagnosis !== undefined && isFailure(diagnosis)) return diagnosis;
  }
  return undefined;
}

function explainParts(text: string, context: ExplainContext): Diagnosis | undefined {
  const answer = explainAnswers(text, context);
  const failed = answer !== undefined && isFailure(answer) ? withStatus(answer, text) : undefined;
  if (failed !== undefined && !isOutermost(failed)) return failed;
  const tokens = explainTokens(text, context);
  const parts: TextParts = {
    text,
    answer,
    tokens,
    rpcError: once(() => explainRpcText(text, context)),
    toolText: once(() => explainToolText(text, context)),
    message: once(() => explainChainMessage(text, context)),
  };
  if (failed !== undefined) return explainCauseOf(parts, context) ?? failed;
  const found = firstOf(kindsWithin, parts, context);
  if (found === undefined || isForeignFailure(found, text, context)) return undefined;
  return { ...found, decoded: [...found.decoded, ...related(tokens, found)] };
}

/** Returns whether an HTTP or network failure belongs to a program or service unrelated to the chain. */
function isForeignFailure({ entry }: Diagnosis, text: string, { isOfChain }: ExplainContext): boolean {
  return entry.startsWith("http-") && isOfOtherService(text) && isOfChain?.() !== true;
}

/**
 * Adds the HTTP status found in the text to an answer as its code: a gateway's message in a body has no code of its
 * own.
 */
function withStatus(answer: Diagnosis, text: string): Diagnosis {
  if (answer.category !== "http" || answer.code !== "Error") return answer;
  const failure = readHttpFailure(text);
  return failure?.kind === "status" ? { ...answer, code: `HTTP_${failure.status}` } : answer;
}

/** Parts of a text, found by searching for distinctive forms. */
interface TextParts {
  readonly text: string;
  /** Answer of the node without a failure. */
  readonly answer: Diagnosis | undefined;
  readonly tokens: readonly Diagnosis[];
  /** Results of the explainers that two tables use. */
  readonly rpcError: () => Diagnosis | undefined;
  readonly toolText: () => Diagnosis | undefined;
  readonly message: () => Diagnosis | undefined;
}

/** Returns a function that calls `find` at most once. */
function once<T>(find: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: find() };
    return result.value;
  };
}

const explainChainMessage = unlessCommon(explainMessageWithin);

/**
 * Returns whether an answer reports a failure without its cause: an error of JSON-RPC without known words. The texts
 * around and inside it may contain the cause.
 */
export function isOutermost({ entry }: Pick<Diagnosis, "entry">): boolean {
  return OUTERMOST.has(entry);
}

const OUTERMOST: ReadonlySet<string> = new Set(["rpc-internal", "rpc-error"]);

/** Returns the cause from the text beside an answer that has none. */
function explainCauseOf(parts: TextParts, context: ExplainContext): Diagnosis | undefined {
  for (const explainer of specificKinds) {
    const diagnosis = explainer(parts, context);
    const isCause =
      diagnosis !== undefined && isFailure(diagnosis) && diagnosis.category !== "http" && !isGeneral(diagnosis);
    if (isCause && !OUTERMOST.has(diagnosis.entry)) {
      return { ...diagnosis, decoded: [...diagnosis.decoded, ...related(parts.tokens, diagnosis)] };
    }
  }
  return undefined;
}

/** Kinds that report a cause, the most specific first. */
const specificKinds: readonly Explainer<TextParts>[] = [
  ({ tokens }) => tokens.find((token) => token.category === "abi" && !isGeneral(token)),
  ({ text }, context) => explainEncodedData(text, context),
  ({ rpcError }) => unlessOutermost(rpcError()),
  ({ toolText }) => unlessVague(toolText()),
  ({ message }) => unlessVague(message()),
  ({ tokens }) => tokens.find((token) => isFailure(token) && !isGeneral(token)),
];

/**
 * Explainers for the content of a text, the most specific first. An answer that reports its cause precedes all of
 * them.
 */
const kindsWithin: readonly Explainer<TextParts>[] = [
  ...specificKinds,
  ({ rpcError }) => rpcError(),
  ({ toolText }) => toolText(),
  ({ tokens }) => tokens.find((token) => isSpecific(token) && token.entry !== "result-REVERT"),
  ({ message }) => message(),
  ({ tokens }) => tokens.find(isSpecific),
  ({ text }) => explainHttpText(text),
  ({ tokens }) => tokens.find(isFailure),
  ({ text }, context) => explainProgramError(text, context),
  ({ answer }) => answer,
  ({ tokens }) => tokens.find((token) => !isHalfByte(token)),
];

function isFailure({ category }: Diagnosis): boolean {
  return category !== "none";
}

function isSpecific(token: Diagnosis): boolean {
  return isFailure(token) && token.category !== "http" && token.entry !== "abi-data";
}

/** Error of JSON-RPC in the wording of Foundry's tools. */
function explainRpcText(text: string, context: ExplainContext): Diagnosis | undefined {
  const [, code, message] = RPC_ERROR.exec(text) ?? RPC_FIELDS.exec(text) ?? [];
  return message === undefined ? undefined : explainRpcError({ error: { code: Number(code), message } }, context);
}

/** Returns true if a line reports a JSON-RPC error. */
export function namesRpcError(line: string): boolean {
  return RPC_ERROR.test(line) || RPC_FIELDS.test(line);
}

/** Format of Rust libraries: `(code: -32000, message: …, data: None)`. */
const RPC_FIELDS = /\(code: (-32\d{3}), message: ([^\n]{1,300}?)(?:, data: |\)|$|\n)/;

const RPC_ERROR = /\berror code\s{0,3}:?\s{0,3}(-32\d{3})\s{0,3}[:,]\s{0,3}([^\n]{1,300})/;

function unlessOutermost(diagnosis: Diagnosis | undefined): Diagnosis | undefined {
  return diagnosis === undefined || isOutermost(diagnosis) ? undefined : diagnosis;
}

/** A revert without its reason is less specific than anything else in the text. */
function unlessVague(diagnosis: Diagnosis | undefined): Diagnosis | undefined {
  return diagnosis === undefined || VAGUE.has(diagnosis.entry) ? undefined : diagnosis;
}

const VAGUE: ReadonlySet<string> = new Set([
  "revert-empty",
  "revert-not-decoded",
  "vm-revert",
  "vm-call-failed",
  "tool-deployment-unknown",
  "tool-stopped-waiting",
]);

/** Codes, results and data of any kind are less specific than what comes with them. */
export function isGeneral({ entry, category }: Pick<Diagnosis, "entry" | "category">): boolean {
  return category === "http" || entry === "abi-data" || /^(?:code|result|generic)-/.test(entry);
}

/** Digits with one missing may be a number. */
function isHalfByte({ entry }: Diagnosis): boolean {
  return entry === "hex-odd";
}

/** Returns the first failure among the answers in a text, or else the first answer without a failure. */
function explainAnswers(text: string, context: ExplainContext): Diagnosis | undefined {
  let calm: Diagnosis | undefined;
  for (const plain of plainForms(text)) {
    const found = explainObjects(plain, context);
    if (found !== undefined && isFailure(found)) return found;
    calm ??= found;
  }
  return explainPairs(text, context) ?? calm;
}

function explainPairs(text: string, context: ExplainContext): Diagnosis | undefined {
  for (const { json } of pairsIn(text)) {
    const found = explainJson(json, context);
    if (found !== undefined && isFailure(found)) return found;
  }
  return undefined;
}

function explainObjects(plain: string, context: ExplainContext): Diagnosis | undefined {
  let calm: Diagnosis | undefined;
  let end = 0;
  let tries = 0;
  for (const start of objectStarts(plain)) {
    if (start < end) continue;
    if (tries++ >= MAX_STARTS) break;
    const object = objectAt(plain, start);
    const diagnosis = object && explainJson(object.json, context);
    if (diagnosis !== undefined && isFailure(diagnosis)) return diagnosis;
    // Only the present part of a truncated answer is known.
    if (object?.cut === false) calm ??= diagnosis;
    if (object !== undefined && diagnosis !== undefined) end = object.end;
  }
  return calm;
}

function explainTokens(text: string, context: ExplainContext): readonly Diagnosis[] {
  const tokens = new Set<string>();
  for (const token of tokensIn(text)) {
    if (!meansChain(token.text, text, token.start, () => hasTrace(text))) continue;
    tokens.add(token.text);
    if (tokens.size >= MAX_TOKENS) break;
  }
  return [...tokens].flatMap((token) => explainToken(token, context) ?? []);
}

function related(tokens: readonly Diagnosis[], found: Diagnosis): readonly DecodedField[] {
  return tokens
    .filter((token) => token !== found && (token.code === "TXID" || token.code === "ADDRESS"))
    .slice(0, 8)
    .flatMap(({ decoded }) => decoded.slice(0, 1));
}

/**
 * Words that programs of all kinds use. A message of these words alone (`account does not exist`) counts as one of the
 * chain if the text shows a trace of the chain. It also counts if it is alone in its line.
 */
const COMMON_WORDS: ReadonlySet<string> = new Set(
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

/** Excludes texts with common words only. */
export function unlessCommon(explainer: Explainer<string>): Explainer<string> {
  return (text, context) => {
    const diagnosis = explainer(text, context);
    return diagnosis === undefined || isOfChainHere(diagnosis, text, context) ? diagnosis : undefined;
  };
}

const MAX_COMMON_TEXT = 65_536;

function isOfChainHere({ entry }: Diagnosis, text: string, context: ExplainContext): boolean {
  const matching = wordsOfEntry(entry);
  const start = text.slice(0, MAX_COMMON_TEXT);
  if (NODE_CLASS.test(start)) return true;
  if (entry.startsWith("generic-") && /\bclass (?:\w{1,60}\.){1,12}\w{1,80} ?:/.test(start))
    return hasChain(start, context);
  const lines = start.split(/[\r\n]+/);
  const found = lines.flatMap((line) => matching.flatMap((parts) => around(parts, line) ?? []));
  if (found.length === 0 || found.some(({ isCommon }) => !isCommon)) return true;
  if (found.some(({ rest }) => isAlone(rest) || NEAR_WORDS.test(rest))) return true;
  return hasChain(start, context);
}

function hasChain(text: string, { isOfChain }: ExplainContext): boolean {
  return isOfChain?.() ?? hasTrace(text);
}

interface MessageWords {
  readonly fixed: readonly string[];
  readonly isCommon: boolean;
}

const wordsOfEntries = new Map<string, readonly MessageWords[]>();

function wordsOfEntry(entry: string): readonly MessageWords[] {
  const words = wordsOfEntries.get(entry) ?? entryOf(entry).texts.map(partsOf);
  wordsOfEntries.set(entry, words);
  return words;
}

function partsOf(text: string): MessageWords {
  const pieces = withoutBlanks(text)
    .toLowerCase()
    .replace(/[.!\s]{1,8}$/, "")
    .split(/\{[a-z]+\}/)
    .map(withoutBlanks);
  const words = pieces.flatMap((piece) => piece.match(/[a-z][a-z']*/g) ?? []);
  const isCommon = words.every((word) => COMMON_WORDS.has(word)) && !/[_[\]#/]/.test(pieces.join(""));
  return { fixed: pieces, isCommon };
}

/** Returns the text before and after a message in a line; undefined if the line does not contain it. */
function around({ fixed, isCommon }: MessageWords, line: string): { rest: string; isCommon: boolean } | undefined {
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
  return { rest: `${tight.slice(0, start)} ${tight.slice(end)}`, isCommon };
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

/** Revert data have a selector and at least one word: 48 characters. */
const BASE64 = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{46,20000}={0,2}/g;
const MAX_RUNS = 16;
const BRACE = 0x7b;

/**
 * Decodes revert data in base64, as the node's gRPC interface gives bytes in JSON, or an answer in base64 as in logs;
 * undefined for other bytes.
 */
function explainEncodedData(text: string, context: ExplainContext): Diagnosis | undefined {
  for (const { start, end } of encodedDataIn(text)) {
    const data = Buffer.from(text.slice(start, end), "base64");
    const answer =
      data[0] === BRACE ? explainJson(readJsonText(data.toString("utf8"))?.json ?? null, context) : undefined;
    if (answer !== undefined && answer.category !== "none") return answer;
    const meaning = readRevertData(data, context.abi);
    if (meaning.kind === "error-string" || meaning.kind === "panic" || meaning.kind === "custom")
      return explainRevert(meaning, data);
  }
  return undefined;
}

/** Returns the ranges of base64 data in a text whose bytes have the length of revert data, or begin as JSON does. */
export function* encodedDataIn(text: string): Generator<Span> {
  let searched = 0;
  for (const { index, 0: run } of text.matchAll(BASE64)) {
    if (searched++ >= MAX_RUNS) return;
    const bytes = Math.floor((run.replace(/=+$/, "").length * 3) / 4);
    const mayExplain = bytes % 32 === 4 || run.startsWith("eyJ");
    if (mayExplain && /[A-Z]/.test(run) && /[a-z]/.test(run)) yield { start: index, end: index + run.length };
  }
}
