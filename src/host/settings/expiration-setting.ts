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
export function expirySeconds(told: string | undefined): number {
  if (told !== undefined) return readSeconds(told);
  const id: SettingId = "finality.transaction.expirySeconds";
  const given = vscode.workspace.getConfiguration().get<unknown>(id);
  return typeof given === "number" && isWithin(given) ? given : BOUNDS.usual;
}

function readSeconds(told: string): number {
  const seconds = Number(told);
  if (isWithin(seconds)) return seconds;
  const reason = `${told} is not a number of seconds from ${BOUNDS.least} to ${BOUNDS.most}`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "expirySeconds", reason });
}

function isWithin(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= BOUNDS.least && seconds <= BOUNDS.most;
}
