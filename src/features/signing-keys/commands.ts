import type { Clock } from "@finality/client/gateway";
import { isCallOfProgram } from "../../host/caller.ts";
import type { Commands, RegisterCommand } from "../../host/commands/commands.ts";
import type { ConnectableWallet } from "../../host/external-signer/external-signer.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import { addWatchOnlyAddress, changeKeyPolicy, connectBrowserWallet, removeSigningKey } from "./account-commands.ts";
import { exportSigningKey } from "./export-key.ts";
import { generateSigningKey } from "./generate-key.ts";
import { importSigningKey } from "./import-key.ts";

export interface SigningKeyServices {
  readonly registerCommand: RegisterCommand;
  readonly keys: SigningKeys;
  readonly wallet: ConnectableWallet;
  readonly clock: Clock;
}

export function createSigningKeyCommands(services: SigningKeyServices): Commands<"signingKeys"> {
  const { keys, wallet } = services;
  return {
    "finality.generateSigningKey": (argument, raw) => generateSigningKey(services, argument, !isCallOfProgram(raw)),
    "finality.importSigningKey": (argument) => importSigningKey(keys, argument),
    "finality.exportSigningKey": (argument) => exportSigningKey(services, argument),
    "finality.changeKeyPolicy": (argument, raw) => changeKeyPolicy(keys, argument, !isCallOfProgram(raw)),
    "finality.removeSigningKey": (argument) => removeSigningKey(keys, argument),
    "finality.addWatchOnlyAddress": (argument) => addWatchOnlyAddress(keys, argument),
    "finality.connectBrowserWallet": (argument) => connectBrowserWallet(keys, wallet, argument),
  };
}
