import type { Clock, HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type { NameOf } from "@finality/tron/format";
import type { Memento, Uri } from "vscode";
import type { Artifacts } from "../../host/artifacts/artifacts.ts";
import type { Lazy } from "../../host/async.ts";
import type { OwnClicks, RegisterCommand } from "../../host/commands/commands.ts";
import type { ContractBook } from "../../host/contracts/contract-book.ts";
import type { IncomingService } from "../../host/incoming/incoming-service.ts";
import type { Log } from "../../host/log/log.ts";
import type { ChainsOnDemand } from "../../host/networks/chains-on-demand.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { SharedNotices } from "../../host/windows/shared-notices.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Services that this feature needs from the rest of the extension. */
export interface IncomingServices {
  readonly registerCommand: RegisterCommand;
  readonly incoming: IncomingService;
  /** Storage shared by all windows of the user. */
  readonly state: Memento;
  readonly networks: Pick<Networks, "get" | "find" | "onDidChange">;
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly chains: Pick<ChainsOnDemand, "networkRefOf" | "known">;
  readonly keys: SigningKeys;
  readonly transactions: Pick<TransactionService, "list">;
  readonly artifacts: Artifacts;
  /** Contracts that the user added; loaded on first use. */
  readonly contractBook: Lazy<ContractBook>;
  readonly notices: () => Promise<Pick<SharedNotices, "isShownHere">>;
  readonly nameOf: NameOf;
  /** Marks arguments of clicks in our own views. */
  readonly clicks: OwnClicks;
  readonly extensionUri: Uri;
  readonly log: Log;
  readonly sleep: Clock["sleep"];
  /** Local clock, Unix ms. */
  readonly now: () => number;
}
