import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { FinalityApi, TrackedTransaction } from "../../src/api.ts";

const BLOCK_TIME_MS = 250;

/** The public interface of the extension in this host. */
export async function finality(): Promise<FinalityApi> {
  const extension = vscode.extensions.getExtension<FinalityApi>("finality.finality");
  assert.ok(extension, "finality.finality is not installed in this host");
  return await extension.activate();
}

/** A local chain whose blocks come quickly. */
export async function startFastChain(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("finality");
  await settings.update("localChain.blockTime", BLOCK_TIME_MS, vscode.ConfigurationTarget.Global);
  await vscode.commands.executeCommand("finality.startLocalChain", {});
}

/** Resolves when a tracked transaction is as wanted; it is looked at whenever it changes. */
export async function until(
  api: FinalityApi,
  txId: string,
  wanted: (tracked: TrackedTransaction) => boolean,
): Promise<TrackedTransaction> {
  const { promise, resolve } = Promise.withResolvers<TrackedTransaction>();
  const look = (): void => {
    const tracked = api.transactions.get(txId);
    if (tracked !== undefined && wanted(tracked)) resolve(tracked);
  };
  const subscription = api.transactions.onDidChange((txIds) => {
    if (txIds.includes(txId)) look();
  });
  look();
  return await promise.finally(() => subscription.dispose());
}
