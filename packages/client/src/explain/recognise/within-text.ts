import { explainJson } from "../answers/answers.ts";
import { explainRpcError } from "../answers/rpc-error.ts";
import { type FoundMessage, findMessage } from "../decode/found-message.ts";
import { readHttpFailure } from "../decode/http-text.ts";
import { plainForms, withoutJsonEscapes } from "../decode/plain-forms.ts";
import { hasTrace, isOfOtherService } from "../decode/trace.ts";
import type { DecodedField, ExplainContext } from "../result/explanation.ts";
import { type Finding, firstOf, type Recogniser, retryOf } from "../words/finding.ts";
import { explainHttpText } from "../words/http-words.ts";
import { explainMessage, explainMessageWithin } from "../words/message-words.ts";
import { explainEncodedData } from "./encoded-data.ts";
import { unlessEveryday } from "./everyday-text.ts";
import { objectAt, objectStarts } from "./objects.ts";
import { pairsIn } from "./pairs.ts";
import { explainToken, tokensIn } from "./token.ts";
import { explainProgramError, explainToolText } from "./tool-text.ts";
import { meansChain } from "./word.ts";

const MAX_TEXT = 262_144;
const MAX_STARTS = 64;
const MAX_TOKENS = 64;

/**
 * Explains the most telling thing in a text of any kind, such as a line of a log. The ids and addresses in it are
 * listed.
 */
