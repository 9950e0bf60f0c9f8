import { bytesToHex, isJsonObject, type Json, type JsonObject, stripHexPrefix } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { objectOf } from "../explain/decode/json.ts";
import { parseFile } from "../traces/read-compiled.ts";
import type { ContractTarget } from "./compiled-contract.ts";

/** Input of solc for one contract, as a build of the workspace recorded it. */
export interface RecordedBuild {
  readonly target: ContractTarget;
  /** Such as `0.8.24+commit.e11b9ed9`; undefined if the build does not tell it. */
  readonly compiler: string | undefined;
  /** Standard JSON. Sources without `content` have to be read from the workspace. */
  readonly input: JsonObject;
  /** Keccak-256 of each source, hex, by path; only of sources without `content`. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** Output that a comparison needs. */
const SELECTED = [
  "abi",
  "metadata",
  "evm.bytecode.object",
  "evm.bytecode.linkReferences",
  "evm.deployedBytecode.object",
  "evm.deployedBytecode.linkReferences",
  "evm.deployedBytecode.immutableReferences",
];

/**
 * Reads the input of a contract from a file of build information (Hardhat, Foundry, Truffle), from standard JSON, or
 * from the metadata in an artifact. Undefined if the file does not have the contract.
 *
 * @param source - path of the source, if known: a build may have several contracts with one name
 */
export function readRecordedBuild(text: string, name: string, source: string | undefined): RecordedBuild | undefined {
  const json = parseFile(text);
  if (!isJsonObject(json)) return undefined;
  return fromBuild(json, name, source) ?? fromMetadata(json, name, source);
}

function fromBuild(json: JsonObject, name: string, source: string | undefined): RecordedBuild | undefined {
  const input = isJsonObject(json.input) ? json.input : json;
  const sources = objectOf(input.sources);
  if (input.language !== "Solidity" || Object.keys(sources).length === 0) return undefined;
  const path = pathIn(json, Object.keys(sources), { name, source });
  if (path === undefined) return undefined;
  const compiler = [json.solcLongVersion, json.solcVersion].find((it) => typeof it === "string" && it !== "");
  const isComplete = Object.values(sources).every((it) => typeof objectOf(it).content === "string");
  if (!isComplete) return undefined;
  return { target: { path, name }, compiler: compiler as string | undefined, input, hashes: new Map() };
}

/** Returns the path of the file with a contract; undefined if several files fit. */
function pathIn(
  { output }: JsonObject,
  paths: readonly string[],
  { name, source }: { readonly name: string; readonly source: string | undefined },
): string | undefined {
  const contracts = objectOf(objectOf(output).contracts);
  const isNamed = (path: string): boolean => source !== undefined && (path === source || path.endsWith(`/${source}`));
  const exact = paths.find((it) => it === source) ?? paths.find(isNamed);
  if (exact !== undefined) return exact;
  const inOutput = Object.keys(contracts).filter((path) => objectOf(contracts[path])[name] !== undefined);
  const byFile = paths.filter((it) => it.endsWith(`/${name}.sol`) || it === `${name}.sol`);
  const [only, ...others] = inOutput.length > 0 ? inOutput : byFile;
  return source === undefined && others.length === 0 ? only : undefined;
}

/** Metadata name each source with its hash, and have all settings. */
function fromMetadata(json: JsonObject, name: string, source: string | undefined): RecordedBuild | undefined {
  const recorded = json.rawMetadata ?? json.metadata;
  const metadata = objectOf(typeof recorded === "string" ? parseFile(recorded) : recorded);
  const { compilationTarget, ...settings } = objectOf(metadata.settings);
  const [[path, target] = []] = Object.entries(objectOf(compilationTarget));
  if (path === undefined || target !== name) return undefined;
  if (source !== undefined && path !== source && !path.endsWith(`/${source}`) && !source.endsWith(`/${path}`))
    return undefined;
  const listed = Object.entries(objectOf(metadata.sources));
  const own = typeof json.source === "string" ? json.source : undefined;
  const sources = listed.map(([file, value]) => {
    const content = objectOf(value).content ?? (file === path ? own : undefined);
    return [file, typeof content === "string" ? { content } : {}] as const;
  });
  const hashes = listed.flatMap(([file, value]) => {
    const { keccak256 } = objectOf(value);
    return typeof keccak256 === "string" ? [[file, stripHexPrefix(keccak256).toLowerCase()] as const] : [];
  });
  const { version } = objectOf(metadata.compiler);
  const input = { language: metadata.language ?? "Solidity", sources: Object.fromEntries(sources), settings };
  const compiler = typeof version === "string" ? version : undefined;
  return { target: { path, name }, compiler, input, hashes: new Map(hashes) };
}

/** Input with other texts for some sources, and the paths whose text differs from the recorded one. */
export interface CurrentInput {
  readonly input: JsonObject;
  readonly changed: readonly string[];
  /** Sources that neither the build nor the workspace has. */
  readonly missing: readonly string[];
}

/** Replaces the sources of a build by the texts that the workspace has now. */
export async function currentInput(
  { input, hashes }: RecordedBuild,
  textOf: (path: string) => Promise<string | undefined>,
): Promise<CurrentInput> {
  const [changed, missing]: [string[], string[]] = [[], []];
  const sources: { [path: string]: Json } = {};
  for (const [path, value] of Object.entries(objectOf(input.sources))) {
    const { content } = objectOf(value);
    const text = (await textOf(path)) ?? (typeof content === "string" ? content : undefined);
    if (text === undefined) missing.push(path);
    else sources[path] = { content: text };
    if (text !== undefined && !isRecorded(text, content, hashes.get(path))) changed.push(path);
  }
  return { input: { ...input, sources }, changed, missing };
}

function isRecorded(text: string, content: Json | undefined, hash: string | undefined): boolean {
  if (typeof content === "string") return text === content;
  return hash === undefined || bytesToHex(keccak_256(Buffer.from(text, "utf8"))) === hash;
}

/** Settings of a compiler that change code. */
export type CompilerSettings = JsonObject;

/** Returns the input with these settings, and with the output that a comparison needs. */
export function inputWith(input: JsonObject, settings: CompilerSettings, { path, name }: ContractTarget): JsonObject {
  const { outputSelection: _, ...own } = objectOf(input.settings);
  return { ...input, settings: { ...own, ...settings, outputSelection: { [path]: { [name]: SELECTED } } } };
}

/**
 * Returns the input that explorers ask for: only the sources that the contract needs.
 *
 * @param metadata - of the compiled contract; without them, all sources stay
 */
export function standardJson(input: JsonObject, metadata: JsonObject | undefined): JsonObject {
  const needed = Object.keys(objectOf(metadata?.sources));
  const sources = Object.entries(objectOf(input.sources)).filter(
    ([path]) => needed.length === 0 || needed.includes(path),
  );
  const { outputSelection: _, ...settings } = objectOf(input.settings);
  const outputSelection = { "*": { "*": ["abi", "evm.bytecode", "evm.deployedBytecode", "metadata"] } };
  return {
    language: input.language ?? "Solidity",
    sources: Object.fromEntries(sources.map(([path, value]) => [path, { content: objectOf(value).content ?? "" }])),
    settings: { ...settings, outputSelection },
  };
}

/** Returns whether the optimizer runs, and for how many runs it optimizes. */
export function optimizerOf(settings: CompilerSettings): { readonly enabled: boolean; readonly runs: number } {
  const { enabled, runs } = objectOf(settings.optimizer);
  return { enabled: enabled === true, runs: typeof runs === "number" ? runs : USUAL_RUNS };
}

const USUAL_RUNS = 200;

/** Returns the settings of an input. */
export function settingsOf(input: JsonObject): CompilerSettings {
  return objectOf(input.settings);
}

/** Returns the libraries that the settings link, as `name → address`. */
export function linkedLibraries(settings: CompilerSettings): readonly (readonly [string, string])[] {
  return Object.values(objectOf(settings.libraries)).flatMap((named) =>
    Object.entries(objectOf(named)).flatMap(([name, address]) =>
      typeof address === "string" ? [[name, stripHexPrefix(address).toLowerCase()] as const] : [],
    ),
  );
}
