import type { RegisterCommand } from "../../host/commands.ts";
import type { Gateways } from "../../host/gateways.ts";
import type { Networks } from "../../host/networks.ts";
import type { SecretStore } from "../../host/secret-store.ts";

/** What the commands for networks need. */
export interface NetworkServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Networks;
  readonly gateways: Gateways;
  readonly secrets: SecretStore;
  /** How many transactions of a network are not final yet. */
  readonly liveTransactions: (network: string) => Promise<number>;
}
