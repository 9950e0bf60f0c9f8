import { keccak_256 } from "@noble/hashes/sha3.js";
import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import { bytesToHex, type Hex } from "../primitives/bytes.ts";
import { foreignText } from "../primitives/plain-text.ts";
import { type AbiParameter, elementaryType, tupleOf, withSuffixes } from "./abi-type.ts";

/** Name and parameters of a function, an event or an error. */
export interface AbiSignature {
  readonly name: string;
  readonly parameters: readonly AbiParameter[];
}

const MAX_TEXT = 8192;
const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * Returns true if a compiler accepts the text as a name. The deployer of a contract can write whole sentences into its
 * ABI.
 */
export function isAbiName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Parses a signature, with or without parameter names.
 *
 * @throws {ChainError} `ABI_MALFORMED`
 * @example
 * signatureText(parseSignature("Paid(address to, (uint amount, bytes memo)[] items)")); // "Paid(address,(uint256,bytes)[])"
 */
export function parseSignature(text: string): AbiSignature {
  const [, name, list] = /^\s*([A-Za-z_$][\w$]*)\s*\((.*)\)\s*$/s.exec(text.slice(0, MAX_TEXT)) ?? [];
  if (name === undefined || list === undefined) throw malformed(text);
  return { name, parameters: parseList(list, 0) };
}

/** Returns the canonical text, from which a selector is computed. */
export function signatureText({ name, parameters }: AbiSignature): string {
  return name + tupleOf(parameters).text;
}

function parseList(list: string, depth: number): readonly AbiParameter[] {
  if (depth > 32) throw malformed(list);
  return list.trim() === "" ? [] : splitAtTop(list).map((one) => parseParameter(one.trim(), depth));
}

function parseParameter(text: string, depth: number): AbiParameter {
  if (!text.startsWith("(") && !text.startsWith("tuple(")) {
    const words = text.split(/\s+/);
    return { name: foreignText(nameIn(words.slice(1))), type: withSuffixes(words[0] ?? "", elementaryType) };
  }
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (close < open) throw malformed(text);
  const [brackets = "", ...words] = text.slice(close + 1).split(/\s+/);
  const fields = parseList(text.slice(open + 1, close), depth + 1);
  return { name: foreignText(nameIn(words)), type: withSuffixes(brackets, () => tupleOf(fields)) };
}

const NO_NAMES = ["indexed", "memory", "calldata", "storage", "payable"];

function nameIn(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return NO_NAMES.includes(last) ? "" : last;
}

function splitAtTop(list: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < list.length; at++) {
    const character = list[at];
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "," && depth === 0) {
      parts.push(list.slice(start, at));
      start = at + 1;
    }
    if (depth < 0) throw malformed(list);
  }
  return [...parts, list.slice(start)];
}

function malformed(text: string): ChainError {
  return new ChainError("ABI_MALFORMED", { reason: t`"${text.slice(0, 60)}" is not a signature` });
}

/** First four bytes of a call or of revert data: eight hex digits. */
export type Selector = Hex & { readonly of: "Selector" };

/**
 * Returns the selector of a canonical signature.
 *
 * @example
 * selectorOf("transfer(address,uint256)"); // "a9059cbb"
 */
export function selectorOf(signature: string): Selector {
  return topicOf(signature).slice(0, 8) as Selector;
}

/** Returns the first topic of an event: 64 hex digits. */
export function topicOf(signature: string): Hex {
  return bytesToHex(keccak_256(Buffer.from(signature, "utf8")));
}
