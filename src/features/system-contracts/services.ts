import type { HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type { Deployment } from "@finality/client/tracking";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { ChainsOnDemand } from "../../host/networks/chains-on-demand.ts";
import type { NetworkLookup } from "../../host/networks/networks.ts";
import type { KnownParty, SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { SenderOnDemand } from "../../sending/sender.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Services that the commands of this feature use. */
export interface SystemContractServices {
  readonly sender: SenderOnDemand;
  readonly registerCommand: RegisterCommand;
  readonly networks: NetworkLookup;
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly keys: SigningKeys;
  readonly transactions: Pick<TransactionService, "ready" | "list">;
  readonly chains: Pick<ChainsOnDemand, "known">;
}

/** Network with its accounts, for the duration of one command. */
export interface SystemCommandContext {
  readonly network: NetworkProfile;
  readonly gateway: HttpGateway;
  /**
   * Returns the contracts that were deployed from here and still exist, newest first. Local chains share a name, so
   * contracts of earlier local chains are left out.
   */
  readonly contracts: readonly Deployment[];
  readonly accounts: readonly SigningAccount[];
  /** Accounts and addresses of the address book. */
  readonly parties: readonly KnownParty[];
}
