import { isBroadcastCode } from "../../node-messages/result-codes.ts";
import { findMessage, isEveryday, type MessageMatch } from "../catalogue/catalogue.ts";
import type { CatalogueEntry } from "../catalogue/entry.ts";
import { MESSAGE, matchNodeText, readLoneMessage } from "../decode/message-text.ts";
import { hasTrace } from "../decode/trace.ts";
import type { DecodedField, ExplainContext } from "../result/explanation.ts";
import { caseOfRefusal, verdictOf } from "../result/retry-verdict.ts";
import { explainFault } from "./fault-words.ts";
import { type Finding, findingOf } from "./finding.ts";
import { explainRefusal, fixOfRefusal } from "./refusal-words.ts";
import { resultInMessage } from "./vm-words.ts";

/** Explains a message of the node by itself, in hex or as text; undefined when no entry knows it. */
export function explainMessage(message: string, context: ExplainContext): Finding | undefined {
  const { text, fields } = readLoneMessage(message.trim());
  if (/^class [\w.$]{1,200}\s?:/.test(text)) return withFields(explainFault(text), fields);
  const found = matchNodeText(text);
  if (found !== undefined && isMeant(found, text)) return ofMatch(found, text, { fields, context });
  return VALIDATION.test(text)
    ? withFields(explainRefusal("CONTRACT_VALIDATE_ERROR", text, context), fields)
    : undefined;
}

/** A text that only has the form of a message which anybody may write is one when it is short, or of the chain. */
function isMeant({ entry, captures }: MessageMatch, text: string): boolean {
  if (captures.line !== undefined && !/^\d+$/.test(captures.line)) return false;
  return !isEveryday(entry) || text.length <= MAX_EVERYDAY || hasTrace(text);
}

const MAX_EVERYDAY = 60;

/** What the node puts before every message of a validation, also before those that nobody knows yet. */
const VALIDATION = /^contract validate error ?:/i;

/** Explains a line that contains a message of the node. */
export function explainMessageWithin(line: string, context: ExplainContext): Finding | undefined {
  const found = findMessageWithin(line);
  const fields: readonly DecodedField[] = [{ name: MESSAGE, value: line.slice(0, 2000), kind: "text" }];
  if (found !== undefined) return ofMatch(found, line, { fields, context });
  const refused = refusalIn(line);
  return refused && withFields(explainRefusal(refused.code, refused.said, context), fields);
}

/** Whether a line contains a message of the node, be it one that nobody knows yet. */
export function mentionsMessage(line: string): boolean {
  return refusalIn(line) !== undefined || findMessageWithin(line) !== undefined;
}

/** What follows the words with which the node begins its messages, under the code that goes with them. */
function refusalIn(line: string): { readonly code: string; readonly said: string } | undefined {
  const said = NODE_PREFIX.exec(line.slice(0, MAX_LINE))?.[0];
  if (said === undefined) return undefined;
  const code = refusalCodes.find(([prefix]) => prefix.test(said))?.[1];
  return code === undefined ? undefined : { code, said };
}

const refusalCodes: readonly (readonly [prefix: RegExp, code: string])[] = [
  [/^contract validate/i, "CONTRACT_VALIDATE_ERROR"],
  [/^contract execute/i, "CONTRACT_EXE_ERROR"],
  [/^validate signature/i, "SIGERROR"],
];

/** The message of the node that a line contains: after the words with which the node begins it, or by its own words. */
function findMessageWithin(line: string): MessageMatch | undefined {
  const prefixed = findPrefixed(line);
  if (prefixed !== undefined) return prefixed;
  const found = findMessage(line);
  return found === undefined || (isEveryday(found.entry) && !hasTrace(line)) ? undefined : found;
}

/**
 * What follows the words that the node puts before its messages is a message up to the end of its line, however short
 * it is.
 */
function findPrefixed(line: string): MessageMatch | undefined {
  const said = NODE_PREFIX.exec(line.slice(0, MAX_LINE))?.[0];
  return said === undefined ? undefined : matchNodeText(said);
}

