import { createReplacement } from "./create-replacement.ts";
import { exportProof } from "./export-proof.ts";
import { type RecheckArguments, recheckProof } from "./recheck-proof.ts";
import { sendCoins } from "./send-coins.ts";
import { sendToAnotherNode } from "./send-to-another-node.ts";
import { namesOf, type TransactionServices } from "./services.ts";
import { trackTransaction } from "./track-transaction.ts";
import { copyTxId, lookNow, removeFromList, sendSameBytesAgain, stopProof } from "./transaction-commands.ts";

/** What the commands do. A part of its own: nobody needs it before the first of them. */
export function createTransactionCommands(services: TransactionServices) {
  const { transactions } = services;
  const context = { ...services, transactions, nameOf: namesOf(services) };
  return {
    sendCoins: (argument: unknown) => sendCoins(services, argument),
    trackTransaction: (argument: unknown) => trackTransaction(services, argument),
    sendSameBytesAgain: (argument: unknown) => sendSameBytesAgain(context, argument),
    lookNow: (argument: unknown) => lookNow(context, argument),
    copyTxId: (argument: unknown) => copyTxId(context, argument),
    createReplacement: (argument: unknown) => createReplacement(services, argument),
    exportProof: (argument: unknown) => exportProof(context, argument),
    stopProof: (argument: unknown, stopped: boolean) => stopProof(context, argument, stopped),
    recheckProof: (argument: RecheckArguments, given: unknown) => recheckProof(services, argument, given),
    sendToAnotherNode: (argument: unknown) => sendToAnotherNode(services, argument),
    removeFromList: (argument: unknown) => removeFromList(context, argument),
  };
}
