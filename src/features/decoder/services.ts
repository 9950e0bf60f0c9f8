import type * as vscode from "vscode";
import type { AbiIndex } from "../../core/abi/abi-index.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import type { RegisterCommand } from "../../host/commands.ts";
import type { TransactionDesk } from "../../host/transaction-desk.ts";

export interface DecoderServices {
  readonly registerCommand: RegisterCommand;
  readonly desk: TransactionDesk;
  /** The names of selectors that the workspace has. */
  readonly workspaceNames: () => Promise<AbiIndex>;
  readonly nameOf: NameOf;
  readonly networkOf: (name: string) => NetworkProfile | undefined;
  readonly extensionUri: vscode.Uri;
  /** A text without the secrets that are in it. */
  readonly masked: (text: string) => string;
}
