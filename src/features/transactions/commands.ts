import type { Commands } from "../../host/commands/commands.ts";
import { createReplacement, doItAgain } from "./create-replacement.ts";
import { exportProof, recheckProof } from "./proof-files.ts";
import { sendCoins } from "./send-coins.ts";
import { namesOf, type TransactionServices } from "./services.ts";
import {
  copyTxId,
  lookNow,
  openInExplorer,
  sendSameBytesAgain,
  sendSigned,
  sendToAnotherNode,
  stopProof,
  trackTransaction,
} from "./transaction-commands.ts";

/** Implements the commands of this feature. Loaded with the first of them. */
export function createTransactions(services: TransactionServices): { readonly commands: Commands<"transactions"> } {
  const context = { ...services, nameOf: namesOf(services) };
  return {
    commands: {
      "finality.sendCoins": (argument) => sendCoins(services, argument),
      "finality.trackTransaction": (argument) => trackTransaction(services, argument),
      "finality.sendSigned": (argument, raw) => sendSigned(context, argument, raw),
      "finality.sendSameBytesAgain": (argument, raw) => sendSameBytesAgain(context, argument, raw),
      "finality.copyTxId": (argument, raw) => copyTxId(context, argument, raw),
      "finality.openInExplorer": (argument) => openInExplorer(services, argument),
      "finality.lookNow": (argument, raw) => lookNow(context, argument, raw),
      "finality.createReplacement": (argument, raw) => createReplacement(services, argument, raw),
      "finality.doItAgain": (argument, raw) => doItAgain(services, argument, raw),
      "finality.exportProof": (argument, raw) => exportProof(context, argument, raw),
      "finality.stopProof": (argument) => stopProof(context, argument, true),
      "finality.resumeProof": (argument) => stopProof(context, argument, false),
      "finality.recheckProof": (argument, raw) => recheckProof(services, argument, raw),
      "finality.sendToAnotherNode": (argument, raw) => sendToAnotherNode(services, argument, raw),
    },
  };
}
