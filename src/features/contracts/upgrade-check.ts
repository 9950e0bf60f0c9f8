import { type ChainCode, compareCode, readCompilerOutput, type UpgradeCheck } from "@finality/client/contracts";
import type { WorkspaceContract } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import {
  type Address,
  bytesToHex,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  sha256,
  toBase58,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import {
  type CompiledVersion,
  findUpgradesCore,
  namespacedInput,
  runUpgradeCheck,
} from "../../host/compiler/check-upgrade.ts";
import type { Compiler } from "../../host/compiler/find-compiler.ts";
import { runCompiler } from "../../host/compiler/run-compiler.ts";
import type { ContractDescription } from "./known-contracts.ts";
import { foldersOf, sourceOfContract } from "./source-of-contract.ts";

/** Implementation with the artifact of its source. */
export interface Implementation {
  readonly code: ChainCode;
  /** Undefined if it is not deployed yet. */
  readonly address?: Address;
  readonly artifact: WorkspaceContract;
}

/** Returns a deployed implementation. @throws {ChainError} `UPGRADE_REFUSED` without an artifact */
export function deployedImplementation(
  { address, deployed }: ContractDescription,
  artifact: WorkspaceContract | undefined,
): Implementation {
  if (artifact === undefined)
    throw refused(t`the workspace has no artifact of the implementation at ${toBase58(address)}`);
  return { address, artifact, code: { created: deployed?.created ?? "", runtimeCode: deployed?.runtimeCode } };
}

/** Upgrade to check; without `before` a first deployment. */
interface Upgrade {
  readonly before?: Implementation;
  readonly after: Implementation;
  readonly kind: "uups" | "transparent";
}

/**
 * Checks an upgrade by the rules of OpenZeppelin, with the package of the workspace. Each source has to give the code
 * that the chain has.
 *
 * @throws {ChainError} `UPGRADE_REFUSED` if a source is not that of the chain, or the package or compiler is missing;
 *   `WORKSPACE_NOT_TRUSTED`
 */
export async function checkOfUpgrade({ before, after, kind }: Upgrade, signal: AbortSignal): Promise<UpgradeCheck> {
  if (!vscode.workspace.isTrusted) throw new ChainError("WORKSPACE_NOT_TRUSTED", { what: "signed" });
  const folder = findUpgradesCore(foldersOf(after.artifact.path));
  if (folder === undefined)
    throw refused(
      t`the workspace does not have the package @openzeppelin/upgrades-core, which compares the storage. Install it with npm install --save-dev @openzeppelin/upgrades-core`,
    );
  const upgrade = {
    ...(before && { before: await compiledVersion(folder, before, signal) }),
    after: await compiledVersion(folder, after, signal),
    kind,
  };
  return await runUpgradeCheck(folder, upgrade, signal);
}

export function refused(reason: string): ChainError {
  return new ChainError("UPGRADE_REFUSED", { reason });
}

/** Output that the check needs. */
const OUTPUT = {
  "*": {
    "*": [
      ...["abi", "metadata", "storageLayout", "evm.methodIdentifiers"],
      ...["evm.bytecode.object", "evm.bytecode.linkReferences"],
      ...["evm.deployedBytecode.object", "evm.deployedBytecode.linkReferences"],
      "evm.deployedBytecode.immutableReferences",
    ],
    "": ["ast"],
  },
};

/** Compiles the source of an implementation: as it is now, else as it was built last. */
async function compiledVersion(
  folder: string,
  { code, address, artifact }: Implementation,
  signal: AbortSignal,
): Promise<CompiledVersion> {
  const source = await sourceOfContract(artifact);
  const { compiler, build } = source;
  if (compiler === undefined)
    throw refused(t`this computer does not have the compiler ${build.compiler ?? ""} of ${artifact.name}`);
  for (const sources of [source.input, source.recorded]) {
    if (sources === undefined) continue;
    const compilation = await compilationOf(compiler, sources, signal);
    const compiled = readCompilerOutput(compilation.output, build.target);
    if (compiled.kind === "failed") throw refused(t`${artifact.name} does not compile: ${compiled.message}`);
    if (compareCode(code, compiled.contract).kind === "different") continue;
    const { input, output } = compilation;
    const version = { input, output, name: `${build.target.path}:${build.target.name}`, release: compiler.release };
    compilation.namespaced ??= await namespacedOutput(folder, compiler, version, signal);
    const { namespaced } = compilation;
    return namespaced === "none" ? version : { ...version, namespaced };
  }
  if (address === undefined)
    throw refused(t`the source of ${artifact.name} changed since its artifact was built; compile it again`);
  throw refused(
    t`the source of ${artifact.name} in the workspace is not that of the code at ${toBase58(address)}, so its storage is not known. Keep the deployed version as a contract of its own, and name it`,
  );
}

/** Input and output of a compiler. */
interface Compilation {
  readonly input: JsonObject;
  readonly output: Json;
  /** Undefined until it is needed. */
  namespaced?: Json;
}

/** Compilations of the last check, because both implementations of a proxy are often in one project. */
const recent = new Map<string, Compilation>();
const MOST_RECENT = 2;
const LONGEST_RECENT = 30_000_000;

async function compilationOf(compiler: Compiler, sources: JsonObject, signal: AbortSignal): Promise<Compilation> {
  const input = { ...sources, settings: { ...(sources.settings as JsonObject), outputSelection: OUTPUT } };
  const text = JSON.stringify(input);
  const key = `${compiler.path} ${bytesToHex(sha256(Buffer.from(text)))}`;
  const found = recent.get(key);
  if (found !== undefined) return found;
  const output = await runCompiler(compiler, text, signal);
  const compilation = { input, output: parseJson(output) };
  if (output.length <= LONGEST_RECENT) recent.set(key, compilation);
  for (const oldest of [...recent.keys()].slice(0, -MOST_RECENT)) recent.delete(oldest);
  return compilation;
}

/** Returns the output with the storage of namespaces, or `none`. @throws {ChainError} `UPGRADE_REFUSED` */
async function namespacedOutput(
  folder: string,
  compiler: Compiler,
  version: CompiledVersion,
  signal: AbortSignal,
): Promise<Json> {
  const input = await namespacedInput(folder, version, signal);
  if (input === undefined) return "none";
  const output = parseJson(await runCompiler(compiler, JSON.stringify(input), signal));
  const error = firstError(output);
  if (error === undefined) return output;
  throw refused(t`the namespaced storage of ${version.name} cannot be read: ${error}`);
}

function firstError(output: Json): string | undefined {
  const errors = isJsonObject(output) && Array.isArray(output.errors) ? output.errors : [];
  const [error] = errors.filter(isJsonObject).filter(({ severity }) => severity === "error");
  return error && String(error.message);
}
