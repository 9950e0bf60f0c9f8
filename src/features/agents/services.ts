import type { Clock, HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type { Chains } from "@finality/node/chains";
import type { NameOf } from "@finality/tron/format";
import type * as vscode from "vscode";
import type { NamesOnDemand } from "../../host/artifacts/artifacts.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { Log } from "../../host/log/log.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { SenderOnDemand } from "../../sending/sender.ts";
import type { ReplaceCode } from "../../sending/transaction-kind.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Services that this feature needs from the rest of the extension. */
export interface AgentServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Pick<Networks, "find" | "get" | "list">;
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly chains: Pick<Chains, "networkRefOf">;
  readonly keys: Pick<SigningKeys, "isOutside">;
  readonly transactions: TransactionService;
  readonly names: NamesOnDemand;
  readonly sender: SenderOnDemand;
  /** Sends contract calls. */
  readonly contracts: { readonly replaceCode: ReplaceCode };
  readonly nameOf: NameOf;
  readonly clock: Clock;
  readonly log: Log;
  readonly proveLocalChain: () => Promise<void>;
  readonly context: Pick<vscode.ExtensionContext, "asAbsolutePath" | "extension" | "globalStorageUri">;
}
