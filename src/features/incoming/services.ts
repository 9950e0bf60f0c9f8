import type { Gateway, NetworkProfile } from "@finality/client/gateway";
import type { NameOf } from "@finality/tron/format";
import type { Memento } from "vscode";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { IncomingService } from "../../host/incoming/incoming-service.ts";
import type { ChainsOnDemand } from "../../host/networks/chains-on-demand.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { SharedNotices } from "../../host/windows/shared-notices.ts";

/** What this feature needs from the rest of the extension. */
export interface IncomingServices {
  readonly registerCommand: RegisterCommand;
  readonly incoming: IncomingService;
  /** Of the person, over all windows. */
  readonly state: Memento;
  readonly networks: Pick<Networks, "get" | "find" | "onDidChange">;
  readonly gateways: { for(network: NetworkProfile): Promise<Gateway> };
  readonly chains: Pick<ChainsOnDemand, "placeOn">;
  readonly keys: Pick<SigningKeys, "knownOn" | "addressOf" | "onDidChange">;
  readonly notices: () => Promise<Pick<SharedNotices, "isSaidHere">>;
  readonly nameOf: NameOf;
  /** Local clock, Unix ms. */
  readonly now: () => number;
}
