import type * as vscode from "vscode";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import type { RegisterCommand } from "../../host/commands.ts";
import type { TransactionDesk } from "../../host/transaction-desk.ts";

/** What the tree, the status bar item and the notifications tell about. */
export interface TrackingServices {
  readonly registerCommand: RegisterCommand;
  readonly transactions: TransactionDesk;
  readonly activeNetwork: () => NetworkProfile | undefined;
  readonly nameOf: NameOf;
  /** Something other than transactions changed that rows and the status bar show: the network, a name. */
  readonly onDidChangeSurroundings: vscode.Event<void>;
  readonly now: () => number;
  readonly extensionUri: vscode.Uri;
  readonly networkOf: (name: string) => NetworkProfile | undefined;
  /** A text without the secrets that are in it. */
  readonly masked: (text: string) => string;
}
