import { dirname } from "node:path";
import {
  type Compile,
  currentInput,
  type RecordedBuild,
  readCompilerOutput,
  readRecordedBuild,
} from "@finality/client/contracts";
import type { WorkspaceContract } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { type JsonObject, parseJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { findSource, mappedFiles, readSmall } from "../../host/artifacts/source-files.ts";
import { type Compiler, findCompiler, foldersUpTo } from "../../host/compiler/find-compiler.ts";
import { runCompiler } from "../../host/compiler/run-compiler.ts";

/** Source of a contract in the workspace, with the settings of its last build. */
export interface ContractSource {
  readonly build: RecordedBuild;
  /** Standard JSON with the sources that the workspace has now. */
  readonly input: JsonObject;
  /** Sources whose text changed since the build. */
  readonly changed: readonly string[];
  /** Standard JSON as it was built; undefined if nothing changed, or if the build did not store its sources. */
  readonly recorded: JsonObject | undefined;
  /** Undefined if this computer does not have the release of the build. */
  readonly compiler: Compiler | undefined;
}

/**
 * Returns the source of a contract: the settings of its build information, else of the metadata in its artifact, with
 * the current text of each file.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN` if the workspace has no settings, or misses a source
 */
export async function sourceOfContract({ name, source, path }: WorkspaceContract): Promise<ContractSource> {
  const build = await recordedBuild(name, source);
  if (build === undefined) {
    const reason = t`neither its artifact nor a file of build information has the settings of its compiler; compile with build information`;
    throw new ChainError("CONTRACT_UNKNOWN", { contract: name, reason });
  }
  const { input, changed, missing } = await currentInput(build, textInWorkspace);
  if (missing.length > 0) {
    const reason = t`the workspace does not have ${missing.slice(0, 3).join(t`, `)}`;
    throw new ChainError("CONTRACT_UNKNOWN", { contract: name, reason });
  }
  const recorded = changed.length > 0 && build.hashes.size === 0 ? build.input : undefined;
  return { build, input, changed, recorded, compiler: findCompiler(foldersOf(path), build.compiler) };
}

async function recordedBuild(name: string, source: string | undefined): Promise<RecordedBuild | undefined> {
  let fromMetadata: RecordedBuild | undefined;
  for (const uri of (await mappedFiles([name])).slice(0, MOST_FILES)) {
    const isNamed = uri.path.endsWith(`/${name}.json`) || uri.path.includes("/build-info/");
    const text = isNamed ? await readSmall(uri) : undefined;
    const build = text === undefined ? undefined : readRecordedBuild(text, name, source);
    if (build !== undefined && build.hashes.size === 0) return build;
    fromMetadata ??= build;
  }
  return fromMetadata;
}

const MOST_FILES = 60;

/** Hardhat 3 names the sources of a project `project/contracts/Leaf.sol`. */
async function textInWorkspace(path: string): Promise<string | undefined> {
  const uri = (await findSource(path)) ?? (await findSource(path.replace(/^project\//, "")));
  return uri && (await readSmall(uri));
}

/** Returns the folder of an artifact and those above it, then the other folders of the workspace. */
export function foldersOf(path: string): readonly string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return folders.flatMap(({ uri }) => {
    const file = vscode.Uri.joinPath(uri, path).fsPath;
    return foldersUpTo(dirname(file), uri.fsPath);
  });
}

/**
 * Returns a function that compiles in a process of its own. It refuses in Restricted Mode, because the compiler may
 * come from the workspace.
 */
export function compileWith({ build, compiler }: ContractSource, path: string, signal: AbortSignal): Compile {
  return async (input, release) => {
    if (!vscode.workspace.isTrusted) throw new ChainError("WORKSPACE_NOT_TRUSTED", { what: "read" });
    const chosen = release === undefined ? compiler : findCompiler(foldersOf(path), release);
    if (chosen === undefined) return undefined;
    const output = await runCompiler(chosen, JSON.stringify(input), signal);
    return readCompilerOutput(parseJson(output), build.target);
  };
}
