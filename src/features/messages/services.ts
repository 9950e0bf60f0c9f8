import type { HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type { ChainsOnDemand } from "../../host/networks/chains-on-demand.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { SenderOnDemand } from "../../sending/sender.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Services that signatures of messages need. */
export interface MessageServices {
  readonly networks: Networks;
  readonly gateways: {
    for(network: NetworkProfile): Promise<HttpGateway>;
    at(network: NetworkProfile, url: string): Promise<HttpGateway>;
  };
  readonly chains: Pick<ChainsOnDemand, "networkRefOf" | "decimals">;
  readonly keys: SigningKeys;
  readonly transactions: TransactionService;
  readonly sender: SenderOnDemand;
}
