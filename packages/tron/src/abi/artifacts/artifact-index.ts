import { t } from "@vscode/l10n";
import { type AbiCandidate, type AbiIndex, candidateFromJson, type JsonAbiEntry } from "../abi-index.ts";
import {
  type ArtifactDeployment,
  type ContractSummary,
  type FileSummary,
  type LibraryPlaceholder,
  type SummaryEntry,
  withoutLibraries,
} from "./artifact.ts";

/** Address of a contract, and the file that contains it. */
export interface KnownDeployment extends ArtifactDeployment {
  readonly path: string;
}

/** Contract of the workspace. */
export interface WorkspaceContract {
  readonly name: string;
  /** For display: `Leaf (build/contracts/Leaf.json)`. */
  readonly origin: string;
  /** File of the artifact. */
  readonly path: string;
  readonly source: string | undefined;
  readonly hasBytecode: boolean;
  /** Libraries that have to be linked before it can be deployed. */
  readonly libraries: readonly LibraryPlaceholder[];
  readonly functions: readonly SummaryEntry[];
  /** Parsed from JSON at the first call. */
  abi(): readonly JsonAbiEntry[];
}

interface StoredFile {
  readonly contracts: readonly StoredContract[];
  readonly deployments: readonly ArtifactDeployment[];
}

interface Reference {
  readonly contract: StoredContract;
  readonly entry: SummaryEntry;
}

/**
 * Index of the workspace's artifacts: names of selectors, contracts and deployments. Files are added and removed one by
 * one. A lookup parses only its results.
 */
export class ArtifactIndex implements AbiIndex {
  readonly #files = new Map<string, StoredFile>();
  readonly #byKey = new Map<string, Reference[]>();
  readonly #byName = new Map<string, StoredContract[]>();
  readonly #byAddress = new Map<string, KnownDeployment[]>();

