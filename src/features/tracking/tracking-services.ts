import type { Clock, NetworkProfile } from "@finality/client/gateway";
import type { NameOf } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import type * as vscode from "vscode";
import type { NamesOnDemand } from "../../host/artifacts/artifacts.ts";
import type { CallNames } from "../../host/artifacts/call-names.ts";
import type { FailureReasons } from "../../host/artifacts/failure-reasons.ts";
import type { Lazy } from "../../host/async.ts";
import type { OwnClicks, RegisterCommand } from "../../host/commands/commands.ts";
import type { ContributedRows } from "../../host/contributed-rows.ts";
import type { TransactionNotes } from "../../host/journal/transaction-notes.ts";
import type { Log } from "../../host/log/log.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { NetworkAccounts, SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { SharedNotices } from "../../host/windows/shared-notices.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import type { FactServices } from "./timeline-facts.ts";
import type { TransactionsTree } from "./transactions-tree.ts";

/** Services of the tree, the page, the status bar item and the notifications. */
export interface TrackingServices extends FactServices {
  readonly registerCommand: RegisterCommand;
  readonly transactions: TransactionService;
  /** Storage shared by all windows of the user. */
  readonly state: vscode.Memento;
  readonly notices: Lazy<SharedNotices>;
  /** Storage of the workspace. */
  readonly workspaceState: vscode.Memento;
  readonly notes: TransactionNotes;
  readonly names: NamesOnDemand;
  readonly keys: NetworkAccounts & Pick<SigningKeys, "addressOf">;
  readonly networks: Pick<Networks, "active" | "isLocalStopped" | "isLocalDisconnected" | "list">;
  readonly nameOf: NameOf;
  /** Names of called functions. */
  readonly callNames: Pick<CallNames, "of">;
  /** Reasons of failed transactions. */
  readonly reasons: Pick<FailureReasons, "of" | "settled">;
  /** Marks commands that buttons and links of this extension call. */
  readonly clicks: OwnClicks;
  /**
   * Fires when something besides transactions changed that rows or the status bar show, such as the network or a name.
   */
  readonly onDidChangeContext: vscode.Event<void>;
  /** Rows of another feature in the tree. */
  readonly contributed: ContributedRows;
  readonly now: () => number;
  readonly sleep: Clock["sleep"];
  readonly extensionUri: vscode.Uri;
  readonly networkOf: (name: string) => NetworkProfile | undefined;
  /** Masks the secrets in a text. */
  readonly masked: (text: string) => string;
  readonly log: Pick<Log, "error">;
}

/** View of the transactions. */
export interface TransactionList {
  reveal(txId: TxId, focus: boolean): Thenable<void>;
  isShown(): boolean;
  /** Returns the selected transactions; none while the view is hidden. */
  selected(): readonly TxId[];
  /** Returns the focused transaction, or the selected ones if it is one of them. */
  focused(): Promise<readonly TxId[]>;
  readonly tree: Pick<TransactionsTree, "groups" | "filter" | "arrange" | "refresh">;
  /** Shows one more page of a group. Returns false if all its rows are shown. */
  showMore(group: string): Promise<boolean>;
  /** Shows a text beside the title of the view. */
  describe(text: string | undefined): void;
}
