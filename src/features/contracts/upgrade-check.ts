import { compareCode, readCompilerOutput, readUpgradeCheck, type UpgradeCheck } from "@finality/client/contracts";
import type { WorkspaceContract } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { type JsonObject, parseJson, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type CompiledVersion, findUpgradesCore, runUpgradeCheck } from "../../host/compiler/check-upgrade.ts";
import { runCompiler } from "../../host/compiler/run-compiler.ts";
import type { ContractDescription } from "./known-contracts.ts";
import { type ContractSource, foldersOf, sourceOfContract } from "./source-of-contract.ts";

/** Implementation on the chain, with the artifact of its source. */
interface Implementation {
  readonly contract: ContractDescription;
  readonly artifact: WorkspaceContract;
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
    ...(before && { before: await compiledVersion(before, signal) }),
    after: await compiledVersion(after, signal),
    kind,
  };
  return readUpgradeCheck(parseJson(await runUpgradeCheck(folder, upgrade, signal)));
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
async function compiledVersion({ contract, artifact }: Implementation, signal: AbortSignal): Promise<CompiledVersion> {
  const source = await sourceOfContract(artifact);
  const { compiler, build } = source;
  if (compiler === undefined)
    throw refused(t`this computer does not have the compiler ${build.compiler ?? ""} of ${artifact.name}`);
  for (const input of [source.input, source.recorded]) {
    const version = input && (await versionOf(source, input, signal));
    if (version === undefined) continue;
    const compiled = readCompilerOutput(version.output, build.target);
    const { created = "", runtimeCode } = contract.deployed ?? {};
    if (compiled.kind === "failed") throw refused(t`${artifact.name} does not compile: ${compiled.message}`);
    if (compareCode({ created, runtimeCode }, compiled.contract).kind !== "different") return version;
  }
  throw refused(
    t`the source of ${artifact.name} in the workspace is not that of the code at ${toBase58(contract.address)}, so its storage is not known. Keep the deployed version as a contract of its own, and name it`,
  );
}

async function versionOf(
  { compiler, build }: ContractSource,
  input: JsonObject,
  signal: AbortSignal,
): Promise<CompiledVersion | undefined> {
  if (compiler === undefined) return undefined;
  const settings = { ...(input.settings as JsonObject), outputSelection: OUTPUT };
  const complete = { ...input, settings };
  const output = parseJson(await runCompiler(compiler, JSON.stringify(complete), signal));
  const { path, name } = build.target;
  return { input: complete, output, name: `${path}:${name}`, release: compiler.release };
}
