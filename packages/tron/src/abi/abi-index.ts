import type { Hex } from "../primitives/bytes.ts";
import { type AbiSignature, isAbiName, parseSignature, selectorOf, signatureText, topicOf } from "./abi-signature.ts";
import { type AbiParameter, type JsonParameter, parameterFromJson, unlessMalformed } from "./abi-type.ts";

/** Error, function or event that a selector may stand for, with its source. */
export interface AbiCandidate extends AbiSignature {
  readonly kind: "error" | "function" | "event";
  /** Canonical signature. */
  readonly signature: string;
  /** Result types of a function; empty for errors and events. */
  readonly outputs: readonly AbiParameter[];
  /** For events: which parameters are topics. */
  readonly indexed: readonly boolean[];
  /** Source of the name, shown to the user: `Token (artifacts/Token.json)`, `@openzeppelin/contracts 5.6.1`. */
  readonly origin: string;
}

/**
 * Names of selectors. Several candidates mean a collision, or one name from several places; the best one comes first.
 */
export interface AbiIndex {
  /**
   * @param key - Eight hex digits for errors and functions, 64 for events; lower case.
   * @param contract - 41…: an index with deployments puts the names of that contract first.
   */
  lookup(key: string, contract?: string): readonly AbiCandidate[];
}

/** ABI entry as JSON; the chain's own ABI spells the type with a capital. */
export interface JsonAbiEntry {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly inputs?: readonly (JsonParameter & { readonly indexed?: boolean | undefined })[] | undefined;
  readonly outputs?: readonly JsonParameter[] | undefined;
  readonly stateMutability?: string | undefined;
  readonly anonymous?: boolean | undefined;
  /** As in compilers before 0.5. */
  readonly constant?: boolean | undefined;
  readonly payable?: boolean | undefined;
}

/**
 * Returns the candidate of an ABI entry. Undefined for constructors, fallback and receive functions, unknown types, and
 * names that no compiler accepts: such a name would read like a sentence of the product.
 */
export function candidateFromJson(entry: JsonAbiEntry, origin: string): AbiCandidate | undefined {
  return unlessMalformed(() => readCandidate(entry, origin));
}

function readCandidate(entry: JsonAbiEntry, origin: string): AbiCandidate | undefined {
  const kind = (entry.type ?? "function").toLowerCase();
  if (kind !== "error" && kind !== "function" && kind !== "event") return undefined;
  if (entry.name === undefined || !isAbiName(entry.name)) return undefined;
  const parameters = (entry.inputs ?? []).map((one) => parameterFromJson(one));
  return {
    kind,
    name: entry.name,
    parameters,
    signature: signatureText({ name: entry.name, parameters }),
    outputs: (entry.outputs ?? []).map((one) => parameterFromJson(one)),
    indexed: (entry.inputs ?? []).map((one) => one.indexed === true),
    origin,
  };
}

/**
 * Returns the candidate of an error or a function that is known by its signature alone.
 *
 * @throws {ChainError} `ABI_MALFORMED`
 */
export function candidateFromSignature(kind: "error" | "function", text: string, origin: string): AbiCandidate {
  const { name, parameters } = parseSignature(text);
  const signature = signatureText({ name, parameters });
  return { kind, name, parameters, signature, outputs: [], indexed: [], origin };
}

/** Returns the key of a candidate. */
export function keyOf({ kind, signature }: Pick<AbiCandidate, "kind" | "signature">): Hex {
  return kind === "event" ? topicOf(signature) : selectorOf(signature);
}

/** Returns an index of the candidates, in their order. */
export function createAbiIndex(candidates: Iterable<AbiCandidate>): AbiIndex {
  const byKey = new Map<string, AbiCandidate[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [candidate]);
    else known.push(candidate);
  }
  return { lookup: (key) => byKey.get(key) ?? [] };
}

/** Combines indexes: results of the first one come first. */
export function joinAbiIndexes(...indexes: readonly AbiIndex[]): AbiIndex {
  return { lookup: (key, contract) => indexes.flatMap((index) => index.lookup(key, contract)) };
}

/** Returns the same index with one signature first if a selector has it, because the user chose it. */
export function preferSignature(index: AbiIndex, signature: string): AbiIndex {
  return {
    lookup: (key, contract) => {
      const found = index.lookup(key, contract);
      const preferred = found.filter((it) => it.signature === signature);
      return preferred.length === 0 ? found : [...preferred, ...found.filter((it) => it.signature !== signature)];
    },
  };
}

/** Text of a dictionary, and its source. */
export interface SignatureRows {
  readonly knownSignatures: string;
  readonly knownOrigins: readonly string[];
}

/**
 * Returns the dictionary as an index. A row is parsed when its selector is looked up; rows that cannot be parsed are
 * ignored.
 */
export function createKnownIndex({ knownSignatures, knownOrigins }: SignatureRows): AbiIndex {
  const rows = new Map<string, string[]>();
  for (const row of knownSignatures.split("\n")) {
    const key = row.slice(0, 8);
    if (key.length === 8) rows.set(key, [...(rows.get(key) ?? []), row.slice(9)]);
  }
  return {
    lookup: (key) => (rows.get(key.slice(0, 8)) ?? []).flatMap((row) => candidateOf(row, key, knownOrigins)),
  };
}

function candidateOf(row: string, key: string, origins: readonly string[]): readonly AbiCandidate[] {
  const [digits = "", letter = "", ...words] = row.split(" ");
  const text = words.join(" ");
  const from = [...digits].map((digit) => origins[Number(digit)] ?? "").join(", ");
  if (letter === "v") return eventOf(text, key, from);
  return key.length === 8 ? [candidateFromSignature(letter === "e" ? "error" : "function", text, from)] : [];
}

function eventOf(text: string, key: string, origin: string): readonly AbiCandidate[] {
  const { name, parameters } = parseSignature(text);
  const signature = signatureText({ name, parameters });
  if (key.length !== 64 || topicOf(signature) !== key) return [];
  return [{ kind: "event", name, parameters, signature, outputs: [], indexed: indexedOf(text), origin }];
}

/** Returns which top-level parameters are indexed. */
function indexedOf(text: string): readonly boolean[] {
  const flags = [false];
  let depth = 0;
  for (const word of text.split(/([(),\s])/)) {
    if (word === "(") depth++;
    if (word === ")") depth--;
    if (word === "," && depth === 1) flags.push(false);
    if (word === "indexed" && depth === 1) flags[flags.length - 1] = true;
  }
  return flags;
}
