import { t } from "@vscode/l10n";
import { isCallOfProgram } from "../../host/caller.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { sayDone } from "../../host/prompts/notify.ts";
import { setApiKey } from "./api-key-command.ts";
import { connectBrowserWallet } from "./connect-wallet.ts";
import { exportSigningKey } from "./export-key.ts";
import { generateSigningKey } from "./generate-key.ts";
import { importSigningKey } from "./import-key.ts";
import { inspectToken } from "./inspect-token.ts";
import { createJwtKey, importJwtKey, removeJwtKey, renameJwtKey, useJwtKey } from "./jwt-key-commands.ts";
import { changeKeyPolicy } from "./key-policy-commands.ts";
import { listJwtKeys } from "./list-jwt-keys.ts";
import { refreshAccounts } from "./refresh-accounts.ts";
import { rotateJwtKey } from "./rotate-jwt-key.ts";
import type { CredentialServices } from "./services.ts";
import { showBalance } from "./show-balance.ts";
import { addWatchOnlyAddress, copyAddress, removeSigningKey } from "./signing-key-commands.ts";
import { setTokenLifetime } from "./token-lifetime.ts";

/** Says to a person what was done, where they would see nothing of it. */
function tellDone<T>(raw: unknown, done: T | undefined, words: (done: T) => string): T | undefined {
  if (done !== undefined && !isCallOfProgram(raw)) sayDone(words(done));
  return done;
}

/**
 * What the commands do. A part of its own: nobody needs it before the first of them.
 * @param refresh - asks the balances anew
 */
export function createCredentials(
  services: CredentialServices,
  refresh: (cancelled?: AbortSignal) => Promise<void>,
): { readonly commands: Commands<"credentials">; readonly tokenText: (uri: string) => string } {
  const { keys } = services;
  /** Of the token that was inspected last, by its document. */
  const texts = new Map<string, string>();
  return {
    tokenText: (uri) => texts.get(uri) ?? t`This token is out of date. Inspect Token shows the one of now.\n`,
    commands: {
      "finality.createJwtKey": (argument, raw) => createJwtKey(services, argument, !isCallOfProgram(raw)),
      "finality.importJwtKey": (argument) => importJwtKey(services, argument),
      "finality.jwtKeys": (argument, raw) => listJwtKeys(services, argument, !isCallOfProgram(raw)),
      "finality.renameJwtKey": async (argument, raw) =>
        tellDone(
          raw,
          await renameJwtKey(services, argument),
          ({ network, key }) => t`${network} has the JWT key ${key}`,
        ),
      "finality.useJwtKey": async (argument, raw) =>
        tellDone(raw, await useJwtKey(services, argument), ({ network, key }) => t`${network} uses the JWT key ${key}`),
      "finality.removeJwtKey": async (argument, raw) =>
        tellDone(raw, await removeJwtKey(services, argument), ({ key }) => t`JWT key ${key} removed`),
      "finality.rotateJwtKey": (argument, raw) => rotateJwtKey(services, argument, !isCallOfProgram(raw)),
      "finality.inspectToken": (argument, raw) => inspectToken(services, argument, texts, !isCallOfProgram(raw)),
      "finality.setTokenLifetime": async (argument, raw) =>
        tellDone(raw, await setTokenLifetime(services, argument), (set) => `${set.network}: ${set.lifetime}`),
      "finality.setApiKey": (argument, raw) => setApiKey(services, argument, !isCallOfProgram(raw)),
      "finality.generateSigningKey": (argument, raw) => generateSigningKey(services, argument, !isCallOfProgram(raw)),
      "finality.importSigningKey": (argument) => importSigningKey(keys, argument),
      "finality.exportSigningKey": (argument) => exportSigningKey(services, argument),
      "finality.changeKeyPolicy": (argument, raw) => changeKeyPolicy(keys, argument, !isCallOfProgram(raw)),
      "finality.removeSigningKey": (argument) => removeSigningKey(keys, argument),
      "finality.addWatchOnlyAddress": (argument) => addWatchOnlyAddress(keys, argument),
      "finality.connectBrowserWallet": (argument) => connectBrowserWallet(services, argument),
      "finality.copyAddress": async (argument, raw) =>
        tellDone(raw, await copyAddress(keys, argument), () => t`Address copied`),
      "finality.refreshAccounts": (_, raw) => refreshAccounts(services, refresh, !isCallOfProgram(raw)),
      "finality.showBalance": (argument, raw) => showBalance(services, argument, !isCallOfProgram(raw)),
    },
  };
}
