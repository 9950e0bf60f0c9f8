import type { Clock } from "@finality/client/gateway";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { GuestRows } from "../../host/contributed-rows.ts";
import type { ConnectableWallet } from "../../host/external-signer/external-signer.ts";
import type { Gateways } from "../../host/networks/gateways.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { NetworkCredentials } from "../../host/secrets/network-credentials.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** What accounts and keys need. */
export interface CredentialServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Networks;
  readonly gateways: Gateways;
  readonly credentials: NetworkCredentials;
  readonly keys: SigningKeys;
  /** Asks the wallet in the browser for its account. */
  readonly wallet: Pick<ConnectableWallet, "connect">;
  readonly transactions: Pick<TransactionService, "get" | "onDidChange">;
  readonly clock: Clock;
  /** Rows above the accounts. */
  readonly guests: GuestRows;
}
