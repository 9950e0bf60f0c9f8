import * as vscode from "vscode";
import { EqualPayments } from "./equal-payments.ts";
import { sendCoins } from "./send-coins.ts";
import { namesOf, type TransactionServices } from "./services.ts";
import { trackTransaction } from "./track-transaction.ts";
import { copyTxId, lookNow, removeFromList, sendSameBytesAgain } from "./transaction-commands.ts";

/** What a person can do with transactions: send, follow, send again, check, copy, remove. */
export function registerTransactions(services: TransactionServices): vscode.Disposable {
  const { registerCommand, desk } = services;
  const equals = new EqualPayments(() => desk.list());
  const context = { desk, nameOf: namesOf(services) };
  return vscode.Disposable.from(
    registerCommand("finality.sendCoins", (argument) => sendCoins(services, equals, argument)),
    registerCommand("finality.trackTransaction", (argument) => trackTransaction(services, argument)),
    registerCommand("finality.sendSameBytesAgain", (_, given) => sendSameBytesAgain(context, given)),
    registerCommand("finality.lookNow", (argument) => lookNow(context, argument)),
    registerCommand("finality.copyTxId", (argument) => copyTxId(context, argument)),
    registerCommand("finality.removeFromList", (argument) => removeFromList(context, argument)),
  );
}
