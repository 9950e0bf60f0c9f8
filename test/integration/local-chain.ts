import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { FinalityApi, TrackedTransaction } from "../../src/public/api.ts";

const BLOCK_TIME_MS = 250;

/** The public interface of the extension in this host. */
export async function finality(): Promise<FinalityApi> {
  const extension = vscode.extensions.getExtension<FinalityApi>("finality.finality");
  assert.ok(extension, "finality.finality is not installed in this host");
  return await extension.activate();
}

/** Starts a local chain whose blocks come quickly. */
export async function startFastChain(): Promise<void> {
  await startChain({ blockTimeMs: BLOCK_TIME_MS });
}

/** Starts a local chain with a block every `blockTimeMs`. */
export async function startChain({ blockTimeMs }: { readonly blockTimeMs: number }): Promise<void> {
  const settings = vscode.workspace.getConfiguration("finality");
  await settings.update("localChain.blockTime", blockTimeMs, vscode.ConfigurationTarget.Global);
  await vscode.commands.executeCommand("finality.startLocalChain", {});
}

/** Ends the local chain and deletes its data, so that the next test starts a new one with other keys. */
export async function endLocalChain(): Promise<void> {
  await vscode.commands.executeCommand("finality.stopLocalChain", { confirmed: true });
  const storage = process.env.FINALITY_STORAGE ?? assert.fail("the run names no storage");
  await rm(join(storage, "local-chain"), { recursive: true, force: true });
}

/** Longer than anything takes that ends by itself. */
const TIMEOUT_MS = 200_000;

/** Describes a transaction that did not reach the expected state. */
function describe(tracked: TrackedTransaction | undefined): string {
  const known = tracked && { ...tracked, signed: undefined };
  const text = JSON.stringify(known, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
  return `It stayed as it was: ${text}`;
}

/**
 * Resolves when a tracked transaction is as expected; it is looked at whenever it changes. Rejects with what it is when
 * it stays another.
 */
export async function until(
  api: FinalityApi,
  txId: string,
  predicate: (tracked: TrackedTransaction) => boolean,
): Promise<TrackedTransaction> {
  const { promise, resolve, reject } = Promise.withResolvers<TrackedTransaction>();
  const look = (): void => {
    const tracked = api.transactions.get(txId);
    if (tracked !== undefined && predicate(tracked)) resolve(tracked);
  };
  const subscription = api.transactions.onDidChange((txIds) => {
    if (txIds.includes(txId)) look();
  });
  look();
  const tooLate = setTimeout(() => reject(new Error(describe(api.transactions.get(txId)))), TIMEOUT_MS);
  return await promise.finally(() => {
    clearTimeout(tooLate);
    subscription.dispose();
  });
}
