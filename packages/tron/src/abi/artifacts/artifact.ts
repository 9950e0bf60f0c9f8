import type { Address } from "../../primitives/address.ts";
import { anyAddressIn } from "../../primitives/any-address.ts";
import { isHexPairs, parseTxId, stripHexPrefix, type TxId } from "../../primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../primitives/json.ts";
import { type AbiCandidate, candidateFromJson, type JsonAbiEntry, keyOf } from "../abi-index.ts";
import type { JsonParameter } from "../abi-type.ts";
import { abiEntries } from "../stored-abi.ts";
import { type LibraryPlaceholder, readUnlinked, type UnlinkedCode } from "./library-links.ts";

/** A contract as a compiler left it. */
export interface ArtifactContract {
  readonly name: string;
  /** The source file, as the tool names it. */
  readonly source?: string;
  readonly abi: readonly JsonAbiEntry[];
  /** Hex without 0x. Absent for interfaces and abstract contracts, and while libraries are not linked. */
  readonly bytecode?: string;
  /** Creation code in which the addresses of libraries are missing. */
  readonly unlinked?: UnlinkedCode;
}

/** Deployment of a contract. */
export interface ArtifactDeployment {
  /** The name of the contract. */
  readonly contract: string;
  readonly address: Address;
  /** As the tool names the network: a number, or a name. */
  readonly network: string;
  readonly txId?: TxId;
}

/** Contents of an artifact file. */
export interface ArtifactContents {
  readonly contracts: readonly ArtifactContract[];
  readonly deployments: readonly ArtifactDeployment[];
}

/**
 * Reads one format; undefined when the file is none of it. `path` is relative to the folder of the workspace, with `/`.
 */
export type ArtifactFormat = (json: JsonObject, path: string) => ArtifactContents | undefined;

export const nothing: ArtifactContents = { contracts: [], deployments: [] };

/** The ABI, or undefined when it is not a list of entries whose types are texts. */
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
 * Creation code as hex without 0x, as a field of its own: nothing when it is empty.
 *
 * @param json - the code, or an object of solc with it and the references to libraries
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
  return unlinked === undefined ? {} : { unlinked };
}

/** An address in base58, as 41…, or as the 20 bytes that tools of other chains write; undefined for anything else. */
export function readAddress(json: Json | undefined): Address | undefined {
  return typeof json === "string" ? anyAddressIn(json) : undefined;
}

/** The id of a transaction, as a field of its own. */
export function txIdField(json: Json | undefined): Pick<ArtifactDeployment, "txId"> {
  const txId = typeof json === "string" ? parseTxId(json) : undefined;
  return txId === undefined ? {} : { txId };
}

/** The source file, as a field of its own. */
export function sourceField(json: Json | undefined): Pick<ArtifactContract, "source"> {
  return typeof json === "string" && json !== "" ? { source: json } : {};
}

/** `Leaf` of `out/Leaf.sol/Leaf.json`. */
export function nameOfFile(path: string): string {
  return (path.split("/").at(-1) ?? path).replace(/\.json$/i, "");
}

/** The name of the folder that a file is in. */
export function folderOf(path: string): string {
  return path.split("/").at(-2) ?? "";
}

/** The fields of an object, as pairs; none when it is no object. */
export function entriesOf(json: Json | undefined): readonly (readonly [string, Json | undefined])[] {
  return isJsonObject(json) ? Object.entries(json) : [];
}

/** An error, a function or an event of a contract, by what it is looked up by. */
export interface SummaryEntry {
  readonly key: string;
  readonly kind: AbiCandidate["kind"];
  readonly name: string;
  readonly signature: string;
  /** Distinguishes entries of one signature: the event parameters that are topics. */
  readonly topics: string;
  /** The number of parameters. */
  readonly arity: number;
  /** Its place in the ABI. */
  readonly at: number;
}

/** A contract as it goes from the thread that reads files to the one that answers: texts and numbers only. */
export interface ContractSummary {
  readonly name: string;
  readonly source: string | undefined;
  /** The ABI as JSON, read again when it is asked for. */
  readonly abi: string;
  readonly entries: readonly SummaryEntry[];
  readonly hasBytecode: boolean;
  /** Libraries whose addresses are missing in the code. */
  readonly libraries: readonly LibraryPlaceholder[];
}

/** Summary of a file that the index stores. */
export interface FileSummary {
  /** Relative to the folder of the workspace, with `/`. */
  readonly path: string;
  readonly contracts: readonly ContractSummary[];
  readonly deployments: readonly ArtifactDeployment[];
}

/** Selectors that were computed already, by kind and signature: most contracts share theirs with others. */
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

/** One message of this size is taken in within a few milliseconds. */
const PART = { entries: 1_000, characters: 400_000 };

/** The same in parts that are small enough to be taken in at once; at least one, the last one with the deployments. */
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
