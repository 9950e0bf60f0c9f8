import type { Uri } from "vscode";
import type { Lazily } from "../../host/async.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { Chains } from "../../host/networks/chains.ts";
import type { Gateways } from "../../host/networks/gateways.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { PlainHttp } from "../../host/networks/plain-http.ts";
import type { ClientCertificates } from "../../host/secrets/client-certificates.ts";
import type { NetworkCredentials } from "../../host/secrets/network-credentials.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** What the commands for networks need. */
export interface NetworkServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Networks;
  readonly gateways: Gateways;
  readonly credentials: NetworkCredentials;
  readonly plainHttp: PlainHttp;
  readonly clientCertificates: Lazily<ClientCertificates>;
  readonly chains: Pick<Chains, "askAgain" | "accept">;
  readonly extensionUri: Uri;
  /** Unix ms. */
  readonly now: () => number;
  /** A text without the secrets that are in it. */
  readonly masked: (text: string) => string;
  readonly transactions: Pick<TransactionService, "ready" | "list" | "networkOf">;
}
