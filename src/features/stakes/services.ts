import type { Gateway } from "../../core/gateway/gateway.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { SystemServices } from "../../host/sending/send-system.ts";
import type { TransactionService } from "../../host/sending/transaction-service.ts";

/** What the commands of this feature need from the rest of the extension. */
export interface StakeServices extends SystemServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Pick<Networks, "get">;
  readonly gateways: { for(network: NetworkProfile): Promise<Gateway> };
  readonly keys: SigningKeys;
  readonly transactions: Pick<TransactionService, "ready">;
}

/** A network with its accounts, for the time of one command. */
export interface StakePlace {
  readonly network: NetworkProfile;
  readonly gateway: Gateway;
  readonly accounts: readonly SigningAccount[];
}
