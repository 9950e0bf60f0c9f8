import {
  type AbiCandidate,
  type DecodedCandidate,
  panicCode,
  panicData,
  panicOf,
  type RevertReading,
  readReason,
  readRevertData,
  reasonData,
  textOfBytes,
} from "@finality/tron/abi";
import { counted } from "@finality/tron/format";
import { bytesToHex, foreignText, type Hex, isForeignText, rawText, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { findMessage } from "../decode/found-message.ts";
import type { Candidate, DecodedField, ExplainContext } from "../result/explanation.ts";
import { argumentList, fieldsOfValues } from "./fields.ts";
import { clip, cutField, type Finding, field, plainFinding } from "./finding.ts";

/**
 * Fields that revert data add to an explanation. `code` is the name of the error: `Error(string)`, `Panic(uint256)`, a
 * signature.
 */
export type RevertWords = Required<
  Pick<Finding, "code" | "entry" | "title" | "cause" | "fix" | "decoded" | "sources" | "candidates">
>;

/** Explains revert data by themselves. */
export function explainRevertData(data: Uint8Array, context: ExplainContext): Finding {
  return explainReading(readRevertData(data, context.abi), data);
}

/** Explains revert data that were read. */
export function explainReading(reading: RevertReading, data: Uint8Array): Finding {
  return ofWords(withData(wordsOf(reading, data), bytesToHex(data)));
}

/** Explains a reason that came as text, with the data that a contract gives for it. */
export function explainReason(reason: string, { abi }: ExplainContext): Finding {
  const text = reason.toWellFormed();
  return ofWords(withData(wordsOf(readReason(foreignText(text), abi)), reasonData(text)));
}

/** Explains a panic of which the code is known. */
export function explainPanic(code: bigint): Finding {
  return ofWords(withData(wordsOf({ kind: "panic", code }), panicData(code)));
}

/** `Error(string)` without its padding, or cut off in the middle of its text. */
export interface CutReason {
  /** Revert data as given. */
  readonly data: Uint8Array;
  /** The bytes of the text that are there. */
  readonly reason: Uint8Array;
  /** Length of the complete text in bytes. */
  readonly length: number;
}

/** Explains a reason whose padding or end is missing, as far as it goes. */
export function explainCutReason({ data, reason, length }: CutReason, { abi }: ExplainContext): Finding {
  const words = wordsOf(readReason(textOfBytes(reason), abi));
  const decoded = reason.length < length ? [...words.decoded, ...cutField] : words.decoded;
  return ofWords(withData({ ...words, decoded }, bytesToHex(data)));
}

function ofWords(words: RevertWords): Finding {
  return plainFinding(words.code, words, { ...words, category: "abi" });
}

/** Reads revert data and puts them into words, with what they contain themselves. */
export function revertWords(data: Uint8Array, context: ExplainContext, contract?: string): RevertWords {
  return withData(wordsOf(readRevertData(data, context.abi, contract), data), bytesToHex(data));
}

function withData(words: RevertWords, data: Hex): RevertWords {
  const raw = field(t`revert data`, data === "" ? undefined : `0x${data}`, "hex");
  return { ...words, decoded: [...words.decoded, ...raw] };
}

const NO_DATA = new Uint8Array();

/** @param data - what was read: the words of an error that nobody knows */
function wordsOf(reading: RevertReading, data: Uint8Array = NO_DATA): RevertWords {
  switch (reading.kind) {
    case "empty":
      return { ...emptyRevert, decoded: [], sources: ["Solidity, errors without data"], candidates: [] };
    case "error-string":
      return errorString(reading);
    case "panic":
      return panic(reading.code);
    case "custom":
      return customError(reading);
    case "unknown":
      return unknownError(reading, data);
    case "raw":
      return {
        code: "REVERT_DATA",
        entry: "revert-raw",
        title: t`Revert data without a known form`,
        cause: t`These bytes are shorter than a selector: inline assembly or another language made them.`,
        fix: t`Look at how the contract reverts.`,
        decoded: [],
        sources: ["Solidity, encoding of errors"],
        candidates: [],
      };
  }
}

const emptyRevert = {
  code: "EMPTY_REVERT",
  entry: "revert-empty",
  title: t`Reverted without a reason`,
  cause: t`The contract gave no data. Usual reasons: it has no such function and no fallback; coins were sent to a function that is not payable; the arguments could not be decoded (an address that still carries its 41, or data cut off); require without a text; a call to an address without code.`,
  fix: t`Compare the selector and the arguments with the ABI of the contract, and the call value with payable. Then simulate the call.`,
} as const;

type Nesting = Extract<RevertReading, { nested?: RevertReading }>;

function errorString(reading: Extract<RevertReading, { kind: "error-string" }>): RevertWords {
  const text = rawText(isForeignText(reading.text) ? reading.text : reading.text.text);
  const bytes = isForeignText(reading.text) ? undefined : reading.text.bytes;
  const known = findMessage(text);
  const own: RevertWords = {
    code: "Error(string)",
    entry: "revert-error-string",
    title: text === "" ? t`Reverted with an empty text` : t`Reverted: ${visibleLine(text, 200)}`,
    cause: t`The contract refused the call with the text ${JSON.stringify(clip(text))}.`,
    fix: known === undefined ? t`Find this text in the contract: its condition was not met.` : known.entry.fix,
    decoded: [...field(t`reason`, text), ...field(t`reason (hex)`, bytes, "hex")],
    sources: ["Solidity, Error(string)"],
    candidates: [],
  };
  return withNested(own, reading);
}

function panic(code: bigint): RevertWords {
  const known = panicOf(code);
  const number = panicCode(code);
  return {
    code: "Panic(uint256)",
    entry: known === undefined ? "revert-panic-unknown" : `revert-panic-${number.slice(2)}`,
    title: t`Panic ${number}: ${known?.cause ?? t`a code that Solidity does not have`}`,
    cause: t`Solidity stopped the call: ${known?.cause ?? t`this panic code is not documented`}.`,
    fix: known?.fix ?? t`Look for inline assembly or another compiler that makes this code.`,
    decoded: [{ name: t`panic code`, value: number, kind: "number", type: "uint256" }],
    sources: ["Solidity, Panic"],
    candidates: [],
  };
}

function customError(reading: Extract<RevertReading, { kind: "custom" }>): RevertWords {
  const [first, ...others] = distinct(reading.matches);
  const { candidate, values } = first ?? (reading.matches[0] as DecodedCandidate);
  const shown = `${candidate.name}(${argumentList(candidate.parameters, values)})`;
  const doubt = others.length > 0 ? t`, if this is the one of several that share the selector` : "";
  const own: RevertWords = {
    code: candidate.signature,
    ...errorWords(shown, `${candidate.name}${doubt}`),
    decoded: fieldsOfValues(candidate.parameters, values),
    sources: originsOf(reading.matches, candidate.signature),
    candidates: others.map(({ candidate: other, values: input }) => ({
      code: other.signature,
      title: clip(`${other.name}(${argumentList(other.parameters, input)})`, 240),
      reason: t`the same selector ${reading.selector}: ${other.origin}`,
    })),
  };
  return withNested(own, reading);
}

/** The words for an error of the contract, as it is shown with its values. */
export function errorWords(shown: string, name: string) {
  return {
    entry: "revert-custom-error",
    title: t`Reverted: ${clip(shown, 240)}`,
    cause: t`The contract refused the call with its error ${name}.`,
    fix: t`Compare the values of the error with the arguments and the state of the contract.`,
  };
}

function distinct(matches: readonly DecodedCandidate[]): readonly DecodedCandidate[] {
  return [...new Map(matches.map((match) => [match.candidate.signature, match] as const).reverse()).values()].reverse();
}

function originsOf(matches: readonly DecodedCandidate[], signature: string): readonly string[] {
  return matches.filter(({ candidate }) => candidate.signature === signature).map(({ candidate }) => candidate.origin);
}

function unknownError(
  { selector, misfits }: Extract<RevertReading, { kind: "unknown" }>,
  data: Uint8Array,
): RevertWords {
  const words = Math.ceil((data.length - 4) / 32);
  const candidates: readonly Candidate[] = misfits.map(({ candidate, reason }) => ({
    code: candidate.signature,
    title: candidate.signature,
    reason: t`${candidate.origin}; but ${reason}`,
  }));
  const [only, ...more] = data.length === 4 ? misfits : [];
  if (only !== undefined && more.length === 0) return withoutValues(only.candidate);
  return {
    code: "CUSTOM_ERROR",
    entry: "revert-unknown-selector",
    title: t`Reverted with the error ${selector}, whose name is not known`,
    cause: t`The contract refused the call with an error of its own and ${counted(words, t`word`, t`words`)} of data. No artifact of the workspace and no dictionary names ${selector}.`,
    fix: t`Open the artifacts of the contract (its ABI) in the workspace: the error then has its name.`,
    decoded: [{ name: t`selector`, value: `0x${selector}`, kind: "hex" }, ...wordFields(data)],
    sources: ["Solidity, encoding of errors"],
    candidates,
  };
}

/** Some tools show the selector of an error alone. */
function withoutValues({ signature, name, origin }: AbiCandidate): RevertWords {
  return {
    code: signature,
    entry: "revert-custom-error",
    title: t`Reverted: ${clip(signature, 240)}`,
    cause: t`The contract refused the call with its error ${name}. Its values are not here, only its selector.`,
    fix: t`Simulate the call to see the values of the error.`,
    decoded: [],
    sources: [origin],
    candidates: [],
  };
}

const MAX_WORDS = 64;

function wordFields(data: Uint8Array): readonly DecodedField[] {
  const count = Math.min(MAX_WORDS, Math.ceil((data.length - 4) / 32));
  return Array.from({ length: count }, (_, index) => ({
    name: t`word ${index}`,
    value: `0x${bytesToHex(data.subarray(4 + index * 32, 36 + index * 32))}`,
    kind: "hex" as const,
  }));
}

/** Revert data inside of revert data: the inner failure is the one to look at. */
function withNested(own: RevertWords, { nested }: Pick<Nesting, "nested">): RevertWords {
  if (nested === undefined) return own;
  const inner = wordsOf(nested);
  return {
    ...own,
    title: t`${inner.title} (handed on by ${own.code})`,
    cause: t`${inner.cause} The failure was handed on by an outer contract as ${own.code}.`,
    fix: inner.fix,
    decoded: [...own.decoded, { name: t`inner failure`, value: inner.code, kind: "list", children: inner.decoded }],
    sources: [...own.sources, ...inner.sources],
    candidates: [...own.candidates, ...inner.candidates],
  };
}
