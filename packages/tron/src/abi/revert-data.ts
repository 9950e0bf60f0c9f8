import { t } from "@vscode/l10n";
import { isChainError } from "../errors/chain-error.ts";
import { bytesToHex, type Hex, hex } from "../primitives/bytes.ts";
import { type ForeignText, foreignText, isForeignText, rawText } from "../primitives/plain-text.ts";
import type { AbiCandidate, AbiIndex } from "./abi-index.ts";
import type { Selector } from "./abi-signature.ts";
import { type AbiParameter, type AbiType, elementaryType } from "./abi-type.ts";
import { type AbiValue, decodeAbi, type MalformedText } from "./decode-abi.ts";
import { encodeAbi } from "./encode-abi.ts";

/** Candidate whose types match the data. */
export interface DecodedCandidate {
  readonly candidate: AbiCandidate;
  readonly values: readonly AbiValue[];
}

/** Meaning of revert data. */
export type RevertMeaning =
  | { readonly kind: "empty" }
  | { readonly kind: "error-string"; readonly text: ForeignText | MalformedText; readonly nested?: RevertMeaning }
  | { readonly kind: "panic"; readonly code: bigint }
  | {
      readonly kind: "custom";
      readonly selector: Selector;
      /** Never empty; several are a collision that the data cannot resolve. */
      readonly matches: readonly DecodedCandidate[];
      readonly nested?: RevertMeaning;
    }
  | {
      readonly kind: "unknown";
      readonly selector: Selector;
      /** Names of this selector whose types do not match the data, with the reason. */
      readonly misfits: readonly { readonly candidate: AbiCandidate; readonly reason: string }[];
    }
  /** Fewer than four bytes, or bytes that are no encoded error. */
  | { readonly kind: "raw" };

/** Selectors of Solidity's built-in errors: `Error(string)` and `Panic(uint256)`. */
export const ERROR_STRING = "08c379a0";
export const PANIC = "4e487b71";

const MAX_DEPTH = 8;
const stringParameter: readonly AbiParameter[] = [{ name: foreignText("message"), type: elementaryType("string") }];
const bytesParameter: readonly AbiParameter[] = [{ name: foreignText("data"), type: elementaryType("bytes") }];
const codeParameter: readonly AbiParameter[] = [{ name: foreignText("code"), type: elementaryType("uint256") }];

/**
 * Decodes revert data: `Error(string)`, `Panic(uint256)`, then the errors of the index. Also decodes revert data inside
 * strings or bytes, as contracts create them when they forward the failure of another contract. Never throws.
 */
export function readRevertData(data: Uint8Array, index?: AbiIndex, contract?: string): RevertMeaning {
  return readNested(data, { index, contract, depth: 0 });
}

/** Returns the meaning of `Error(string)` with this text, for reasons that come without their data. */
export function readReason(text: ForeignText | MalformedText, index?: AbiIndex): RevertMeaning {
  return errorString(text, { index, contract: undefined, depth: 0 });
}

/** Returns the revert data for this reason. */
export function reasonData(text: string): Hex {
  return hex(ERROR_STRING + encodeAbi(stringParameter, [text]));
}

/** Returns the revert data of this panic. */
export function panicData(code: bigint): Hex {
  return hex(PANIC + encodeAbi(codeParameter, [code]));
}

interface DecodeContext {
  readonly index: AbiIndex | undefined;
  readonly contract: string | undefined;
  readonly depth: number;
}

function readNested(data: Uint8Array, context: DecodeContext): RevertMeaning {
  if (data.length === 0) return { kind: "empty" };
  if (data.length < 4) return { kind: "raw" };
  const selector = bytesToHex(data.subarray(0, 4)) as string as Selector;
  const body = data.subarray(4);
  return (
    readBuiltIn(selector, body, context) ??
    readCustom(selector, body, context) ??
    readWrapped(data, context) ?? {
      kind: "unknown",
      selector,
      misfits: misfits(selector, body, context),
    }
  );
}

function readBuiltIn(selector: string, body: Uint8Array, context: DecodeContext): RevertMeaning | undefined {
  if (selector === PANIC) {
    const [code] = tryDecode(codeParameter, body) ?? [];
    return typeof code === "bigint" ? { kind: "panic", code } : undefined;
  }
  if (selector !== ERROR_STRING) return undefined;
  const [text] = tryDecode(stringParameter, body) ?? [];
  return text === undefined ? undefined : errorString(text as ForeignText | MalformedText, context);
}

function errorString(text: ForeignText | MalformedText, context: DecodeContext): RevertMeaning {
  const nested = nestedIn(stringParameter, [text], context);
  return { kind: "error-string", text, ...(nested && { nested }) };
}

function readCustom(selector: Selector, body: Uint8Array, context: DecodeContext): RevertMeaning | undefined {
  const matches = errorsOf(selector, context).flatMap((candidate) => {
    const values = tryDecode(candidate.parameters, body);
    return values === undefined ? [] : [{ candidate, values }];
  });
  const [first] = matches;
  if (first === undefined) return undefined;
  const nested = nestedIn(first.candidate.parameters, first.values, context);
  return { kind: "custom", selector, matches, ...(nested && { nested }) };
}

