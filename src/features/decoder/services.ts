import type * as vscode from "vscode";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { HeadSamples } from "../../core/time/chain-times.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import type { Artifacts } from "../../host/artifacts/artifacts.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { OwnClicks } from "../../host/commands/own-clicks.ts";
import type { Log } from "../../host/log/log.ts";
import type { TransactionService } from "../../host/sending/transaction-service.ts";

export interface DecoderServices {
  readonly registerCommand: RegisterCommand;
  readonly transactions: TransactionService;
  /** The names of selectors that the workspace has. */
  readonly artifacts: Artifacts;
  /** The text that a link refers to by its number. */
  readonly keptText: (kept: string) => Promise<string | undefined>;
  readonly nameOf: NameOf;
  /** Which calls of a command are clicks on what we drew. */
  readonly clicks: Pick<OwnClicks, "of">;
  readonly networkOf: (name: string) => NetworkProfile | undefined;
  /** The last head of each network, and the local time: together about the time of its chain. */
  readonly heads: HeadSamples;
  readonly now: () => number;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  /** A text without the secrets that are in it. */
  readonly masked: (text: string) => string;
}
