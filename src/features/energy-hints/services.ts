import type { EstimateSource } from "@finality/client/estimates";
import type { NetworkProfile } from "@finality/client/gateway";
import type * as vscode from "vscode";
import type { Artifacts } from "../../host/artifacts/artifacts.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { Log } from "../../host/log/log.ts";
import type { Chains } from "../../host/networks/chains.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** What this feature needs from the rest of the extension. */
export interface EnergyServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Pick<Networks, "find" | "active" | "get" | "list" | "onDidChange">;
  readonly gateways: { for(network: NetworkProfile): Promise<EstimateSource> };
  readonly chains: Pick<Chains, "known">;
  readonly keys: Pick<SigningKeys, "listOn" | "onDidChange">;
  readonly transactions: Pick<TransactionService, "list" | "ready" | "onDidChange">;
  readonly artifacts: Artifacts;
  /** Where answers of a person are kept: those of the workspace. */
  readonly answers: vscode.Memento;
  readonly now: () => number;
  readonly log: Log;
}
