import { type JsonAbiEntry, readAbi } from "@finality/tron/abi";
import {
  DEEPEST_JSON,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonDepth,
  stripHexPrefix,
} from "@finality/tron/primitives";
import { listOf, objectOf } from "../explain/decode/json.ts";
import type { CompiledCode, CompiledSource, GeneratedSource, OpenBytes } from "./compiled-code.ts";
import { readSyntaxTree, type SyntaxTree } from "./syntax-tree.ts";

/** Source of a compilation, and the number that source maps have for it. */
export interface NumberedSource extends CompiledSource {
  readonly file: number;
}

/** Fields of an artifact with source maps, before the numbers of its sources are known. */
export interface MappedContract {
  readonly contract: string;
  readonly path: string;
  readonly abi: readonly JsonAbiEntry[];
  readonly creation: MappedBytecode | undefined;
  readonly runtime: MappedBytecode | undefined;
  readonly storageLayout: Json | undefined;
  readonly transientLayout: Json | undefined;
  readonly stripsReasons: boolean;
  readonly isViaIr: boolean;
  readonly isUnoptimized: boolean;
}

type CompilerSettings = Pick<MappedContract, "stripsReasons" | "isViaIr" | "isUnoptimized">;

interface MappedBytecode {
  readonly code: string;
  readonly sourceMap: string;
  readonly open: CompiledCode["open"];
  readonly immutables: CompiledCode["immutables"];
  readonly generated: readonly GeneratedSource[];
}

/** Contents of a file with source maps. `own` is the number of the source of a file that holds one contract. */
export type MappedFile =
  /** Complete output of a compiler. */
  | {
      readonly kind: "output";
      readonly contracts: readonly MappedContract[];
      readonly sources: readonly NumberedSource[];
    }
  /** One contract of a compilation whose other files name the other sources. */
  | {
      readonly kind: "artifact";
      readonly tool: "foundry" | "truffle";
      readonly contract: MappedContract;
      readonly own: NumberedSource | undefined;
      readonly hashes: ReadonlyMap<string, string>;
    }
  /** Names of sources by number, or input of a compiler, whose output is in another file. */
  | { readonly kind: "sources"; readonly build: string; readonly sources: readonly NumberedSource[] }
  | { readonly kind: "input"; readonly build: string; readonly texts: ReadonlyMap<string, string> }
  | {
      readonly kind: "output-of-input";
      readonly build: string;
      readonly contracts: readonly MappedContract[];
      readonly sources: readonly NumberedSource[];
    };

/**
 * Parses a file with source maps; undefined for any other file. It is output of solc (standard JSON or
 * `combined.json`), build information of Hardhat or Foundry, or an artifact of Foundry, Truffle or TronBox.
 */
export function readMappedFile(text: string): MappedFile | undefined {
  if (jsonDepth(text) > DEEPEST_JSON) return undefined;
  const json = parseFile(text);
  if (!isJsonObject(json)) return undefined;
  return readBuild(json) ?? readFoundry(json) ?? readTruffle(json);
}

/** Parses the JSON of a file; undefined if it is none. */
export function parseFile(text: string): Json | undefined {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch {
    return undefined;
  }
}

function readBuild(json: JsonObject): MappedFile | undefined {
  const build = typeof json.id === "string" ? json.id : "";
  const input = objectOf(json.input);
  const output = isJsonObject(json.output) ? json.output : json;
  if (isJsonObject(json.source_id_to_path)) {
    const rows = Object.entries(json.source_id_to_path);
    const sources = rows.flatMap(([file, path]) => (typeof path === "string" ? [{ file: Number(file), path }] : []));
    if (!isJsonObject(output.contracts)) return { kind: "sources", build, sources };
  }
  const texts = textsOf(input.sources);
  if (!isJsonObject(output.contracts)) return texts.size > 0 ? { kind: "input", build, texts } : undefined;
  const settings = readSettings(input.settings);
  const contracts = Object.entries(output.contracts).flatMap(([path, named]) => contractsOf(path, named, settings));
  if (contracts.length === 0) return undefined;
  const sources = numberedSources(output, texts);
  if (texts.size === 0 && build !== "") return { kind: "output-of-input", build, contracts, sources };
  return { kind: "output", contracts, sources };
}

function contractsOf(path: string, named: Json | undefined, settings: CompilerSettings): readonly MappedContract[] {
  const combined = objectOf(named);
  if (typeof combined["bin-runtime"] === "string" || typeof combined["srcmap-runtime"] === "string")
    return [combinedContract(path, combined)];
  return Object.entries(combined).flatMap(([contract, json]) => {
    if (!isJsonObject(json) || !isJsonObject(json.evm)) return [];
    const hashed = readSettings(objectOf(metadataOf(json.metadata)).settings);
    const both = {
      stripsReasons: settings.stripsReasons || hashed.stripsReasons,
      isViaIr: settings.isViaIr || hashed.isViaIr,
      isUnoptimized: settings.isUnoptimized || hashed.isUnoptimized,
    };
    return [contractOf({ contract, path }, { ...json, ...json.evm }, both)];
  });
}

