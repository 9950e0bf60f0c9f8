import type { WorkspaceContract } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { isJsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { pickValue } from "../../host/prompts/quick-input.ts";
import { contractsOfFile } from "./deployable-file.view.ts";
import { deployableContracts } from "./known-contracts.ts";
import type { ContractServices } from "./services.ts";

type Arguments = CommandArguments["finality.deployContract"];

/**
 * Adds the contract of the file that a menu of the Explorer passed; the user chooses one of several. Returns undefined
 * if the user cancels.
 *
 * @param raw - the argument as received
 * @throws {ChainError} `CONTRACT_UNKNOWN` the file has no contract that can be deployed
 */
export async function withContractOfFile(
  services: ContractServices,
  fields: Arguments,
  raw: unknown,
): Promise<Arguments | undefined> {
  if (!isJsonObject(raw) || raw.kind !== "resource" || typeof raw.uri !== "string") return fields;
  const path = vscode.workspace.asRelativePath(vscode.Uri.parse(raw.uri)).replaceAll("\\", "/");
  const all = await deployableContracts({ services });
  const found = contractsOfFile(all, path);
  const [first] = found;
  if (first === undefined) {
    const reason = t`the workspace has no artifact of it with bytecode; compile it, or add its folder to finality.abi.globs`;
    throw new ChainError("CONTRACT_UNKNOWN", { contract: path, reason });
  }
  if (found.length === 1) return { ...fields, contract: uniqueName(first, all) };
  const items = found.map((it) => ({ label: `$(symbol-class) ${it.name}`, description: it.path, value: it }));
  const picked = await pickValue(
    { title: t`Deploy Contract`, step: 0, totalSteps: 0 },
    { placeholder: t`Which contract?`, items },
  );
  return picked.kind === "value" ? { ...fields, contract: uniqueName(picked.value, all) } : undefined;
}

/** Returns the text that names only this contract: its name, else its source or its artifact. */
function uniqueName(contract: WorkspaceContract, all: readonly WorkspaceContract[]): string {
  const { name, source, path } = contract;
  const texts = [name, source, path].filter((it) => it !== undefined);
  const isUnique = (text: string): boolean =>
    all.filter((it) => [it.name, it.source, it.path].includes(text)).length === 1;
  return texts.find(isUnique) ?? name;
}