/** Revert data that were encoded as `bytes` again. */
function readWrapped(data: Uint8Array, context: DecodeContext): RevertMeaning | undefined {
  if (data.length < 64 || context.depth >= MAX_DEPTH) return undefined;
  const [inner] = tryDecode(bytesParameter, data) ?? [];
  return typeof inner === "string" ? meaningful(inner, context) : undefined;
}

function errorsOf(selector: string, { index, contract }: DecodeContext): readonly AbiCandidate[] {
  return (index?.lookup(selector, contract) ?? []).filter(({ kind }) => kind === "error");
}

function misfits(selector: Selector, body: Uint8Array, context: DecodeContext) {
  return errorsOf(selector, context).map((candidate) => ({ candidate, reason: misfit(candidate, body) }));
}

function misfit({ parameters }: AbiCandidate, body: Uint8Array): string {
  try {
    decodeAbi(parameters, body);
  } catch (error) {
    if (isChainError(error) && error.code === "ABI_MALFORMED") return error.details.reason;
    throw error;
  }
  return "";
}

/** Returns the values, or undefined if the data do not match the types. */
export function tryDecode(parameters: readonly AbiParameter[], body: Uint8Array): readonly AbiValue[] | undefined {
  try {
    return decodeAbi(parameters, body);
  } catch (error) {
    if (isChainError(error) && error.code === "ABI_MALFORMED") return undefined;
    throw error;
  }
}

/** Returns the first string or bytes among the values that contain revert data. */
function nestedIn(
  parameters: readonly AbiParameter[],
  values: readonly AbiValue[],
  context: DecodeContext,
): RevertMeaning | undefined {
  if (context.depth >= MAX_DEPTH) return undefined;
  for (const [position, { type }] of parameters.entries()) {
    const found = meaningful(hexOf(type, values[position]), context);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hexOf(type: AbiType, value: AbiValue | undefined): string | undefined {
  if (type.kind === "bytes" && typeof value === "string") return value;
  if (type.kind !== "string" || value === undefined) return undefined;
  if (isForeignText(value)) return bytesToHex(Buffer.from(rawText(value), "utf8"));
  return typeof value === "object" && "bytes" in value ? value.bytes : undefined;
}

/** Compilers encode an error as a selector and whole words: anything else is text. */
function meaningful(hex: string | undefined, context: DecodeContext): RevertMeaning | undefined {
  if (hex === undefined || hex.length % 64 !== 8) return undefined;
  const meaning = readNested(Buffer.from(hex as Hex, "hex"), { ...context, depth: context.depth + 1 });
  return meaning.kind === "error-string" || meaning.kind === "panic" || meaning.kind === "custom" ? meaning : undefined;
}

/** Meanings of Solidity's `Panic(uint256)` codes (language documentation, Panic via assert and error via require). */
const panics: { readonly [code: string]: { readonly cause: string; readonly fix: string } } = {
  "0x00": {
    cause: t`a generic panic inserted by the compiler`,
    fix: t`Check the inline assembly.`,
  },
  "0x01": { cause: t`an assert failed`, fix: t`An invariant of the contract does not hold: debug the contract.` },
  "0x11": {
    cause: t`an arithmetic operation overflowed or underflowed`,
    fix: t`Compare the arguments with the balances and limits that the function uses.`,
  },
  "0x12": {
    cause: t`a division or modulo by zero`,
    fix: t`Check the divisor in the arguments or the state.`,
  },
  "0x21": { cause: t`a number that is not a value of its enum`, fix: t`Pass one of the values of the enum.` },
  "0x22": {
    cause: t`a byte array in storage is not encoded correctly`,
    fix: t`Check inline assembly and the storage layout of proxies: two contracts may disagree about a slot.`,
  },
  "0x31": { cause: t`pop of an empty array`, fix: t`Check that the array has an item before the call.` },
  "0x32": {
    cause: t`an index outside of an array, of bytesN or of a slice`,
    fix: t`Compare the index with the length of the array.`,
  },
  "0x41": {
    cause: t`too much memory was requested, or an array that is too large was created`,
    fix: t`Pass a smaller length, or process the data in parts.`,
  },
  "0x51": {
    cause: t`a variable of a function type that was never set was called`,
    fix: t`Set the internal function before it is called.`,
  },
};

/** Describes a panic; undefined for a code that Solidity does not have. */
export function panicOf(code: bigint): { readonly cause: string; readonly fix: string } | undefined {
  return panics[panicCode(code)];
}

/**
 * Formats the code as in Solidity's documentation.
 *
 * @example
 * panicCode(17n); // "0x11"
 */
export function panicCode(code: bigint): string {
  return `0x${code.toString(16).padStart(2, "0")}`;
}
