import { existsSync, globSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import {
  type BindingContext,
  CALL_FILE_SUFFIX,
  type CallFileSite,
  callSitesInCallFile,
  callSitesInSolidity,
  type KnownContract,
  type SetupSite,
  setupSitesInCallFile,
} from "@finality/client/call-sites";
import type { NetworkProfile } from "@finality/client/gateway";
import {
  ArtifactIndex,
  constructorOf,
  functionsOf,
  type KnownKeys,
  readArtifact,
  summarise,
  unlessMalformed,
  type WorkspaceContract,
} from "@finality/tron/abi";
import { type Address, addressIn, toBase58 } from "@finality/tron/primitives";
import { CliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Folders in which tools write artifacts and deployments. */
export const ARTIFACT_FOLDERS = ["artifacts", "build/contracts", "out", "deployments", "broadcast"];

/** Artifacts of a project. */
export interface Artifacts {
  readonly index: ArtifactIndex;
  /** Creation code by file and name of the contract, hex. */
  readonly bytecodes: ReadonlyMap<string, string>;
}

/**
 * Reads the artifacts of `--artifacts`, or of the folders of the common tools in the current folder. Files that are no
 * artifacts are ignored.
 */
export async function readArtifacts(invocation: Invocation, terminal: Terminal): Promise<Artifacts> {
  const named = invocation.texts("artifacts");
  const folders = (named.length === 0 ? ARTIFACT_FOLDERS : named).map((it) => terminal.resolve(it));
  const missing = named.find((it) => !existsSync(terminal.resolve(it)));
  if (missing !== undefined) throw new CliError("INPUT_UNREADABLE", { cause: `${missing}: there is no such folder.` });
  const index = new ArtifactIndex();
  const bytecodes = new Map<string, string>();
  const keys: KnownKeys = new Map();
  for (const file of folders.flatMap((folder) =>
    globSync("**/*.json", { cwd: folder }).map((it) => join(folder, it)),
  )) {
    const path = relative(terminal.resolve("."), file).replaceAll("\\", "/");
    const artifact = readArtifact(await terminal.read(file), path);
    if (artifact.kind !== "artifact") continue;
    index.put(summarise(path, artifact.contents, keys));
    for (const { name, bytecode } of artifact.contents.contracts)
      if (bytecode !== undefined) bytecodes.set(`${path} ${name}`, bytecode);
  }
  return { index, bytecodes };
}

/** Known names and the caller of a run. */
export interface CallParties {
  /** Addresses by the names of the configuration. */
  readonly addresses: ReadonlyMap<string, Address>;
  readonly caller: Address | undefined;
}

/**
 * Returns the contracts, accounts and deployments that calls are bound to on a network.
 *
 * @param network - Undefined for a new chain, which has no contract of a deployment record.
 */
export function callContext(
  { index, bytecodes }: Artifacts,
  network: NetworkProfile | undefined,
  { addresses, caller }: CallParties,
): BindingContext {
  const describe = (contract: WorkspaceContract): KnownContract =>
    describeContract(contract, index, network, bytecodes);
  const addressOf = (name: string): Address | undefined =>
    addresses.get(name) ??
    addressIn(name) ??
    index
      .contractsNamed(name)
      .map(describe)
      .find(({ address }) => address !== undefined)?.address;
  return {
    contractsNamed: (name) => index.contractsNamed(name).map(describe),
    contractsAt: (address) => index.contractsAt(address).map(describe),
    contractsWith: (name) => [...new Set(index.functionsNamed(name).map(({ contract }) => contract))].map(describe),
    addressOf,
    caller: caller && { name: toBase58(caller), address: caller },
    answer: () => undefined,
  };
}

function describeContract(
  contract: WorkspaceContract,
  index: ArtifactIndex,
  network: NetworkProfile | undefined,
  bytecodes: ReadonlyMap<string, string>,
): KnownContract {
  const { name, origin, path } = contract;
  const abi = contract.abi();
  const recorded = network === undefined ? [] : index.deploymentsOf(name);
  const best = recorded.find((it) => it.network.toLowerCase() === network?.name.toLowerCase()) ?? recorded[0];
  return {
    name,
    origin,
    address: best?.address,
    addressSource: best === undefined ? "" : `according to ${best.path}`,
    functions: functionsOf(abi),
    abi,
    creation: unlessMalformed(() => ({ ...constructorOf(abi), signature: "constructor", outputs: [] })),
    bytecode: bytecodes.get(`${path} ${name}`),
  };
}

/** Call of a file, with its line from 1. */
export interface CallInFile {
  readonly site: CallFileSite;
  readonly file: string;
  readonly line: number;
}

/** Calls of a file, and the steps that an embedded chain executes before them. */
export interface CallFileContent {
  readonly file: string;
  readonly text: string;
  readonly setup: readonly (CallInFile & { readonly site: SetupSite })[];
  readonly calls: readonly CallInFile[];
}

/**
 * Returns the calls of call files and Solidity sources, in order. A folder stands for the call files in it.
 *
 * @throws {CliError} `INPUT_UNREADABLE` a file cannot be read, or has no call
 */
export async function readCallFiles(paths: readonly string[], terminal: Terminal): Promise<readonly CallFileContent[]> {
  const files = paths.flatMap((path) => filesIn(path, terminal));
  return await Promise.all(files.map((file) => readCallFile(file, terminal)));
}

/** Returns the calls of `readCallFiles` without their files. */
export async function readCalls(paths: readonly string[], terminal: Terminal): Promise<readonly CallInFile[]> {
  return (await readCallFiles(paths, terminal)).flatMap(({ calls }) => calls);
}

/** @throws {CliError} `INPUT_UNREADABLE` the folder has no call file */
function filesIn(path: string, terminal: Terminal): readonly string[] {
  const folder = terminal.resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const files = globSync(`**/*${CALL_FILE_SUFFIX}`, { cwd: folder, exclude: (name) => name === "node_modules" });
  if (files.length === 0)
    throw new CliError("INPUT_UNREADABLE", { cause: `${path}: it has no file *${CALL_FILE_SUFFIX}.` });
  return files.sort().map((it) => join(path, it).replaceAll("\\", "/"));
}

/** @throws {CliError} `INPUT_UNREADABLE` */
async function readCallFile(file: string, terminal: Terminal): Promise<CallFileContent> {
  const text = await terminal.read(file);
  const isSolidity = file.endsWith(".sol");
  const sites = isSolidity ? callSitesInSolidity(text) : callSitesInCallFile(text);
  const setup = isSolidity ? [] : setupSitesInCallFile(text);
  if (sites.length + setup.length === 0) {
    const next = 'A call file has { "calls": [{ "contract", "function", "arguments" }] }.';
    throw new CliError("INPUT_UNREADABLE", { cause: `${file}: it has no call that can be read.`, next });
  }
  const located = <T extends CallFileSite>(site: T) => ({ site, file, line: positionAt(text, site.range.start).line });
  return { file, text, setup: setup.map(located), calls: sites.map(located) };
}

/** Returns the line and the column of an offset, both from 1. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Returns the address of an option or a name of the configuration. @throws {CliError} `USAGE` */
export function addressNamed(name: string, addresses: ReadonlyMap<string, Address>): Address {
  const address = addresses.get(name) ?? addressIn(name);
  if (address !== undefined) return address;
  throw new CliError("USAGE", {
    cause: `"${name}" is neither an address nor a name of "addresses" in the configuration.`,
  });
}
