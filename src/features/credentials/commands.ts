import { isCallOfProgram } from "../../host/commands/call-of-program.ts";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { createJwtKey, importJwtKey, setApiKey } from "./jwt-key-commands.ts";
import type { CredentialCommand, CredentialServices } from "./services.ts";
import { showBalance } from "./show-balance.ts";
import {
  addWatchOnlyAddress,
  copyAddress,
  generateSigningKey,
  importSigningKey,
  removeSigningKey,
} from "./signing-key-commands.ts";

type CredentialCommands = {
  readonly [Id in CredentialCommand]: (told: CommandArguments[Id], given: unknown) => Promise<unknown>;
};

/** What each command does. A part of its own: nobody needs it before the first of them. */
export function credentialCommands(services: CredentialServices): CredentialCommands {
  const { keys } = services;
  return {
    "finality.generateSigningKey": (told, given) => generateSigningKey(keys, told, !isCallOfProgram(given)),
    "finality.importSigningKey": (told) => importSigningKey(keys, told),
    "finality.addWatchOnlyAddress": (told) => addWatchOnlyAddress(keys, told),
    "finality.removeSigningKey": (told) => removeSigningKey(keys, told),
    "finality.copyAddress": (told) => copyAddress(keys, told),
    "finality.showBalance": (told, given) => showBalance(services, told, !isCallOfProgram(given)),
    "finality.createJwtKey": (told, given) => createJwtKey(services, told, !isCallOfProgram(given)),
    "finality.importJwtKey": (told) => importJwtKey(services, told),
    "finality.setApiKey": (told) => setApiKey(services, told),
  };
}
