import type * as vscode from "vscode";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { Clock } from "../../core/time/clock.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { OwnClicks } from "../../host/commands/own-clicks.ts";
import type { TransactionService } from "../../host/sending/transaction-service.ts";

/** What the tree, the status bar item and the notifications tell about. */
export interface TrackingServices {
  readonly registerCommand: RegisterCommand;
  readonly transactions: TransactionService;
  readonly activeNetwork: () => NetworkProfile | undefined;
  readonly nameOf: NameOf;
  /** Which calls of a command are clicks on what we drew. */
  readonly clicks: Pick<OwnClicks, "of">;
  /** Something other than transactions changed that rows and the status bar show: the network, a name. */
  readonly onDidChangeSurroundings: vscode.Event<void>;
  readonly now: () => number;
  readonly sleep: Clock["sleep"];
  readonly extensionUri: vscode.Uri;
  readonly networkOf: (name: string) => NetworkProfile | undefined;
  /** A text without the secrets that are in it. */
  readonly masked: (text: string) => string;
}
