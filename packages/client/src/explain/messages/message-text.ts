import { decodeNodeMessage, parseNodeFault } from "@finality/tron/node-messages";
import { isHexPairs, stripHexPrefix, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { withoutJsonEscapes } from "../decode/plain-text.ts";
import type { Candidate, DecodedField } from "../explanation.ts";
import {
  entriesIn,
  type MessageMatch,
  type MessagePart,
  matchBeginning,
  matchEnd,
  matchForm,
  matchMessage,
} from "./catalogue.ts";
import { type CatalogueEntry, messagesAround } from "./template.ts";

/** Name of the field that shows the node's message. */
export const MESSAGE = t`message`;

/** Forms of a `message` or `resMessage` for display. */
export interface MessageText {
  /** Decoded by the rule of the gateway document; hex whose bytes are not UTF-8 stays unchanged. */
  readonly text: string;
  /** For hex: decoded as UTF-8, with U+FFFD for invalid bytes; else the text, with its possible encoding. */
  readonly readable: string;
  readonly fields: readonly DecodedField[];
  /** Possible meaning of plain text that a tool may have encoded. It does not decide the verdict. */
  readonly candidates: readonly Candidate[];
}

/**
 * Applies the rule of the gateway document: only pairs of hex digits are decoded as UTF-8, everything else is text.
 * Bytes that are not UTF-8, or contain control characters, are shown in both forms.
 */
export function readMessage(message: string): MessageText {
  const text = decodeNodeMessage(message);
  if (!isHexPairs(message)) return ofPlainText(text);
  const readable = Buffer.from(message, "hex").toString("utf8");
  const fields: DecodedField[] = [{ name: MESSAGE, value: readable, kind: "text" }];
  if (text === message || CONTROL.test(readable)) fields.push({ name: t`message (hex)`, value: message, kind: "hex" });
  return { text, readable, fields, candidates: [] };
}

/** Reads a single message without a field that tells its encoding, including the forms of tools. */
export function readLoneMessage(message: string): MessageText {
  const text = isHexPairs(message) ? undefined : textEncodedIn(message);
  if (text === undefined) return readMessage(message);
  const encoded: DecodedField = { name: t`message as it came`, value: message, kind: "text" };
  return { text, readable: text, fields: [messageField(text), encoded], candidates: [] };
}

function ofPlainText(text: string): MessageText {
  const other = textEncodedIn(text);
  const fields = [messageField(text)];
  if (other === undefined) return { text, readable: text, fields, candidates: [] };
  const reason = t`if a tool encoded the message as hex with 0x or as base64; a node does not`;
  return {
    text,
    readable: t`${text} (perhaps “${other}”)`,
    fields: [...fields, { name: t`message, perhaps`, value: other, kind: "text" }],
    candidates: [{ code: "MESSAGE", title: t`Perhaps: ${visibleLine(other, 200)}`, reason }],
  };
}

function messageField(value: string): DecodedField {
  return { name: MESSAGE, value, kind: "text" };
}

/** Decodes a message in hex if all of it is readable; undefined if bytes are not UTF-8, or letters are invisible. */
export function readableMessage(digits: string): string | undefined {
  const text = decodeNodeMessage(digits);
  return text === digits || HIDDEN.test(text) ? undefined : text;
}

/** Form in which tools encode messages. */
interface Encoding {
  readonly form: RegExp;
  readonly bytes: (message: string) => Buffer;
  /** Pattern of the decoded text: other texts of this form are not encoded. */
  readonly text: RegExp;
}

const encodings: readonly Encoding[] = [
  // With 0x, or truncated within a byte.
  {
    form: /^(?:0x)?[0-9a-f]{16,}$/i,
    bytes: (message) => Buffer.from(stripHexPrefix(message), "hex"),
    text: /^[\x20-\x7e]{8,}$/,
  },
  {
    form: /^(?=[A-Za-z0-9+/]{12,}={0,2}$)(?:.{4})+$/,
    bytes: (message) => Buffer.from(message, "base64"),
    text: /^(?=.* )[\x20-\x7e]{8,}$/,
  },
];

/** Decodes a message in one of these forms; undefined if the result is not text. */
function textEncodedIn(message: string): string | undefined {
  const encoding = encodings.find(({ form }) => form.test(message));
  const text = encoding?.bytes(message).toString("utf8");
  return text !== undefined && encoding?.text.test(text) === true ? text : undefined;
}

/**
 * Returns the entry of a message of the node, with or without the node's prefix.
 *
 * @param validates - Whether it is known to be a validation message; its general forms count then too.
 */
export function matchNodeText(message: string, validates = false): MessageMatch | undefined {
  const levels = withoutPrefixes(message.trim());
  const [shortest = ""] = levels;
  for (const text of levels) {
    const found = matchMessage(text);
    if (found !== undefined) return matchWrapped(text) ?? found;
  }
  if (!validates && !levels.some((text) => VALIDATION.test(text))) return undefined;
  return matchEnd(shortest) ?? matchForm(shortest);
}

/** Prefixes of nodes before a problem with the contract of a transaction. */
const WRAPPER = /^validate (\w{1,40}?) ?(?:contract){1,2} ?(?:contract )?error\s{0,3},\s{0,3}(.+)$/i;

/** Number of characters after the prefix from which the beginning of a message counts. */
const MIN_BEGINNING = 8;

/** Returns the entry of a message after a contract prefix: of this contract, or else without the prefix. */
function matchWrapped(message: string): MessageMatch | undefined {
  const [, contract, rest = ""] = WRAPPER.exec(message) ?? [];
  if (contract === undefined) return undefined;
  const start = `Validate ${contract}Contract error,`;
  const whole = `${start} ${rest}`;
  const own = matchMessage(whole);
  if (own !== undefined && own.entry.id !== "contract-error") return own;
  return matchMessage(rest) ?? matchBeginning(whole, start.length + MIN_BEGINNING);
}

/** Returns the text without its prefixes, the shortest first: a placeholder at the beginning would match the prefix. */
function withoutPrefixes(text: string): readonly string[] {
  const levels = [text];
  for (let left = text; levels.length < 5; levels.unshift(left)) {
    const stripped = stripPrefix(left);
    if (stripped === left) break;
    left = stripped;
  }
  return levels;
}

/** Class with a message, as Java prints it with or without `class`. */
export function stripPrefix(text: string): string {
  const prefix = PREFIX.exec(text)?.[0];
  if (prefix !== undefined) return text.slice(prefix.length).trim();
  if (text.startsWith("class ")) return parseNodeFault(text).message;
  return text.replace(JAVA_CLASS, "").trim();
}

const PREFIX = /^(?:contract (?:validate|execute) error|validate signature error|error)\s{0,3}:/i;
const VALIDATION = /^(?:contract validate error\s{0,3}:|(?:class )?[\w.$]{0,100}ContractValidateException\s{0,3}:)/i;
const JAVA_CLASS = /^(?:(?:[a-z]\w{0,30}\.){1,8}[\w$]{1,60}|\w{1,50}(?:Exception|Error))\s{0,3}: ?/;
const CONTROL = /[\p{Cc}]/u;
const HIDDEN = /[\uFFFD\p{Cc}\p{Cf}]/u;

/** Message of the catalogue in the output of a program. */
export interface FoundMessage extends MessageMatch {
  /** The message without surrounding text. */
  readonly message: string;
}

const MAX_TEXT = 65_536;

/**
 * Finds the most specific message of the catalogue in a text, inside quotes, brackets, JSON and log prefixes. Takes
 * time linear in the text.
 *
 * @param counts - Returns whether an entry counts here.
 */
export function findMessage(
  text: string,
  counts: (entry: CatalogueEntry) => boolean = () => true,
): FoundMessage | undefined {
  let best: (FoundMessage & { readonly weight: number }) | undefined;
  for (const line of linesOf(text)) {
    for (const part of entriesIn(line, best?.weight)) {
      if (!counts(part.entry)) continue;
      const found = messageOf(line, part);
      if (found === undefined) continue;
      best = { ...found, weight: part.weight };
      break;
    }
  }
  return best;
}

/** Returns the lines of a text, trimmed and without the escapes of JSON and YAML. */
export function linesOf(text: string): readonly string[] {
  return withoutJsonEscapes(text.slice(0, MAX_TEXT))
    .split(/[\r\n]+/)
    .map((line) => withoutYamlQuotes(line.trim()));
}

/** Value of YAML in single quotes, in which two of them mean one. */
const YAML_QUOTED = /^([\w.-]{1,80}:\s+|-\s+)'((?:[^']|''){1,4000})'$/;

function withoutYamlQuotes(line: string): string {
  return line.replace(YAML_QUOTED, (_all, key: string, value: string) => key + value.replaceAll("''", "'"));
}

function messageOf(line: string, part: MessagePart): FoundMessage | undefined {
  const { messages, least } = messagesAround(line, part);
  for (const message of messages) {
    const match = matchNodeText(message);
    if (match !== undefined) return { ...match, message };
  }
  const match = part.isTelling ? matchNodeText(least) : undefined;
  return match && { ...match, message: least };
}