/** Entry of `combined.json`: `contracts/Leaf.sol:Leaf`. */
function combinedContract(key: string, json: JsonObject): MappedContract {
  const colon = key.lastIndexOf(":");
  const fields = {
    abi: typeof json.abi === "string" ? (parseFile(json.abi) ?? []) : json.abi,
    bytecode: { object: json.bin, sourceMap: json.srcmap, generatedSources: json["generated-sources"] },
    deployedBytecode: {
      object: json["bin-runtime"],
      sourceMap: json["srcmap-runtime"],
      generatedSources: json["generated-sources-runtime"],
    },
    storageLayout: json["storage-layout"],
  };
  return contractOf(
    { contract: key.slice(colon + 1), path: key.slice(0, Math.max(colon, 0)) },
    fields,
    readSettings(undefined),
  );
}

function contractOf(
  named: Pick<MappedContract, "contract" | "path">,
  json: JsonObject,
  settings: CompilerSettings,
): MappedContract {
  return {
    ...named,
    abi: readAbi(json.abi) ?? [],
    creation: bytecodeOf(json.bytecode),
    runtime: bytecodeOf(json.deployedBytecode),
    storageLayout: json.storageLayout,
    transientLayout: json.transientStorageLayout,
    ...settings,
  };
}

function bytecodeOf(json: Json | undefined): MappedBytecode | undefined {
  const { object, linkReferences, immutableReferences, generatedSources, ...debug } = objectOf(json);
  const sourceMap = typeof debug.sourceMap === "string" ? debug.sourceMap : mapOfProgram(debug.ethdebug);
  if (typeof object !== "string" || sourceMap === undefined || object === "") return undefined;
  const { code, open } = closedCode(stripHexPrefix(object));
  return {
    code,
    sourceMap,
    open: [
      ...open,
      ...Object.values(objectOf(linkReferences)).flatMap((named) => Object.values(objectOf(named)).flatMap(placesOf)),
      ...Object.values(objectOf(immutableReferences)).flatMap(placesOf),
    ],
    immutables: new Map(
      Object.entries(objectOf(immutableReferences)).map(([id, json]) => [Number(id), placesOf(json)] as const),
    ),
    generated: listOf(generatedSources).flatMap(readGenerated),
  };
}

/**
 * Returns the ranges of an ETHDebug program (solc 0.8.29 and later) in the form of a source map; undefined without
 * instructions. A program does not mark jumps into functions.
 */
function mapOfProgram(json: Json | undefined): string | undefined {
  const instructions = listOf(objectOf(json).instructions);
  if (instructions.length === 0) return undefined;
  const entries = instructions.map((instruction) => {
    const { range, source } = objectOf(objectOf(objectOf(instruction).context).code);
    const { offset, length } = objectOf(range);
    const { id } = objectOf(source);
    const isRange = typeof offset === "number" && typeof length === "number" && typeof id === "number";
    return isRange ? `${offset}:${length}:${id}:-` : "0:0:-1:-";
  });
  return entries.join(";");
}

const PLACEHOLDER = /__.{38}/g;
const ADDRESS_BYTES = 20;
/** Code of a library begins with its own address, which is known when it is deployed. */
const LIBRARY = `73${"00".repeat(ADDRESS_BYTES)}3014`;

function closedCode(object: string): Pick<MappedBytecode, "code" | "open"> {
  const placeholders = [...object.matchAll(PLACEHOLDER)].map(({ index }) => ({
    start: index / 2,
    length: ADDRESS_BYTES,
  }));
  const code = object.replaceAll(PLACEHOLDER, "00".repeat(ADDRESS_BYTES)).toLowerCase();
  return {
    code,
    open: code.startsWith(LIBRARY) ? [...placeholders, { start: 1, length: ADDRESS_BYTES }] : placeholders,
  };
}

function placesOf(json: Json | undefined): readonly OpenBytes[] {
  return listOf(json).flatMap((range) => {
    const { start, length } = objectOf(range);
    return typeof start === "number" && typeof length === "number" ? [{ start, length }] : [];
  });
}

function readGenerated(json: Json): readonly GeneratedSource[] {
  const { id, name, contents } = objectOf(json);
  if (typeof id !== "number" || typeof name !== "string") return [];
  return [{ file: id, name, text: typeof contents === "string" ? contents : "" }];
}

