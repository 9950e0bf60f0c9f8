import { ChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import * as vscode from "vscode";
import type { Consent } from "./consent.ts";

/** @throws {ChainError} `CONSENT_MISSING` if it is for another transaction, or there is none */
export function requireConsent(txId: TxId, consent: Consent): void {
  if (consent?.txId !== txId) throw new ChainError("CONSENT_MISSING", { txId });
}

/** @throws {ChainError} `WORKSPACE_NOT_TRUSTED` if the window is in Restricted Mode */
export function requireTrust(what: "signed" | "sent"): void {
  if (!vscode.workspace.isTrusted) throw new ChainError("WORKSPACE_NOT_TRUSTED", { what });
}
