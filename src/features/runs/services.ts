import type { HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type * as vscode from "vscode";
import type { KnownNames } from "../../host/addresses/address-names.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { Log } from "../../host/log/log.ts";
import type { ChainsOnDemand } from "../../host/networks/chains-on-demand.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Services that reviews of runs use. */
export interface RunServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Networks;
  readonly gateways: {
    for(network: NetworkProfile): Promise<HttpGateway>;
    at(network: NetworkProfile, url: string): Promise<HttpGateway>;
  };
  readonly chains: Pick<ChainsOnDemand, "networkRefOf" | "decimals">;
  readonly keys: SigningKeys;
  readonly knownNames: Pick<KnownNames, "list">;
  readonly transactions: TransactionService;
  readonly log: Log;
  readonly extensionUri: vscode.Uri;
}
