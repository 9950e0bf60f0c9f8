import { type AbiInput, type AbiParameter, encodeAbi, executableCode, tryDecode } from "@finality/tron/abi";
import { type Hex, hex, hexToBytes } from "@finality/tron/primitives";
import { hashRanges, metadataOf } from "./code-metadata.ts";
import type { ByteRange, CompiledBytes, CompiledContract } from "./compiled-contract.ts";

/** Code of a contract as the chain has it, hex. */
export interface ChainCode {
  /** Creation code with the constructor's arguments; empty if a contract created it. */
  readonly created: string;
  /** Undefined if the node does not return it. */
  readonly runtimeCode: string | undefined;
}

/** First byte that differs, with a few bytes from there on, hex; empty after the end. */
export interface FirstDifference {
  readonly of: "runtime" | "creation" | "arguments";
  readonly at: number;
  readonly chain: string;
  readonly compiled: string;
}

/** Cause that the bytes themselves show. */
type ByteCause = "metadata" | "immutables" | "libraries" | "compiler-version" | "constructor-arguments";

/** Result of a comparison of code on the chain with that of a compiler. */
export interface CodeMatch {
  /** `same-instructions`: only the compiler's metadata differ. */
  readonly kind: "equal" | "same-instructions" | "different";
  readonly first: FirstDifference | undefined;
  /** Undefined if the bytes do not show it: other settings or another source. */
  readonly cause: ByteCause | undefined;
  /** Values of immutable variables on the chain, hex. */
  readonly immutables: readonly string[];
  /** Addresses of libraries on the chain, 20 bytes in hex, by name. */
  readonly libraries: readonly { readonly name: string; readonly address: string }[];
  /** Arguments of the constructor, hex; undefined without creation code. */
  readonly arguments: Hex | undefined;
}

const NOTHING = { first: undefined, cause: undefined };

/**
 * Compares the code of a contract with that of a compiler: the runtime code and the creation code, if the chain has
 * them. Values that are known only after the deployment count as equal.
 *
 * @param expectedArguments - encoded arguments of the constructor that the chain should have
 */
export function compareCode(chain: ChainCode, compiled: CompiledContract, expectedArguments?: Hex): CodeMatch {
  const created = chain.created.toLowerCase();
  const runtimeCode = chain.runtimeCode?.toLowerCase() ?? "";
  const runtime =
    runtimeCode === "" || compiled.runtime === undefined
      ? undefined
      : compareBytes("runtime", runtimeCode, compiled.runtime);
  const creation = created === "" ? undefined : compareBytes("creation", created, compiled.creation);
  const found = { ...valuesOf(runtime, creation), arguments: undefined };
  if (runtime?.kind === "different") return { ...found, ...withVersion(runtime, runtimeCode, compiled) };
  // Metadata of another length move the constructor's constants.
  const isMoved = runtime?.kind === "same-instructions" && runtimeCode.length !== compiled.runtime?.code.length;
  if (creation?.kind === "different" && !isMoved)
    return { ...found, ...withVersion(creation, runtimeCode || created, compiled) };
  const tail = creation === undefined || isMoved ? undefined : hex(created.slice(compiled.creation.code.length));
  const fault = tail === undefined ? undefined : argumentFault(tail, compiled.constructorParameters, expectedArguments);
  if (fault !== undefined)
    return { ...found, kind: "different", first: fault, cause: "constructor-arguments", arguments: tail };
  const parts = [runtime, creation].filter((it) => it !== undefined);
  const other = parts.find(({ kind }) => kind !== "equal");
  if (other === undefined) return { ...found, kind: "equal", ...NOTHING, arguments: tail };
  return { ...found, kind: "same-instructions", first: other.first, cause: "metadata", arguments: tail };
}

/** Comparison of one of the two codes. */
interface BytesMatch extends Pick<CodeMatch, "kind" | "first" | "cause" | "immutables" | "libraries"> {}

function valuesOf(
  runtime: BytesMatch | undefined,
  creation: BytesMatch | undefined,
): Pick<CodeMatch, "immutables" | "libraries"> {
  const libraries = runtime?.libraries.length ? runtime.libraries : (creation?.libraries ?? []);
  return { immutables: runtime?.immutables ?? [], libraries };
}

function withVersion(match: BytesMatch, code: string, { runtime, creation }: CompiledContract): BytesMatch {
  const [there, here] = [metadataOf(code)?.solc, metadataOf((runtime ?? creation).code)?.solc];
  const isOther = there !== undefined && here !== undefined && there !== here;
  return isOther ? { ...match, cause: "compiler-version" } : match;
}

/** Code of a library begins with its own address, which is known when it is deployed. */
const LIBRARY = /^73(?:00){20}3014/;
const OWN_ADDRESS: ByteRange = { start: 1, length: 20 };

