import * as vscode from "vscode";
import type { ContractServices } from "./services.ts";

/** What a person can do with contracts and tokens: deploy, call, read. */
export function registerContracts(services: ContractServices): vscode.Disposable {
  const { registerCommand } = services;
  const load = async () => (await import("./commands.ts")).createContractCommands(services);
  let loaded: ReturnType<typeof load> | undefined;
  const commands = () => {
    loaded ??= load();
    return loaded;
  };
  return vscode.Disposable.from(
    registerCommand("finality.deployContract", async (argument) => (await commands()).deployContract(argument)),
    registerCommand("finality.callContract", async (argument) => (await commands()).callContract(argument)),
    registerCommand("finality.readContract", async (argument) => (await commands()).readContract(argument)),
    registerCommand("finality.transferTokens", async (argument) => (await commands()).transferTokens(argument)),
    registerCommand("finality.approveTokens", async (argument) => (await commands()).approveTokens(argument)),
    registerCommand("finality.tokenBalance", async (argument) => (await commands()).tokenBalance(argument)),
    registerCommand("finality.showResult", async (argument, given) => (await commands()).showResult(argument, given)),
  );
}
