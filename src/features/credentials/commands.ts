import { isCallOfProgram } from "../../host/commands/call-of-program.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { connectBrowserWallet } from "./connect-wallet.ts";
import { exportSigningKey } from "./export-key.ts";
import { generateSigningKey } from "./generate-key.ts";
import { importSigningKey } from "./import-key.ts";
import { createJwtKey, importJwtKey, setApiKey } from "./jwt-key-commands.ts";
import { changeKeyPolicy } from "./key-policy-commands.ts";
import type { CredentialServices } from "./services.ts";
import { showBalance } from "./show-balance.ts";
import { addWatchOnlyAddress, copyAddress, removeSigningKey } from "./signing-key-commands.ts";

/**
 * What the commands do. A part of its own: nobody needs it before the first of them.
 * @param refresh - asks the balances anew
 */
export function createCredentials(
  services: CredentialServices,
  refresh: () => Promise<void>,
): { readonly commands: Commands<"credentials"> } {
  const { keys } = services;
  return {
    commands: {
      "finality.createJwtKey": (argument, raw) => createJwtKey(services, argument, !isCallOfProgram(raw)),
      "finality.importJwtKey": (argument) => importJwtKey(services, argument),
      "finality.setApiKey": (argument) => setApiKey(services, argument),
      "finality.generateSigningKey": (argument, raw) => generateSigningKey(services, argument, !isCallOfProgram(raw)),
      "finality.importSigningKey": (argument) => importSigningKey(keys, argument),
      "finality.exportSigningKey": (argument) => exportSigningKey(services, argument),
      "finality.changeKeyPolicy": (argument) => changeKeyPolicy(keys, argument),
      "finality.removeSigningKey": (argument) => removeSigningKey(keys, argument),
      "finality.addWatchOnlyAddress": (argument) => addWatchOnlyAddress(keys, argument),
      "finality.connectBrowserWallet": (argument) => connectBrowserWallet(services, argument),
      "finality.copyAddress": (argument) => copyAddress(keys, argument),
      "finality.refreshAccounts": () => refresh(),
      "finality.showBalance": (argument, raw) => showBalance(services, argument, !isCallOfProgram(raw)),
    },
  };
}
