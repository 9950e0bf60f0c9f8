import { isBroadcastCode } from "@finality/tron/node-messages";
import { hasTrace } from "../decode/plain-text.ts";
import { type Diagnosis, diagnosisOf } from "../diagnosis.ts";
import { caseOfRefusal, type DecodedField, type ExplainContext, verdictOf } from "../explanation.ts";
import { isCommon, type MessageMatch } from "./catalogue.ts";
import { explainFault, explainRefusal, fixOfRefusal, resultInMessage } from "./failures.ts";
import { findMessage, linesOf, MESSAGE, matchNodeText, readLoneMessage, stripPrefix } from "./message-text.ts";
import { type CatalogueEntry, hasLogPrefix, messageFrom } from "./template.ts";

/**
 * Explains a single message of the node, in hex or as text; undefined if no entry knows it, or if a logger put
 * something before it.
 */
export function explainMessage(message: string, context: ExplainContext): Diagnosis | undefined {
  if (LINE_BREAK.test(message.trim()) || hasLogPrefix(message)) return undefined;
  const { text, fields } = readLoneMessage(message.trim());
  const [, fault] = FAULT.exec(text) ?? [];
  const found = matchNodeText(fault ?? text);
  if (found !== undefined && (fault !== undefined || isMeant(found, text)))
    return ofMatch(found, text, { fields, context });
  if (fault !== undefined) return withFields(explainFault(fault), fields);
  return VALIDATION.test(text)
    ? withFields(explainRefusal("CONTRACT_VALIDATE_ERROR", text, context), fields)
    : undefined;
}

/** Class of the node's refusal, after labels of other programs. */
const FAULT = /^(?:[\w.$]{1,100}\s{0,3}:\s{0,3}){0,3}(class [\w.$]{1,200}\s{0,3}:[\s\S]*)/;
const LINE_BREAK = /[\r\n]/;

/** A text with only the form of a common message counts if it is short, or refers to the chain. */
function isMeant({ entry }: MessageMatch, text: string): boolean {
  return !isCommon(entry) || withoutLabels(text).length <= MAX_COMMON || hasTrace(text);
}

const MAX_COMMON = 60;

/** Prefix that the node puts before every validation message, including messages that are not known yet. */
const VALIDATION = /^contract validate error\s{0,3}:/i;

/** Explains a text that contains a message of the node like the message alone. */
export function explainMessageWithin(text: string, context: ExplainContext): Diagnosis | undefined {
  const found = findMessageWithin(text);
  if (found === undefined) return undefined;
  const { message, match } = found;
  const fields: readonly DecodedField[] = [{ name: MESSAGE, value: message.slice(0, 2000), kind: "text" }];
  const whole = explainMessage(message, context) ?? (match && ofMatch(match, message, { fields, context }));
  if (whole !== undefined) return whole;
  const code = refusalCodes.find(([prefix]) => prefix.test(message))?.[1];
  return code === undefined ? undefined : withFields(explainRefusal(code, message, context), fields);
}

/** Returns whether a text contains a message of the node, known or unknown. */
export function mentionsMessage(text: string): boolean {
  return findMessageWithin(text) !== undefined;
}

const refusalCodes: readonly (readonly [prefix: RegExp, code: string])[] = [
  [/^contract validate/i, "CONTRACT_VALIDATE_ERROR"],
  [/^contract execute/i, "CONTRACT_EXE_ERROR"],
  [/^validate signature/i, "SIGERROR"],
];

/** Message in a text, and its entry. */
interface MessageWithin {
  readonly message: string;
  readonly match?: MessageMatch;
}

/** Returns the message of the node in a text: after the node's prefix, or by its own text. */
function findMessageWithin(text: string): MessageWithin | undefined {
  const prefixed = findPrefixed(text);
  const known = prefixed === undefined ? undefined : matchNodeText(prefixed);
  if (prefixed !== undefined && known !== undefined) return { message: prefixed, match: known };
  let isOfChain: boolean | undefined;
  const found = findMessage(text, (entry) => {
    if (isCommon(entry)) isOfChain ??= hasTrace(text);
    return !isCommon(entry) || isOfChain === true;
  });
  if (found !== undefined) return { message: found.message, match: found };
  return prefixed === undefined ? undefined : { message: prefixed };
}

/** Text after a prefix of the node is a message, however short it is. */
function findPrefixed(text: string): string | undefined {
  if (!NODE_PREFIX.test(text)) return undefined;
  for (const line of linesOf(text)) {
    const prefix = NODE_PREFIX.exec(line);
    if (prefix !== null) return messageFrom(line, prefix.index, prefix[0].length);
  }
  return undefined;
}

const NODE_PREFIX =
  /\b(?:contract (?:validate|execute) error\s{0,3}:|validate signature error\s{0,3}:|class (?:[a-z]\w{0,30}\.){1,8}[\w$]{0,60}(?:Exception|Error)\w{0,20}\s{0,3}:|(?:[a-z]\w{0,30}\.){0,8}ContractValidateException\s{0,3}:)/i;

interface MessageContext {
  readonly fields: readonly DecodedField[];
  readonly context: ExplainContext;
}

function ofMatch({ entry, captures }: MessageMatch, text: string, { fields, context }: MessageContext): Diagnosis {
  const code = codeOf(entry, text);
  const diagnosis = diagnosisOf(entry, captures, { code, decoded: fields });
  if (entry.category === "execution") return { ...diagnosis, retry: verdictOf("if-executed") };
  const isOfBroadcast = entry.category === "validation" && entry.retry !== "request-elsewhere";
  if (!isOfBroadcast || !isBroadcastCode(code)) return diagnosis;
  const candidates = code === "TRANSACTION_EXPIRATION_ERROR" ? explainRefusal(code, "", context).candidates : [];
  const retry = caseOfRefusal(code, withoutLabels(text), context);
  return { ...diagnosis, fix: fixOfRefusal(diagnosis.fix, retry), retry: verdictOf(retry), candidates };
}

/** Removes what the node and other programs put before a message. */
function withoutLabels(text: string): string {
  const stripped = stripPrefix(text);
  return stripped === text ? text : withoutLabels(stripped);
}

function withFields(diagnosis: Diagnosis, fields: readonly DecodedField[]): Diagnosis {
  return { ...diagnosis, decoded: [...fields, ...diagnosis.decoded.filter(({ name }) => name !== MESSAGE)] };
}

/** Returns the code that the node would have sent with the message. */
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
  "tool-funds": "REQUEST_REFUSED",
  "wallet-unfreeze-failed": "NOT_CONFIRMED",
  "wallet-freeze-failed": "NOT_CONFIRMED",
  "no-data": "NO_DATA",
  "tool-not-deployed": "NOT_DEPLOYED",
  "tool-wrong-key": "SIGERROR",
  "vm-call-failed": "FAILED",
};

/** Result of a VM message, by the ID of its entry. */
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