function compareBytes(of: "runtime" | "creation", chain: string, compiled: CompiledBytes): BytesMatch {
  const { code, libraries, immutables = [] } = compiled;
  const isWhole = of === "runtime";
  const own = isWhole && LIBRARY.test(code) ? [OWN_ADDRESS] : [];
  const open = [...own, ...libraries.flatMap(({ ranges }) => ranges), ...immutables.flat()];
  const values = {
    immutables: immutables.flatMap(([first]) => (first === undefined ? [] : [bytesAt(chain, first)])),
    libraries: libraries.flatMap(({ name, ranges: [first] }) =>
      first === undefined ? [] : [{ name, address: bytesAt(chain, first) }],
    ),
  };
  const there = withZeros(isWhole ? chain : chain.slice(0, code.length), open);
  const first = there === code ? undefined : firstDifference(of, there, code);
  if (first === undefined || isSameBut(there, code, isWhole)) {
    const uneven = unevenPlace(chain, compiled);
    if (uneven !== undefined)
      return { kind: "different", ...values, ...uneven, first: differenceAt(of, uneven.at, chain, code) };
    return first === undefined
      ? { kind: "equal", ...NOTHING, ...values }
      : { kind: "same-instructions", first, cause: "metadata", ...values };
  }
  const cause = compiled.immutables === undefined && isImmutable(there, code) ? "immutables" : undefined;
  return { kind: "different", first, cause, ...values };
}

/** Returns whether the instructions are the same: only hashes of metadata, or the metadata at the end, differ. */
function isSameBut(there: string, code: string, isWhole: boolean): boolean {
  const hashes = hashRanges(code);
  const [one, other] = [withZeros(there, hashes), withZeros(code, hashes)];
  if (one === other) return true;
  return isWhole && instructionsOf(one) === instructionsOf(other);
}

/** Returns code without its metadata, and without the INVALID that a compiler puts before them. */
function instructionsOf(code: string): string {
  return executableCode(code).replace(/fe$/, "");
}

/** Each place of one immutable variable, or of one library, has the same value. */
function unevenPlace(
  chain: string,
  { immutables = [], libraries }: CompiledBytes,
): { readonly at: number; readonly cause: ByteCause } | undefined {
  const uneven = (places: readonly ByteRange[]): ByteRange | undefined =>
    places.find((it) => it.length === places[0]?.length && bytesAt(chain, it) !== bytesAt(chain, places[0]));
  const immutable = immutables.flatMap((it) => uneven(it) ?? []);
  const library = libraries.flatMap(({ ranges }) => uneven(ranges) ?? []);
  const [first] = immutable;
  if (first !== undefined) return { at: first.start, cause: "immutables" };
  const [other] = library;
  return other && { at: other.start, cause: "libraries" };
}

const WORD_DIGITS = 64;
const PUSH_WORD = "7f";

/**
 * Returns whether all differences are words that a compiler left empty for immutable variables: zeros that an
 * instruction pushes.
 */
function isImmutable(there: string, code: string): boolean {
  const end = executableCode(code).length;
  if (there.length !== code.length) return false;
  let at = 0;
  for (;;) {
    at = nextDifference(there, code, at);
    if (at < 0 || at >= end) return true;
    const push = code.lastIndexOf(PUSH_WORD + "0".repeat(WORD_DIGITS), at);
    if (push < 0 || push % 2 !== 0 || at < push + 2 || at >= push + 2 + WORD_DIGITS) return false;
    at = push + 2 + WORD_DIGITS;
  }
}

function nextDifference(one: string, other: string, from: number): number {
  const length = Math.max(one.length, other.length);
  for (let at = from; at < length; at += 1) if (one[at] !== other[at]) return at;
  return -1;
}

const SHOWN_DIGITS = 16;

function firstDifference(of: FirstDifference["of"], chain: string, compiled: string): FirstDifference {
  return differenceAt(of, Math.floor(nextDifference(chain, compiled, 0) / 2), chain, compiled);
}

function differenceAt(of: FirstDifference["of"], at: number, chain: string, compiled: string): FirstDifference {
  const shown = (code: string): string => code.slice(2 * at, 2 * at + SHOWN_DIGITS);
  return { of, at, chain: shown(chain), compiled: shown(compiled) };
}

/** Returns the first byte at which the arguments are not those of the constructor, or not the expected ones. */
function argumentFault(
  tail: Hex,
  parameters: readonly AbiParameter[],
  expected: Hex | undefined,
): FirstDifference | undefined {
  if (expected !== undefined) return tail === expected ? undefined : firstDifference("arguments", tail, expected);
  const values = tryDecode(parameters, hexToBytes(tail));
  if (values === undefined) return { of: "arguments", at: 0, chain: tail.slice(0, SHOWN_DIGITS), compiled: "" };
  const again = encodeAbi(parameters, values as readonly AbiInput[]);
  return again === tail ? undefined : firstDifference("arguments", tail, again);
}

function bytesAt(code: string, range: ByteRange | undefined): string {
  return range === undefined ? "" : code.slice(2 * range.start, 2 * (range.start + range.length));
}

function withZeros(code: string, ranges: readonly ByteRange[]): string {
  if (ranges.length === 0) return code;
  const sorted = [...ranges].sort((one, other) => one.start - other.start);
  const parts: string[] = [];
  let at = 0;
  for (const { start, length } of sorted) {
    const end = Math.min(2 * (start + length), code.length);
    if (2 * start < at || 2 * start >= code.length) continue;
    parts.push(code.slice(at, 2 * start), "0".repeat(end - 2 * start));
    at = end;
  }
  return parts.join("") + code.slice(at);
}
