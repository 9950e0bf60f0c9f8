import * as vscode from "vscode";
import type { TransactionServices } from "./services.ts";

/** What a person can do with transactions: send, follow, send again, check, copy, remove. */
export function registerTransactions(services: TransactionServices): vscode.Disposable {
  const { registerCommand } = services;
  const commands = loadOnce(services);
  return vscode.Disposable.from(
    registerCommand("finality.sendCoins", async (argument) => (await commands()).sendCoins(argument)),
    registerCommand("finality.trackTransaction", async (argument) => (await commands()).trackTransaction(argument)),
    registerCommand("finality.sendSameBytesAgain", async (argument, raw) =>
      (await commands()).sendSameBytesAgain(argument, raw),
    ),
    registerCommand("finality.lookNow", async (argument) => (await commands()).lookNow(argument)),
    registerCommand("finality.copyTxId", async (argument) => (await commands()).copyTxId(argument)),
    registerCommand("finality.createReplacement", async (argument, raw) =>
      (await commands()).createReplacement(argument, raw),
    ),
    registerCommand("finality.exportProof", async (argument, raw) => (await commands()).exportProof(argument, raw)),
    registerCommand("finality.stopProof", async (argument) => (await commands()).stopProof(argument, true)),
    registerCommand("finality.resumeProof", async (argument) => (await commands()).stopProof(argument, false)),
    registerCommand("finality.recheckProof", async (argument, raw) => (await commands()).recheckProof(argument, raw)),
    registerCommand("finality.sendToAnotherNode", async (argument, raw) =>
      (await commands()).sendToAnotherNode(argument, raw),
    ),
    registerCommand("finality.removeFromList", async (argument) => (await commands()).removeFromList(argument)),
  );
}

/** Loaded with the first command. */
function loadOnce(services: TransactionServices) {
  const load = async () => (await import("./commands.ts")).createTransactionCommands(services);
  let loaded: ReturnType<typeof load> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
