import type { Commands } from "../../host/commands/commands.ts";
import type { MessageServices } from "./services.ts";
import { signMessage, signTypedData } from "./sign-message.ts";
import { verifySignature } from "./verify-signature.ts";

/** Implements the commands of messages. Loaded with the first of them. */
export function createMessages(services: MessageServices): { readonly commands: Commands<"messages"> } {
  return {
    commands: {
      "finality.signMessage": (argument, raw) => signMessage(services, argument, raw),
      "finality.signTypedData": (argument, raw) => signTypedData(services, argument, raw),
      "finality.verifySignature": (argument, raw) => verifySignature(services, argument, raw),
    },
  };
}
