import { isChainError } from "../../errors/chain-error.ts";
import { type AbiCandidate, candidateFromJson, type JsonAbiEntry, keyOf } from "../abi-index.ts";
import type { ArtifactContents, ArtifactContract, ArtifactDeployment } from "./artifact.ts";

/** An error, a function or an event of a contract, by what it is looked up by. */
export interface SummaryEntry {
  readonly key: string;
  readonly kind: AbiCandidate["kind"];
  readonly name: string;
  readonly signature: string;
  /** What else tells entries of one signature apart: which parameters of an event are topics. */
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
}

/** What the index keeps of a file. */
export interface FileSummary {
  /** Relative to the folder of the workspace, with `/`. */
  readonly path: string;
  readonly contracts: readonly ContractSummary[];
  readonly deployments: readonly ArtifactDeployment[];
}

/** Selectors that were computed already, by kind and signature: most contracts share theirs with others. */
export type KnownKeys = Map<string, string>;

/**
 * Prepares the contents of a file for the index. Entries whose types nobody knows are left out.
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

function summariseContract({ name, source, abi, bytecode }: ArtifactContract, keys: KnownKeys): ContractSummary {
  const entries = abi.flatMap((entry, at) => summariseEntry(entry, at, keys) ?? []);
  return { name, source, abi: JSON.stringify(abi), entries, hasBytecode: bytecode !== undefined };
}

function summariseEntry(entry: JsonAbiEntry, at: number, keys: KnownKeys): SummaryEntry | undefined {
  const candidate = tryCandidate(entry);
  if (candidate === undefined) return undefined;
  const { kind, name, signature, indexed, parameters } = candidate;
  const known = `${kind} ${signature}`;
  const key = keys.get(known) ?? keyOf(candidate);
  keys.set(known, key);
  const topics = indexed.map((isTopic) => (isTopic ? "1" : "0")).join("");
  return { key, kind, name, signature, topics, arity: parameters.length, at };
}

/** The candidate of an entry; undefined for those without a selector, and for types that nobody knows. */
export function tryCandidate(entry: JsonAbiEntry, origin = ""): AbiCandidate | undefined {
  try {
    return candidateFromJson(entry, origin);
  } catch (error) {
    if (isChainError(error) && error.code === "ABI_MALFORMED") return undefined;
    throw error;
  }
}
