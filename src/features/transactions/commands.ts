import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { createReplacement } from "./create-replacement.ts";
import { exportProof } from "./export-proof.ts";
import { recheckProof } from "./recheck-proof.ts";
import { sendCoins } from "./send-coins.ts";
import { sendToAnotherNode } from "./send-to-another-node.ts";
import { namesOf, type TransactionServices } from "./services.ts";
import { trackTransaction } from "./track-transaction.ts";
import { copyTxId, lookNow, removeFromList, sendSameBytesAgain, stopProof } from "./transaction-commands.ts";

type Arguments<Name extends string> = CommandArguments[`finality.${Name}` & keyof CommandArguments];

/** What the commands do. A part of its own: nobody needs it before the first of them. */
export function createTransactionCommands(services: TransactionServices) {
  const { desk } = services;
  const context = { ...services, desk, nameOf: namesOf(services) };
  return {
    sendCoins: (argument: Arguments<"sendCoins">) => sendCoins(services, argument),
    trackTransaction: (argument: Arguments<"trackTransaction">) => trackTransaction(services, argument),
    sendSameBytesAgain: (argument: Arguments<"sendSameBytesAgain">, raw: unknown) =>
      sendSameBytesAgain(context, argument, raw),
    lookNow: (argument: Arguments<"lookNow">) => lookNow(context, argument),
    copyTxId: (argument: Arguments<"copyTxId">) => copyTxId(context, argument),
    createReplacement: (argument: Arguments<"createReplacement">, raw: unknown) =>
      createReplacement(services, argument, raw),
    exportProof: (argument: Arguments<"exportProof">, raw: unknown) => exportProof(context, argument, raw),
    stopProof: (argument: Arguments<"stopProof">, stopped: boolean) => stopProof(context, argument, stopped),
    recheckProof: (argument: Arguments<"recheckProof">, raw: unknown) => recheckProof(services, argument, raw),
    sendToAnotherNode: (argument: Arguments<"sendToAnotherNode">, raw: unknown) =>
      sendToAnotherNode(services, argument, raw),
    removeFromList: (argument: Arguments<"removeFromList">) => removeFromList(context, argument),
  };
}