const MAX_LINE = 65_536;
const NODE_PREFIX = /\b(?:contract (?:validate|execute) error ?:|validate signature error:)[^\n\r"'`\\]{1,1000}/i;

interface MessageContext {
  readonly fields: readonly DecodedField[];
  readonly context: ExplainContext;
}

function ofMatch({ entry, captures }: MessageMatch, text: string, { fields, context }: MessageContext): Finding {
  const code = codeOf(entry, text);
  const finding = findingOf(entry, captures, { code, decoded: fields });
  if (entry.category === "execution") return { ...finding, retry: verdictOf("if-executed") };
  const isOfBroadcast = entry.category === "validation" && entry.retry !== "request-elsewhere";
  if (!isOfBroadcast || !isBroadcastCode(code)) return finding;
  const candidates = code === "TRANSACTION_EXPIRATION_ERROR" ? explainRefusal(code, "", context).candidates : [];
  const asked = caseOfRefusal(code, text, context);
  return { ...finding, fix: fixOfRefusal(finding.fix, asked), retry: verdictOf(asked), candidates };
}

function withFields(finding: Finding, fields: readonly DecodedField[]): Finding {
  return { ...finding, decoded: [...fields, ...finding.decoded.filter(({ name }) => name !== MESSAGE)] };
}

/** The code with which the node would have sent the message. */
function codeOf(entry: CatalogueEntry, text: string): string {
  const lower = text.slice(0, 400).toLowerCase();
  if (Object.hasOwn(codes, entry.id)) return codes[entry.id] ?? "";
  if (entry.category === "execution") return resultInMessage(text) ?? resultOf(entry.id);
  if (entry.category === "http") return entry.id === "node-rate-limited" ? "RATE_LIMITED" : "API_UNAVAILABLE";
  if (entry.retry === "sign-again" || lower.includes("validate signature error")) return "SIGERROR";
  if (lower.includes("contract execute error") || entry.id === "execution-fee-insufficient")
    return "CONTRACT_EXE_ERROR";
  return entry.retry === "request-after-fix" ? "REQUEST_REFUSED" : "CONTRACT_VALIDATE_ERROR";
}

const codes: { readonly [id: string]: string } = {
  "transaction-expired": "TRANSACTION_EXPIRATION_ERROR",
  "duplicate-pending-or-included": "DUP_TRANSACTION_ERROR",
  "duplicate-in-cache": "DUP_TRANSACTION_ERROR",
  tapos: "TAPOS_ERROR",
  "tool-stopped-waiting": "NOT_CONFIRMED",
  "tool-deployment-unknown": "NOT_CONFIRMED",
  "client-argument": "ABI_ARGUMENT",
  "client-data": "ABI_DATA_TOO_SHORT",
  "tool-unexpected-answer": "UNEXPECTED_ANSWER",
  "tool-nothing-found": "EMPTY_OBJECT",
  "tool-empty-answer": "NOT_DEPLOYED",
  "rpc-method": "RPC_-32601",
  "account-resource-insufficient": "BANDWITH_ERROR",
  "too-big": "TOO_BIG_TRANSACTION_ERROR",
  "too-big-new-account": "TOO_BIG_TRANSACTION_ERROR",
  "too-big-result": "OTHER_ERROR",
  "server-busy": "SERVER_BUSY",
  "no-connection": "NO_CONNECTION",
  "too-few-peers": "NOT_ENOUGH_EFFECTIVE_CONNECTION",
  "not-relayed": "NOT_ENOUGH_EFFECTIVE_CONNECTION",
  "block-unsolidified": "BLOCK_UNSOLIDIFIED",
  "other-null": "OTHER_ERROR",
  "tool-declined": "DECLINED",
  "no-data": "NO_DATA",
  "tool-not-deployed": "NOT_DEPLOYED",
  "tool-wrong-key": "SIGERROR",
  "vm-call-failed": "FAILED",
};

/** The result to which a message of the virtual machine belongs, by the entry's id. */
function resultOf(id: string): string {
  return resultPrefixes.find(([prefix]) => id.startsWith(prefix))?.[1] ?? "UNKNOWN";
}

const resultPrefixes: readonly (readonly [prefix: string, result: string])[] = [
  ["vm-revert", "REVERT"],
  ["vm-bad-jump", "BAD_JUMP_DESTINATION"],
  ["vm-out-of-memory", "OUT_OF_MEMORY"],
  ["vm-stack-too-small", "STACK_TOO_SMALL"],
  ["vm-stack-too-large", "STACK_TOO_LARGE"],
  ["vm-illegal", "ILLEGAL_OPERATION"],
  ["vm-out-of-energy", "OUT_OF_ENERGY"],
  ["vm-timeout", "OUT_OF_TIME"],
  ["vm-already", "OUT_OF_TIME"],
  ["vm-jvm", "JVM_STACK_OVER_FLOW"],
  ["vm-transfer", "TRANSFER_FAILED"],
  ["vm-invalid-code", "INVALID_CODE"],
];
