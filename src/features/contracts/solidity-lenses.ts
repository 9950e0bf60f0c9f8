import { findSolidityContracts } from "@finality/client/call-sites";
import * as vscode from "vscode";
import { ownClick } from "../../host/caller.ts";
import { displaySetting } from "../../host/settings/feature-settings.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import type { ContractServices } from "./services.ts";
import { type LensTarget, solidityLenses } from "./solidity-lenses.view.ts";

/** Returns the lenses of a Solidity source. Makes no request: deployments come from the journal. */
export async function solidityLensesOf(
  { networks, transactions, chains, keys }: ContractServices,
  document: vscode.TextDocument,
): Promise<vscode.CodeLens[]> {
  const { active } = networks;
  if (active === undefined || displaySetting() === "off") return [];
  await transactions.ready();
  const deployed = deploymentsHere({ transactions, chains, keys }, active);
  const targetOf = (name: string): LensTarget | undefined => {
    const address = deployed.find((it) => it.name === name)?.address;
    return address && { network: active.name, address };
  };
  return solidityLenses(findSolidityContracts(document.getText()), targetOf).map((lens) => {
    const at = document.positionAt(lens.offset);
    const { title, tooltip, command, argument } = lens;
    return new vscode.CodeLens(new vscode.Range(at, at), { title, tooltip, command, arguments: [ownClick(argument)] });
  });
}