  /** Every contract, in the order in which files were added. */
  get contracts(): readonly WorkspaceContract[] {
    return [...this.#files.values()].flatMap(({ contracts }) => contracts);
  }

  get deployments(): readonly KnownDeployment[] {
    return [...this.#byAddress.values()].flat();
  }

  get fileCount(): number {
    return this.#files.size;
  }

  /** Replaces the content of a file. */
  put(summary: FileSummary): void {
    this.remove(summary.path);
    this.extend(summary);
  }

  /** Adds a part of a file that arrives in several parts. */
  extend(summary: FileSummary): void {
    const { path } = summary;
    const contracts = summary.contracts.map((one) => new StoredContract(one, path));
    const known = this.#files.get(path);
    this.#files.set(path, {
      contracts: [...(known?.contracts ?? []), ...contracts],
      deployments: [...(known?.deployments ?? []), ...summary.deployments],
    });
    for (const contract of contracts) {
      add(this.#byName, contract.name, contract);
      for (const entry of contract.entries) add(this.#byKey, entry.key, { contract, entry });
    }
    for (const one of summary.deployments) add(this.#byAddress, one.address, { ...one, path });
  }

  /** Removes all files at once, in constant time. */
  clear(): void {
    for (const map of [this.#files, this.#byKey, this.#byName, this.#byAddress]) map.clear();
  }

  /** Removes a file; ignores an unknown one. */
  remove(path: string): void {
    const known = this.#files.get(path);
    if (known === undefined) return;
    this.#files.delete(path);
    for (const contract of known.contracts) {
      drop(this.#byName, contract.name, (one) => one === contract);
      for (const { key } of contract.entries) drop(this.#byKey, key, (one) => one.contract === contract);
    }
    for (const { address } of known.deployments) drop(this.#byAddress, address, (one) => one.path === path);
  }

  /**
   * Returns the names of a selector or topic. Equal declarations of several contracts are one candidate; its origin
   * states the count.
   */
  lookup(key: string, contract?: string): readonly AbiCandidate[] {
    const groups = new Map<string, Reference[]>();
    for (const found of this.#byKey.get(key) ?? []) {
      add(groups, `${found.entry.kind} ${found.entry.signature} ${found.entry.topics}`, found);
    }
    const own = contract === undefined ? [] : this.contractsAt(contract).map(({ name }) => name);
    return [...groups.values()]
      .map((group) => ({ group, first: group.find((one) => own.includes(one.contract.name)) }))
      .sort((left, right) => Number(right.first !== undefined) - Number(left.first !== undefined))
      .flatMap(({ group, first = group[0] }) => candidateOf(first, group.length - 1) ?? []);
  }

  /** Several artifacts may have the same name. */
  contractsNamed(name: string): readonly WorkspaceContract[] {
    return this.#byName.get(name) ?? [];
  }

  /** Returns the deployments recorded for an address. The same address can be another contract on another network. */
  deploymentsAt(address: string): readonly KnownDeployment[] {
    return this.#byAddress.get(address) ?? [];
  }

  /** Returns the contracts that deployments place at an address (41…). */
  contractsAt(address: string): readonly WorkspaceContract[] {
    const names = new Set(this.deploymentsAt(address).map(({ contract }) => contract));
    return [...names].flatMap((name) => this.contractsNamed(name));
  }

  /** Returns the deployments of a contract by its name. */
  deploymentsOf(name: string): readonly KnownDeployment[] {
    return this.deployments.filter(({ contract }) => contract === name);
  }

  /** Returns functions by name, and by the number of arguments if given, each with its contract. */
  functionsNamed(name: string, arity?: number): readonly FoundFunction[] {
    return this.contracts.flatMap((contract) =>
      contract.functions
        .filter((one) => one.name === name && (arity === undefined || one.arity === arity))
        .map((entry) => ({ contract, entry })),
    );
  }
}

export interface FoundFunction {
  readonly contract: WorkspaceContract;
  readonly entry: SummaryEntry;
}

class StoredContract implements WorkspaceContract {
  readonly name: string;
  readonly origin: string;
  readonly path: string;
  readonly source: string | undefined;
  readonly hasBytecode: boolean;
  readonly libraries: readonly LibraryPlaceholder[];
  readonly entries: readonly SummaryEntry[];
  readonly #text: string;
  #abi: readonly JsonAbiEntry[] | undefined;

  constructor({ name, source, abi, entries, hasBytecode, libraries }: ContractSummary, path: string) {
    this.name = name;
    this.path = path;
    this.origin = `${name} (${path})`;
    this.source = source;
    this.hasBytecode = hasBytecode;
    this.libraries = libraries;
    this.entries = entries;
    this.#text = abi;
  }

  get functions(): readonly SummaryEntry[] {
    return this.entries.filter(({ kind }) => kind === "function");
  }

  abi(): readonly JsonAbiEntry[] {
    this.#abi ??= JSON.parse(this.#text) as readonly JsonAbiEntry[];
    return this.#abi;
  }
}

function candidateOf(found: Reference | undefined, others: number): AbiCandidate | undefined {
  const json = found?.contract.abi()[found.entry.at];
  if (found === undefined || json === undefined) return undefined;
  const more = others === 0 ? "" : t`, and ${others} more`;
  return candidateFromJson(json, found.contract.origin + more);
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function drop<T>(map: Map<string, T[]>, key: string, isGone: (value: T) => boolean): void {
  const left = (map.get(key) ?? []).filter((value) => !isGone(value));
  if (left.length === 0) map.delete(key);
  else map.set(key, left);
}

/** Compilers append metadata about the sources in CBOR, and its length in 2 bytes. */
const LENGTH_DIGITS = 4;
/** Maximum plausible length: a larger number is code. */
const LONGEST_METADATA = 512;

/**
 * Returns true if a contract was created from the code of an artifact: the creation code on the chain begins with it,
 * followed by the constructor arguments. The metadata that a compiler appends about the sources is ignored.
 *
 * @param created - `smart_contract.bytecode` of the chain, hex; a claim of the gateway.
 * @param bytecode - Creation code of the artifact, hex; unlinked placeholders match any library.
 */
export function isCreatedFrom(created: string, bytecode: string): boolean {
  return withoutLibraries(created, bytecode).startsWith(executableCode(withoutLibraries(bytecode, bytecode)));
}

/**
 * Returns true if the creation code of an artifact has the code of a contract in it. False proves nothing: immutable
 * values and addresses of libraries are only in the code on the chain.
 */
export function hasRuntimeCode(runtimeCode: string, bytecode: string): boolean {
  return runtimeCode !== "" && bytecode.toLowerCase().includes(executableCode(runtimeCode.toLowerCase()));
}

/** Returns code without the metadata at its end. */
export function executableCode(code: string): string {
  const length = Number.parseInt(code.slice(-LENGTH_DIGITS), 16);
  const end = code.length - LENGTH_DIGITS - 2 * length;
  // The metadata is a CBOR map whose first key is a short text.
  const isMap = /^a[1-9]6/.test(code.slice(end, end + 3));
  return length > 0 && length <= LONGEST_METADATA && end > 0 && isMap ? code.slice(0, end) : code;
}
