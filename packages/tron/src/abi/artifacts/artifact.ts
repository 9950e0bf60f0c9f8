import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Address, addressToBytes, anyAddressIn } from "../../primitives/address.ts";
import { bytesToHex, isHexPairs, parseTxId, stripHexPrefix, type TxId } from "../../primitives/bytes.ts";
import { defined } from "../../primitives/defined.ts";
import { isJsonObject, type Json, type JsonObject } from "../../primitives/json.ts";
import { type AbiCandidate, candidateFromJson, type JsonAbiEntry, keyOf } from "../abi-index.ts";
import type { JsonParameter } from "../abi-type.ts";
import { abiEntries } from "../contract-functions.ts";

/** Compiled contract. */
export interface ArtifactContract {
  readonly name: string;
  /** Source file, as the tool names it. */
  readonly source?: string;
  readonly abi: readonly JsonAbiEntry[];
  /** Hex without 0x. Undefined for interfaces and abstract contracts, and while libraries are not linked. */
  readonly bytecode?: string;
  /** Creation code without the addresses of libraries. */
  readonly unlinked?: UnlinkedCode;
}

/** Deployment of a contract. */
export interface ArtifactDeployment {
  /** Name of the contract. */
  readonly contract: string;
  readonly address: Address;
  /** Network as the tool names it: a number, or a name. */
  readonly network: string;
  readonly txId?: TxId;
}

/** Contents of an artifact file. */
export interface ArtifactContents {
  readonly contracts: readonly ArtifactContract[];
  readonly deployments: readonly ArtifactDeployment[];
}

/** Parses one format; undefined if the file has another one. `path` is relative to the workspace folder, with `/`. */
export type ArtifactFormat = (json: JsonObject, path: string) => ArtifactContents | undefined;

export const nothing: ArtifactContents = { contracts: [], deployments: [] };

/** Returns the ABI, or undefined if it is not a list of entries with text types. */
export function readAbi(abi: Json | undefined): readonly JsonAbiEntry[] | undefined {
  const json = abiEntries(abi);
  return Array.isArray(json) && json.every(isEntry) ? (json as readonly JsonAbiEntry[]) : undefined;
}

function isEntry(json: Json): boolean {
  if (!isJsonObject(json)) return false;
  const { type, name, inputs, outputs } = json;
  return isText(type) && isText(name) && areParameters(inputs, 0) && areParameters(outputs, 0);
}

const MAX_DEPTH = 32;

function areParameters(json: Json | undefined, depth: number): boolean {
  if (json === undefined) return true;
  return depth <= MAX_DEPTH && Array.isArray(json) && json.every((one: Json) => isParameter(one, depth));
}

function isParameter(json: Json, depth: number): json is JsonObject & JsonParameter {
  if (!isJsonObject(json) || typeof json.type !== "string") return false;
  return isText(json.name) && areParameters(json.components, depth + 1);
}

function isText(json: Json | undefined): boolean {
  return json === undefined || typeof json === "string";
}

/**
 * Returns creation code as hex without 0x, as an object field; none if it is empty.
 *
 * @param json - Code, or an object of solc with it and the references to libraries.
 */
export function bytecodeField(
  json: Json | undefined,
  references?: Json,
): Pick<ArtifactContract, "bytecode" | "unlinked"> {
  if (isJsonObject(json)) return bytecodeField(json.object, json.linkReferences);
  if (typeof json !== "string") return {};
  const bytecode = stripHexPrefix(json);
  if (bytecode !== "" && isHexPairs(bytecode)) return { bytecode };
  const unlinked = readUnlinked(bytecode, references);
  return defined({ unlinked });
}

/** Parses an address in base58, as 41…, or as the 20 bytes of tools for other chains; undefined for anything else. */
export function readAddress(json: Json | undefined): Address | undefined {
  return typeof json === "string" ? anyAddressIn(json) : undefined;
}

/** Returns the ID of a transaction, as an object field. */
export function txIdField(json: Json | undefined): Pick<ArtifactDeployment, "txId"> {
  const txId = typeof json === "string" ? parseTxId(json) : undefined;
  return defined({ txId });
}

/** Returns the source file, as an object field. */
export function sourceField(json: Json | undefined): Pick<ArtifactContract, "source"> {
  return typeof json === "string" && json !== "" ? { source: json } : {};
}

