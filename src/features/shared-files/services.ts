import type { Clock, HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type { NameOf } from "@finality/tron/format";
import type { OwnClicks, RegisterCommand } from "../../host/commands/commands.ts";
import type { NetworkLookup } from "../../host/networks/networks.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { Explanation } from "../../public/api.ts";
import type { SenderOnDemand } from "../../sending/sender.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Services that the commands of this feature use. */
export interface SharedFileServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: NetworkLookup;
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly keys: Pick<SigningKeys, "listOn" | "knownOn" | "addressOf">;
  readonly transactions: TransactionService;
  readonly sender: SenderOnDemand;
  readonly clock: Clock;
  readonly clicks: OwnClicks;
  readonly nameOf: NameOf;
  /** Explains call data. */
  readonly explain: (input: string) => Promise<Explanation>;
}