export function explainWithin(input: string, context: ExplainContext): Finding | undefined {
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

/** Explains the failure that stands beside a banner, with the outcome of which the banner tells. */
function explainBelow({ message, entry }: FoundMessage, text: string, context: ExplainContext): Finding | undefined {
  const lines = withoutJsonEscapes(text).split("\n");
  const others = lines.filter((line) => line.trim() !== "" && !line.includes(message));
  const telling = others.length === 0 ? undefined : explainParts(others.join("\n"), context);
  const cause = telling !== undefined && isFailure(telling) ? telling : explainFirstLine(others, context);
  if (cause === undefined || BANNERS.has(cause.entry)) return undefined;
  return { ...cause, fix: `${entry.fix} ${cause.fix}`, retry: retryOf(entry) };
}

/** The first line that is a message by itself: below a banner, words of everybody are those of the tool. */
function explainFirstLine(lines: readonly string[], context: ExplainContext): Finding | undefined {
  for (const line of lines.slice(0, MAX_STARTS)) {
    const finding = explainMessage(line.trim(), context);
    if (finding !== undefined && isFailure(finding)) return finding;
  }
  return undefined;
}

function explainParts(text: string, context: ExplainContext): Finding | undefined {
  const answer = explainAnswers(text, context);
  const failed = answer !== undefined && isFailure(answer) ? withStatus(answer, text) : undefined;
  if (failed !== undefined && !isOutermost(failed)) return failed;
  const tokens = explainTokens(text, context);
  const parts: Parts = {
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

/** Returns whether a failure of HTTP or of a network belongs to a program or service unrelated to the chain. */
function isForeignFailure({ entry }: Finding, text: string, { isOfChain }: ExplainContext): boolean {
  return entry.startsWith("http-") && isOfOtherService(text) && isOfChain?.() !== true;
}

/**
 * Adds the HTTP status found in the text to an answer as its code: a gateway's message in a body has no code of its
 * own.
 */
function withStatus(answer: Finding, text: string): Finding {
  if (answer.category !== "http" || answer.code !== "Error") return answer;
  const failure = readHttpFailure(text);
  return failure?.kind === "status" ? { ...answer, code: `HTTP_${failure.status}` } : answer;
}

/** Parts found in a text by searching for distinctive forms. */
interface Parts {
  readonly text: string;
  /** An answer of the node that tells of no failure. */
  readonly answer: Finding | undefined;
  readonly tokens: readonly Finding[];
  /** Results of the recognisers that two tables use. */
  readonly rpcError: () => Finding | undefined;
  readonly toolText: () => Finding | undefined;
  readonly message: () => Finding | undefined;
}

/** Returns a function that calls `find` at most once. */
function once<T>(find: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: find() };
    return result.value;
  };
}

const explainChainMessage = unlessEveryday(explainMessageWithin);

/**
 * Returns whether an answer tells that something failed, and not what: an error of JSON-RPC without known words. The
 * texts around and inside of it may tell the cause.
 */
export function isOutermost({ entry }: Pick<Finding, "entry">): boolean {
  return OUTERMOST.has(entry);
}

const OUTERMOST: ReadonlySet<string> = new Set(["rpc-internal", "rpc-error"]);

/** Returns the cause that a text tells beside an answer that tells none. */
function explainCauseOf(parts: Parts, context: ExplainContext): Finding | undefined {
  for (const recognise of tellingKinds) {
    const finding = recognise(parts, context);
    const isCause = finding !== undefined && isFailure(finding) && finding.category !== "http" && !isGeneral(finding);
    if (isCause && !OUTERMOST.has(finding.entry)) {
      return { ...finding, decoded: [...finding.decoded, ...related(parts.tokens, finding)] };
    }
  }
  return undefined;
}

/** Kinds that tell a cause, the most telling first. */
const tellingKinds: readonly Recogniser<Parts>[] = [
  ({ tokens }) => tokens.find((token) => token.category === "abi" && !isGeneral(token)),
  ({ text }, context) => explainEncodedData(text, context),
  ({ rpcError }) => unlessOutermost(rpcError()),
  ({ toolText }) => unlessVague(toolText()),
  ({ message }) => unlessVague(message()),
  ({ tokens }) => tokens.find((token) => isFailure(token) && !isGeneral(token)),
];

/**
 * Recognisers for the content of a text, the most specific first. An answer that reports its cause precedes all of
 * them.
 */
const kindsWithin: readonly Recogniser<Parts>[] = [
  ...tellingKinds,
  ({ rpcError }) => rpcError(),
  ({ toolText }) => toolText(),
  ({ tokens }) => tokens.find((token) => isTelling(token) && token.entry !== "result-REVERT"),
  ({ message }) => message(),
  ({ tokens }) => tokens.find(isTelling),
  ({ text }) => explainHttpText(text),
  ({ tokens }) => tokens.find(isFailure),
  ({ text }, context) => explainProgramError(text, context),
  ({ answer }) => answer,
  ({ tokens }) => tokens.find((token) => !isHalfByte(token)),
];

function isFailure({ category }: Finding): boolean {
  return category !== "none";
}

function isTelling(token: Finding): boolean {
  return isFailure(token) && token.category !== "http" && token.entry !== "abi-data";
}

/** An error of JSON-RPC in words, as the tools of Foundry print it. */
function explainRpcText(text: string, context: ExplainContext): Finding | undefined {
  const [, code, message] = RPC_ERROR.exec(text) ?? RPC_FIELDS.exec(text) ?? [];
  return message === undefined ? undefined : explainRpcError({ error: { code: Number(code), message } }, context);
}

/** Returns true if a line reports a JSON-RPC error. */
export function saysRpcError(line: string): boolean {
  return RPC_ERROR.test(line) || RPC_FIELDS.test(line);
}

/** As the libraries of Rust print one: `(code: -32000, message: …, data: None)`. */
const RPC_FIELDS = /\(code: (-32\d{3}), message: ([^\n]{1,300}?)(?:, data: |\)|$|\n)/;

const RPC_ERROR = /\berror code\s{0,3}:?\s{0,3}(-32\d{3})\s{0,3}[:,]\s{0,3}([^\n]{1,300})/;

function unlessOutermost(finding: Finding | undefined): Finding | undefined {
  return finding === undefined || isOutermost(finding) ? undefined : finding;
}

/** A revert without its reason says less than anything else that the text may tell. */
function unlessVague(finding: Finding | undefined): Finding | undefined {
  return finding === undefined || VAGUE.has(finding.entry) ? undefined : finding;
}

const VAGUE: ReadonlySet<string> = new Set([
  "revert-empty",
  "revert-not-decoded",
  "vm-revert",
  "vm-call-failed",
  "tool-deployment-unknown",
  "tool-stopped-waiting",
]);

/** Codes, results and data that may be anything say less than what comes with them. */
export function isGeneral({ entry, category }: Pick<Finding, "entry" | "category">): boolean {
  return category === "http" || entry === "abi-data" || /^(?:code|result|generic)-/.test(entry);
}

/** Digits of which one is missing may as well be a number. */
function isHalfByte({ entry }: Finding): boolean {
  return entry === "hex-odd";
}

/** The first failure among the answers in a text, or else the first of those that are no failure. */
function explainAnswers(text: string, context: ExplainContext): Finding | undefined {
  let calm: Finding | undefined;
  for (const plain of plainForms(text)) {
    const found = explainObjects(plain, context);
    if (found !== undefined && isFailure(found)) return found;
    calm ??= found;
  }
  return explainPairs(text, context) ?? calm;
}

function explainPairs(text: string, context: ExplainContext): Finding | undefined {
  for (const { json } of pairsIn(text)) {
    const found = explainJson(json, context);
    if (found !== undefined && isFailure(found)) return found;
  }
  return undefined;
}

function explainObjects(plain: string, context: ExplainContext): Finding | undefined {
  let calm: Finding | undefined;
  let end = 0;
  let tries = 0;
  for (const start of objectStarts(plain)) {
    if (start < end) continue;
    if (tries++ >= MAX_STARTS) break;
    const object = objectAt(plain, start);
    const finding = object && explainJson(object.json, context);
    if (finding !== undefined && isFailure(finding)) return finding;
    // Of an answer that is cut off nothing is known that does not stand there.
    if (object?.cut === false) calm ??= finding;
    if (object !== undefined && finding !== undefined) end = object.end;
  }
  return calm;
}

function explainTokens(text: string, context: ExplainContext): readonly Finding[] {
  const tokens = new Set<string>();
  for (const token of tokensIn(text)) {
    if (!meansChain(token.text, text, token.start, () => hasTrace(text))) continue;
    tokens.add(token.text);
    if (tokens.size >= MAX_TOKENS) break;
  }
  return [...tokens].flatMap((token) => explainToken(token, context) ?? []);
}

function related(tokens: readonly Finding[], found: Finding): readonly DecodedField[] {
  return tokens
    .filter((token) => token !== found && (token.code === "TXID" || token.code === "ADDRESS"))
    .slice(0, 8)
    .flatMap(({ decoded }) => decoded.slice(0, 1));
}