/** Returns `Leaf` for `out/Leaf.sol/Leaf.json`. */
export function nameOfFile(path: string): string {
  return (path.split("/").at(-1) ?? path).replace(/\.json$/i, "");
}

/** Returns the name of the folder of a file. */
export function folderOf(path: string): string {
  return path.split("/").at(-2) ?? "";
}

/** Returns the fields of an object, as pairs; none if it is no object. */
export function entriesOf(json: Json | undefined): readonly (readonly [string, Json | undefined])[] {
  return isJsonObject(json) ? Object.entries(json) : [];
}

/** Error, function or event of a contract, with its lookup key. */
export interface SummaryEntry {
  readonly key: string;
  readonly kind: AbiCandidate["kind"];
  readonly name: string;
  readonly signature: string;
  /** Distinguishes entries of one signature: the event parameters that are topics. */
  readonly topics: string;
  /** The number of parameters. */
  readonly arity: number;
  /** Index in the ABI. */
  readonly at: number;
}

/** Contract as passed between threads: strings and numbers only. */
export interface ContractSummary {
  readonly name: string;
  readonly source: string | undefined;
  /** ABI as JSON, parsed on demand. */
  readonly abi: string;
  readonly entries: readonly SummaryEntry[];
  readonly hasBytecode: boolean;
  /** Libraries whose addresses are missing in the code. */
  readonly libraries: readonly LibraryPlaceholder[];
}

/** Summary of a file that the index stores. */
export interface FileSummary {
  /** Relative to the workspace folder, with `/`. */
  readonly path: string;
  readonly contracts: readonly ContractSummary[];
  readonly deployments: readonly ArtifactDeployment[];
}

/** Computed selectors, by kind and signature, because most contracts share signatures. */
export type KnownKeys = Map<string, string>;

/**
 * Prepares the contents of a file for the index. Entries with unknown types are omitted.
 *
 * @param keys - grows with each new signature
 */
export function summarise(path: string, contents: ArtifactContents, keys: KnownKeys): FileSummary {
  const contracts = contents.contracts.map((contract) => summariseContract(contract, keys));
  return { path, contracts, deployments: contents.deployments };
}

/** Size of one message, which is processed within a few milliseconds. */
const PART = { entries: 1_000, characters: 400_000 };

/**
 * Splits it into parts that are small enough to be processed at once; at least one, the last one with the deployments.
 */
export function* inParts({ path, contracts, deployments }: FileSummary): Generator<FileSummary, void> {
  let part: ContractSummary[] = [];
  let entries = 0;
  let characters = 0;
  for (const contract of contracts) {
    part.push(contract);
    entries += contract.entries.length;
    characters += contract.abi.length;
    if (entries < PART.entries && characters < PART.characters) continue;
    yield { path, contracts: part, deployments: [] };
    [part, entries, characters] = [[], 0, 0];
  }
  yield { path, contracts: part, deployments };
}

function summariseContract(contract: ArtifactContract, keys: KnownKeys): ContractSummary {
  const { name, source, abi, bytecode, unlinked } = contract;
  const entries = abi.flatMap((entry, at) => summariseEntry(entry, at, keys) ?? []);
  const libraries = unlinked?.libraries ?? [];
  return { name, source, abi: JSON.stringify(abi), entries, hasBytecode: bytecode !== undefined, libraries };
}

function summariseEntry(entry: JsonAbiEntry, at: number, keys: KnownKeys): SummaryEntry | undefined {
  const candidate = candidateFromJson(entry, "");
  if (candidate === undefined) return undefined;
  const { kind, name, signature, indexed, parameters } = candidate;
  const known = `${kind} ${signature}`;
  const key = keys.get(known) ?? keyOf(candidate);
  keys.set(known, key);
  const topics = indexed.map((isTopic) => (isTopic ? "1" : "0")).join("");
  return { key, kind, name, signature, topics, arity: parameters.length, at };
}

/** Library whose address is missing in the code of a contract. */
export interface LibraryPlaceholder {
  /** Placeholder in the bytecode: 40 characters. */
  readonly placeholder: string;
  /** Undefined if the artifact contains only a hash, which `isLibrary` compares. */
  readonly name?: string;
  /** Source file, if the artifact contains it. */
  readonly source?: string;
}

