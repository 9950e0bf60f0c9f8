import type { RegisterCommand } from "../../host/commands.ts";
import type { Gateways } from "../../host/gateways.ts";
import type { GuestRows } from "../../host/guest-rows.ts";
import type { Networks } from "../../host/networks.ts";
import type { SecretStore } from "../../host/secret-store.ts";
import type { SigningKeys } from "../../host/signing-keys.ts";

/** What accounts and keys need. */
export interface CredentialServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Networks;
  readonly gateways: Gateways;
  readonly secrets: SecretStore;
  readonly keys: SigningKeys;
  /** Rows above the accounts. */
  readonly guests: GuestRows;
}

/** The commands that are loaded when one of them is called. */
export type CredentialCommand = `finality.${
  | "generateSigningKey"
  | "importSigningKey"
  | "addWatchOnlyAddress"
  | "removeSigningKey"
  | "copyAddress"
  | "showBalance"
  | "createJwtKey"
  | "importJwtKey"
  | "setApiKey"}`;
