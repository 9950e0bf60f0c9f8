import { isHexPairs } from "../primitives/bytes.ts";
import { explainAddressText } from "./address-text.ts";
import { explainBareWord } from "./bare-word.ts";
import type { Finding } from "./finding.ts";
import { explainHex } from "./hex-finding.ts";
import { explainHttpText } from "./http-failure.ts";
import { explainJson } from "./json-finding.ts";
import { parseLoosely } from "./loose-json.ts";
import { explainMessageWithin } from "./message-finding.ts";
import { plainForms } from "./plain-forms.ts";
import type { DecodedField, ExplainContext } from "./result/explanation.ts";
import { explainToolText } from "./tool-text.ts";

const MAX_TEXT = 262_144;
const MAX_STARTS = 24;
const MAX_TOKENS = 64;

/**
 * Explains the most telling thing in a text of any kind: an answer of the node, then revert data, a message, a code, a failure of
 * HTTP, and last an id or an address. The ids and addresses in it are listed.
 */
export function explainLine(line: string, context: ExplainContext): Finding | undefined {
  const text = line.slice(0, MAX_TEXT);
  const json = explainJsonWithin(text, context);
  if (json !== undefined && json.category !== "none") return json;
  const tokens = explainTokens(text, context);
  const failure =
    tokens.find(({ category }) => category === "abi") ??
    explainToolText(text, context) ??
    explainMessageWithin(text, context) ??
    tokens.find(({ category, entry }) => category !== "none" && !/^(?:code|result|generic)-/.test(entry)) ??
    tokens.find(({ category }) => category !== "none") ??
    explainHttpText(text);
  const found = failure ?? json ?? tokens[0];
  return found === undefined ? undefined : { ...found, decoded: [...found.decoded, ...related(tokens, found)] };
}

function explainJsonWithin(text: string, context: ExplainContext): Finding | undefined {
  let calm: Finding | undefined;
  for (const plain of plainForms(text)) {
    const found = explainObjects(plain, context);
    if (found !== undefined && found.category !== "none") return found;
    calm ??= found;
  }
  return calm;
}

/** The first failure among the objects of a text, or else the first of those that are no failure. */
function explainObjects(plain: string, context: ExplainContext): Finding | undefined {
  let calm: Finding | undefined;
  let end = 0;
  let tries = 0;
  for (const { index } of plain.matchAll(OBJECT)) {
    if (index < end) continue;
    if (tries++ >= MAX_STARTS) break;
    const read = parseLoosely(plain, index);
    const finding = read === undefined ? undefined : explainJson(read.value, context);
    if (finding !== undefined && finding.category !== "none") return finding;
    calm ??= finding;
    if (finding !== undefined) end = read?.end ?? 0;
  }
  return calm;
}

/** A brace with a name and a colon behind it. */
const OBJECT = /\{\s{0,80}(?:"[^"]{0,80}"|'[^']{0,80}'|[A-Za-z_$][\w$.-]{0,80})\s{0,8}:/g;
const TOKEN = /\b0x[0-9a-fA-F]{8,}\b|\b[0-9a-fA-F]{16,}\b|\bT[1-9A-HJ-NP-Za-km-z]{33}\b|\b[A-Z][A-Z_]{2,40}\b/g;

/** What the hex, the addresses and the words in capitals mean. */
function explainTokens(text: string, context: ExplainContext): readonly Finding[] {
  const tokens = new Set<string>();
  for (const [token] of text.matchAll(TOKEN)) {
    tokens.add(token);
    if (tokens.size >= MAX_TOKENS) break;
  }
  return [...tokens].flatMap((token) => explainToken(token, context) ?? []);
}

function explainToken(token: string, context: ExplainContext): Finding | undefined {
  const digits = token.replace(/^0x/i, "");
  if (isHexPairs(digits) && digits.length >= 8) return explainHex(digits, context);
  return explainBareWord(token, context) ?? explainAddressText(token);
}

function related(tokens: readonly Finding[], found: Finding): readonly DecodedField[] {
  return tokens
    .filter((token) => token !== found && (token.code === "TXID" || token.code === "ADDRESS"))
    .slice(0, 8)
    .flatMap(({ decoded }) => decoded.slice(0, 1));
}
