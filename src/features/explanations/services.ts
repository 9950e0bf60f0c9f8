import type { HeadSamples } from "../../core/time/chain-times.ts";
import type { Artifacts } from "../../host/artifacts/artifacts.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { Log } from "../../host/log/log.ts";
import type { TransactionService } from "../../host/sending/transaction-service.ts";

/** What this feature needs from the rest of the extension. */
export interface ExplanationServices {
  readonly registerCommand: RegisterCommand;
  readonly transactions: Pick<TransactionService, "get">;
  readonly artifacts: Artifacts;
  readonly heads: HeadSamples;
  readonly now: () => number;
  readonly log: Log;
}
