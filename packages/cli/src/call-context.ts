import { existsSync, globSync } from "node:fs";
import { join, relative } from "node:path";
import type { BindingContext, CallSite, KnownContract } from "@finality/client/call-sites";
import { callSitesInCallFile, callSitesInSolidity } from "@finality/client/call-sites";
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
const ARTIFACT_FOLDERS = ["artifacts", "build/contracts", "out", "deployments", "broadcast"];

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

/** Returns the contracts, accounts and deployments that calls are bound to on a network. */
export function callContext(
  { index, bytecodes }: Artifacts,
  network: NetworkProfile,
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
  network: NetworkProfile,
  bytecodes: ReadonlyMap<string, string>,
): KnownContract {
  const { name, origin, path } = contract;
  const abi = contract.abi();
  const recorded = index.deploymentsOf(name);
  const best = recorded.find((it) => it.network.toLowerCase() === network.name.toLowerCase()) ?? recorded[0];
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
  readonly site: CallSite;
  readonly file: string;
  readonly line: number;
}

/**
 * Returns the calls of call files and Solidity sources, in order.
 *
 * @throws {CliError} `INPUT_UNREADABLE` a file cannot be read, or has no call
 */
export async function readCalls(files: readonly string[], terminal: Terminal): Promise<readonly CallInFile[]> {
  const calls = await Promise.all(
    files.map(async (file) => {
      const text = await terminal.read(file);
      const sites = file.endsWith(".sol") ? callSitesInSolidity(text) : callSitesInCallFile(text);
      if (sites.length > 0) return sites.map((site) => ({ site, file, line: lineAt(text, site.range.start) }));
      const next = 'A call file has { "calls": [{ "contract", "function", "arguments" }] }; see docs/energy.md.';
      throw new CliError("INPUT_UNREADABLE", { cause: `${file}: it has no call that can be read.`, next });
    }),
  );
  return calls.flat();
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Returns the address of an option or a name of the configuration. @throws {CliError} `USAGE` */
export function addressNamed(name: string, addresses: ReadonlyMap<string, Address>): Address {
  const address = addresses.get(name) ?? addressIn(name);
  if (address !== undefined) return address;
  throw new CliError("USAGE", {
    cause: `"${name}" is neither an address nor a name of "addresses" in the configuration.`,
  });
}
