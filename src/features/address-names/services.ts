import type { KnownNames } from "../../host/addresses/address-names.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { Log } from "../../host/log/log.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** What naming addresses needs. */
export interface NamingServices {
  readonly registerCommand: RegisterCommand;
  readonly knownNames: KnownNames;
  readonly keys: Pick<SigningKeys, "find" | "list" | "nameOf">;
  readonly transactions: Pick<TransactionService, "ready" | "get">;
  readonly log: Pick<Log, "info" | "error">;
}