function numberedSources(output: JsonObject, texts: ReadonlyMap<string, string>): readonly NumberedSource[] {
  const list = listOf(output.sourceList).flatMap((path, file) => (typeof path === "string" ? [{ path, file }] : []));
  const named = Object.entries(objectOf(output.sources)).flatMap(([path, json]) => {
    const { id, ast } = objectOf(json);
    return typeof id === "number" ? [{ path, file: id, ...treeField(ast) }] : [];
  });
  const sources: readonly NumberedSource[] = named.length > 0 ? named : list;
  return sources.map((source) => {
    const text = texts.get(source.path);
    return text === undefined ? source : { ...source, text };
  });
}

/** Reads the syntax tree of a source; nothing without one. */
function treeField(json: Json | undefined): { readonly tree?: SyntaxTree } {
  const tree = readSyntaxTree(json);
  return tree === undefined ? {} : { tree };
}

function textsOf(sources: Json | undefined): ReadonlyMap<string, string> {
  const rows = Object.entries(objectOf(sources)).flatMap(([path, json]) => {
    const { content } = objectOf(json);
    return typeof content === "string" ? [[path, content] as const] : [];
  });
  return new Map(rows);
}

/** Reads an artifact of Foundry, whose `id` is the number of its source. */
function readFoundry(json: JsonObject): MappedFile | undefined {
  if (!isJsonObject(json.bytecode) || json.abi === undefined) return undefined;
  const metadata = objectOf(metadataOf(json.metadata ?? json.rawMetadata));
  const settings = objectOf(metadata.settings);
  const [target] = Object.entries(objectOf(settings.compilationTarget));
  const { absolutePath } = objectOf(json.ast);
  const path = target?.[0] ?? (typeof absolutePath === "string" ? absolutePath : undefined);
  const name = target?.[1];
  if (path === undefined || typeof name !== "string") return undefined;
  const contract = contractOf({ contract: name, path }, json, readSettings(settings));
  if (contract.runtime === undefined && contract.creation === undefined) return undefined;
  const hashes = hashesOf(metadata.sources);
  const own =
    typeof json.id === "number"
      ? { file: json.id, path, ...hashField(hashes.get(path)), ...treeField(json.ast) }
      : undefined;
  return { kind: "artifact", tool: "foundry", contract, own, hashes };
}

/** Reads an artifact of Truffle or TronBox, whose syntax tree has the number of its source. */
function readTruffle(json: JsonObject): MappedFile | undefined {
  const { contractName, sourcePath, source, bytecode, deployedBytecode } = json;
  if (typeof contractName !== "string" || typeof json.deployedSourceMap !== "string") return undefined;
  if (typeof bytecode !== "string") return undefined;
  const metadata = objectOf(metadataOf(json.metadata));
  const hashes = hashesOf(metadata.sources);
  const path = typeof sourcePath === "string" ? sourcePath : contractName;
  const fields = {
    abi: json.abi,
    bytecode: { object: bytecode, sourceMap: json.sourceMap, generatedSources: json.generatedSources },
    deployedBytecode: {
      object: deployedBytecode,
      sourceMap: json.deployedSourceMap,
      generatedSources: json.deployedGeneratedSources,
      immutableReferences: json.immutableReferences,
    },
    storageLayout: json.storageLayout,
  };
  const contract = contractOf({ contract: contractName, path }, fields, readSettings(metadata.settings));
  const file = numberInTree(json.ast) ?? numberInTree(json.legacyAST) ?? (hashes.size === 1 ? 0 : undefined);
  const text = typeof source === "string" ? { text: source } : {};
  const own = file === undefined ? undefined : { file, path, ...text, ...treeField(json.ast) };
  return { kind: "artifact", tool: "truffle", contract, own, hashes };
}

/** Returns the number of a source from the range of its tree: `0:1234:3`. */
function numberInTree(tree: Json | undefined): number | undefined {
  const { src } = objectOf(tree);
  const [, file] = /^\d+:\d+:(\d+)$/.exec(typeof src === "string" ? src : "") ?? [];
  return file === undefined ? undefined : Number(file);
}

function hashesOf(sources: Json | undefined): ReadonlyMap<string, string> {
  const rows = Object.entries(objectOf(sources)).flatMap(([path, json]) => {
    const { keccak256 } = objectOf(json);
    return typeof keccak256 === "string" ? [[path, stripHexPrefix(keccak256).toLowerCase()] as const] : [];
  });
  return new Map(rows);
}

export function hashField(hash: string | undefined): { readonly hash?: string } {
  return hash === undefined ? {} : { hash };
}

function metadataOf(json: Json | undefined): Json | undefined {
  return typeof json === "string" ? parseFile(json) : json;
}

function readSettings(settings: Json | undefined): CompilerSettings {
  const { debug, viaIR, optimizer } = objectOf(settings);
  const { enabled, details } = objectOf(optimizer);
  return {
    stripsReasons: objectOf(debug).revertStrings === "strip",
    isViaIr: viaIR === true,
    isUnoptimized: isJsonObject(settings) && enabled !== true && details === undefined,
  };
}
