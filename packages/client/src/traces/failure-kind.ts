import { candidateFromJson, ERROR_STRING, type JsonAbiEntry, keyOf, PANIC } from "@finality/tron/abi";
import type { TraceFrame } from "@finality/tron/traces";
import type { FailurePoint, FailurePointKind } from "./failure-points.ts";
import { OPCODE } from "./frame-run.ts";

/** Failure of a frame, by what its end shows. */
export type Failure =
  /** Reverted without data. */
  | { readonly kind: "empty" }
  /** `Error(string)`; one character for each byte of the text. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "panic"; readonly code: number }
  /** Error of the contract; names are undefined if the ABI does not have its selector. */
  | { readonly kind: "error"; readonly names: readonly string[] | undefined }
  /** Data that no error of Solidity encodes. */
  | { readonly kind: "data" }
  /** `INVALID`, which compilers before 0.8 use for panics. */
  | { readonly kind: "invalid" }
  /** Ended by the machine: energy, stack, memory, or an instruction that the chain does not have. */
  | { readonly kind: "forced" };

const SELECTOR_DIGITS = 8;
const WORD_DIGITS = 64;

/** Returns the failure of a frame. @param opcode - Its last instruction. */
export function failureOf(
  { outcome, output }: TraceFrame,
  opcode: number | undefined,
  abi: readonly JsonAbiEntry[],
): Failure {
  if (outcome !== "reverted") return { kind: opcode === OPCODE.invalid ? "invalid" : "forced" };
  if (output === "") return { kind: "empty" };
  const selector = output.slice(0, SELECTOR_DIGITS);
  const words = output.slice(SELECTOR_DIGITS);
  if (selector === PANIC && words.length === WORD_DIGITS) return { kind: "panic", code: Number.parseInt(words, 16) };
  if (selector === ERROR_STRING) return readText(words);
  if (words.length % WORD_DIGITS !== 0) return { kind: "data" };
  const names = abi.flatMap((entry) => {
    const candidate = candidateFromJson(entry, "");
    return candidate?.kind === "error" && keyOf(candidate) === selector ? [candidate.name] : [];
  });
  return { kind: "error", names: names.length > 0 ? names : undefined };
}

/** Reads the text of `Error(string)`: an offset, a length, and the bytes. */
function readText(words: string): Failure {
  const offset = Number.parseInt(words.slice(0, WORD_DIGITS), 16);
  const length = Number.parseInt(words.slice(WORD_DIGITS, 2 * WORD_DIGITS), 16);
  const digits = words.slice(2 * WORD_DIGITS, 2 * WORD_DIGITS + 2 * length);
  if (offset !== WORD_DIGITS / 2 || digits.length !== 2 * length) return { kind: "data" };
  return { kind: "text", text: Buffer.from(digits, "hex").toString("latin1") };
}

const PANICS: Readonly<Record<number, readonly FailurePointKind[]>> = {
  1: ["assert"],
  17: ["arithmetic"],
  18: ["division"],
  33: ["plain-call", "member-call"],
  49: ["pop"],
  50: ["index"],
  65: ["allocation", "plain-call", "member-call"],
  81: ["plain-call"],
};
const INVALID: readonly FailurePointKind[] = [
  "assert",
  "division",
  "index",
  "pop",
  "plain-call",
  "member-call",
  "assembly",
];
const EMPTY: readonly FailurePointKind[] = [
  "throw",
  "slice",
  "creation",
  "member-call",
  "plain-call",
  "allocation",
  "assembly",
];

/** Returns whether a construct can fail in this way. @param strips - The compiler left texts of reverts out. */
export function canFail(point: FailurePoint, failure: Failure, strips: boolean): boolean {
  const { kind, reason } = point;
  const gives = kind === "require" || kind === "revert";
  switch (failure.kind) {
    case "forced":
      return true;
    case "invalid":
      return INVALID.includes(kind);
    case "panic":
      return (PANICS[failure.code] ?? [kind]).includes(kind) || kind === "assembly";
    case "empty":
      return gives ? reason.kind === "none" || (strips && reason.kind !== "error") : EMPTY.includes(kind);
    case "text":
      if (!gives) return kind === "assembly";
      return reason.kind === "computed" || (reason.kind === "text" && reason.text === failure.text);
    case "error":
      if (!gives) return kind === "assembly";
      return reason.kind === "error" && (failure.names?.includes(reason.name) ?? true);
    case "data":
      return kind === "assembly";
  }
}
