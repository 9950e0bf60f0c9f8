import type { HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type * as vscode from "vscode";
import type { KnownNames } from "../../host/addresses/address-names.ts";
import type { OwnClicks, RegisterCommand } from "../../host/commands/commands.ts";
import type { ChainsOnDemand } from "../../host/networks/chains-on-demand.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { RunExecutionServices, RunExecutions } from "../../sending/run-executions.ts";
import type { SenderOnDemand } from "../../sending/sender.ts";

/** Services that runs use. */
export interface RunServices extends RunExecutionServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Networks;
  readonly gateways: {
    for(network: NetworkProfile): Promise<HttpGateway>;
    at(network: NetworkProfile, url: string): Promise<HttpGateway>;
  };
  readonly chains: Pick<ChainsOnDemand, "networkRefOf" | "decimals">;
  readonly keys: SigningKeys;
  readonly knownNames: Pick<KnownNames, "list">;
  readonly sender: SenderOnDemand;
  /** Marks arguments of clicks in our own views. */
  readonly clicks: OwnClicks;
  readonly extensionUri: vscode.Uri;
}

/** Services of the loaded part, with the runs of this window. */
export interface RunParts extends RunServices {
  readonly runs: RunExecutions;
}
