import * as vscode from "vscode";
import { ChainError } from "../../core/errors/chain-error.ts";
import type { SettingId } from "./setting-ids.ts";

/** Bounds of `finality.transaction.expirySeconds`, as in the manifest. A day is what nodes allow at most. */
const BOUNDS = { least: 30, most: 86_400, usual: 60 };

/**
 * How long a transaction may wait for a block, in seconds: what the caller says, else the setting.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function expirySeconds(text: string | undefined): number {
  if (text !== undefined) return readSeconds(text);
  const id: SettingId = "finality.transaction.expirySeconds";
  const value = vscode.workspace.getConfiguration().get<unknown>(id);
  return typeof value === "number" && isWithin(value) ? value : BOUNDS.usual;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (isWithin(seconds)) return seconds;
  const reason = `${text} is not a number of seconds from ${BOUNDS.least} to ${BOUNDS.most}`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "expirySeconds", reason });
}

function isWithin(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= BOUNDS.least && seconds <= BOUNDS.most;
}