/** Code with placeholders, and their libraries, each once. */
export interface UnlinkedCode {
  readonly code: string;
  readonly libraries: readonly LibraryPlaceholder[];
}

/** `__$`, 34 digits of a hash and `$__` since solc 0.5; `__` and a name, padded with `_`, before and in TronBox. */
const PLACEHOLDER = /__.{38}/g;
const HASHED = /^__\$([0-9a-f]{34})\$__$/i;

/** Returns code without 0x and its libraries; undefined for text that is not code even after linking. */
export function readUnlinked(code: string, references?: Json): UnlinkedCode | undefined {
  const found = [...code.matchAll(PLACEHOLDER)].map(({ 0: placeholder, index }) => ({ placeholder, at: index / 2 }));
  if (found.length === 0 || !isHexPairs(code.replaceAll(PLACEHOLDER, "00".repeat(20)))) return undefined;
  const known = new Map(found.map(({ placeholder, at }) => [placeholder, referenceAt(references, at)] as const));
  const libraries = [...known].map(([placeholder, reference]) => ({
    placeholder,
    ...(reference ?? nameInside(placeholder)),
  }));
  return { code, libraries };
}

type LibraryName = Pick<LibraryPlaceholder, "name" | "source">;

/** `{"contracts/Lib.sol": {"Lib": [{"start": 12, "length": 20}]}}`, in bytes. */
function referenceAt(references: Json | undefined, at: number): LibraryName | undefined {
  for (const [source, libraries] of Object.entries(isJsonObject(references) ? references : {}))
    for (const [name, places] of Object.entries(isJsonObject(libraries) ? libraries : {}))
      if (Array.isArray(places) && places.some((it: Json) => isJsonObject(it) && it.start === at))
        return { name, source };
  return undefined;
}

/** `__Lib___…` and `__contracts/Lib.sol:Lib___…`, possibly truncated. */
function nameInside(placeholder: string): LibraryName {
  if (HASHED.test(placeholder)) return {};
  const text = placeholder.slice(2).replace(/_+$/, "");
  const colon = text.lastIndexOf(":");
  return colon < 0 ? { name: text } : { name: text.slice(colon + 1), source: text.slice(0, colon) };
}

/** Returns whether a contract is the library that a placeholder stands for. */
export function isLibrary(
  { placeholder, name, source }: LibraryPlaceholder,
  contract: { readonly name: string; readonly source: string | undefined },
): boolean {
  const [, hash] = HASHED.exec(placeholder) ?? [];
  const full = contract.source === undefined ? contract.name : `${contract.source}:${contract.name}`;
  if (hash !== undefined && hashOf(full) === hash.toLowerCase()) return true;
  if (hash === undefined && [full, contract.name].some((it) => placeholderOf(it) === placeholder)) return true;
  if (name === undefined || name !== contract.name) return false;
  return source === undefined || contract.source === undefined || isSameFile(contract.source, source);
}

/** Format of compilers before 0.5, which truncate long names. */
function placeholderOf(name: string): string {
  return `__${name.slice(0, 36)}`.padEnd(40, "_");
}

function hashOf(name: string): string {
  return bytesToHex(keccak_256(Buffer.from(name, "utf8"))).slice(0, 34);
}

/** Tools write a source file as an absolute or a relative path. */
function isSameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

/** Returns the name of a library for display; its placeholder if the artifact has no name. */
export function libraryName({ name, placeholder }: LibraryPlaceholder): string {
  return name ?? placeholder;
}

/** Returns the code with the addresses of its libraries. */
export function linkCode(code: string, addresses: ReadonlyMap<string, Address>): string {
  return code.replaceAll(PLACEHOLDER, (placeholder) => {
    const address = addresses.get(placeholder);
    return address === undefined ? placeholder : bytesToHex(addressToBytes(address)).slice(2);
  });
}

/** Returns code in lower case with zeros at the library placeholders of the other code. */
export function withoutLibraries(code: string, unlinked: string): string {
  let text = code.toLowerCase();
  for (const { 0: placeholder, index } of unlinked.matchAll(PLACEHOLDER))
    text = text.slice(0, index) + "0".repeat(placeholder.length) + text.slice(index + placeholder.length);
  return text;
}
