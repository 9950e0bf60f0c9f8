import * as vscode from "vscode";
import { ChainError } from "../../core/errors/chain-error.ts";

/** @throws {ChainError} `WORKSPACE_NOT_TRUSTED` the window is in Restricted Mode */
export function requireTrust(what: "signed" | "sent"): void {
  if (!vscode.workspace.isTrusted) throw new ChainError("WORKSPACE_NOT_TRUSTED", { what });
}
