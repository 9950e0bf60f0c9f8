import * as vscode from "vscode";
import type { Gateway } from "../../core/gateway/gateway.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import { isJsonObject } from "../../core/primitives/json.ts";
import { resendDanger } from "../../core/replacement/safe-replacement.ts";
import { describeAnswer, transactionLabel } from "../../core/tracking/describe-tracked.ts";
import { isAlive, isResendable } from "../../core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import { isCallOfProgram } from "../../host/call-of-program.ts";
import { chooseTransaction } from "../../host/choose-transaction.ts";
import type { SentTransaction } from "../../host/sending/intent-sender.ts";
import type { TransactionDesk } from "../../host/transaction-desk.ts";
import { readTxIds } from "./send-arguments.ts";

/** What the commands of a tracked transaction work with. */
export interface CommandContext {
  readonly desk: TransactionDesk;
  readonly nameOf: NameOf;
}

/** Hands the very same signed bytes to the gateway again. The chain executes one txID at most once, so it asks nothing. */
export async function sendSameBytesAgain(
  context: CommandContext,
  argument: unknown,
): Promise<SentTransaction | undefined> {
  const choice = { title: "Send Same Bytes Again", fits: isResendable, nameOf: context.nameOf };
  const chosen = await chooseTransaction(context.desk, argument, choice);
  if (chosen === undefined) return undefined;
  const acknowledged = await passNewerEquals(context, chosen, argument);
  if (acknowledged === undefined) return undefined;
  return await resend(context, chosen.txId, acknowledged);
}

/** Hands the bytes over and says the answer. @param gateway - another node than the network's first one */
export async function resend(
  { desk }: Pick<CommandContext, "desk">,
  txId: TxId,
  acknowledged: readonly TxId[],
  gateway?: Gateway,
): Promise<SentTransaction> {
  const tracked = await desk.resend(txId, acknowledged, gateway);
  sayAnswer(tracked);
  return pick(tracked);
}

/**
 * Stops before bytes that would do again what a newer transaction does.
 *
 * @returns the newer ones that the sender knows of; undefined when the person left
 */
export async function passNewerEquals(
  { desk, nameOf }: CommandContext,
  tracked: TrackedTransaction,
  argument: unknown,
): Promise<readonly TxId[] | undefined> {
  const acknowledged = isJsonObject(argument) ? readTxIds(argument.acknowledgeUnknown) : undefined;
  const danger = resendDanger(tracked, desk.list());
  const asksPerson = acknowledged === undefined && !isCallOfProgram(argument) && isResendable(tracked);
  if (danger === undefined || !asksPerson) return acknowledged ?? [];
  const title = `Send ${transactionLabel(tracked, nameOf)} although it could happen twice?`;
  const goOn = await vscode.window.showWarningMessage(title, { modal: true, detail: danger.sentence }, "Send Again");
  return goOn === undefined ? undefined : [danger.txId];
}

/** The state keeps the first answer for ever, so the answer to this attempt has to be said. */
function sayAnswer(tracked: TrackedTransaction): void {
  const outcome = tracked.attempts.at(-1)?.outcome;
  if (outcome === undefined || outcome.kind === "accepted") return;
  void vscode.window.showWarningMessage(`Sent again; the answer was: ${describeAnswer(outcome)}.`);
}

/** Asks the gateway about a transaction at once. */
export async function lookNow(context: CommandContext, argument: unknown): Promise<SentTransaction | undefined> {
  const choice = { title: "Look Now", fits: isAlive, nameOf: context.nameOf };
  const tracked = await chooseTransaction(context.desk, argument, choice);
  if (tracked === undefined) return undefined;
  await context.desk.lookNow(tracked.txId);
  return pick(context.desk.get(tracked.txId) ?? tracked);
}

/** Stops the search for a proof that no block holds a transaction, or lets it go on from where it was. */
export async function stopProof(
  context: CommandContext,
  argument: unknown,
  stopped: boolean,
): Promise<SentTransaction | undefined> {
  const title = stopped ? "Stop Proof" : "Resume Proof";
  const fits = (it: TrackedTransaction): boolean => it.proving?.kind === (stopped ? "scanning" : "stopped");
  const tracked = await chooseTransaction(context.desk, argument, { title, fits, nameOf: context.nameOf });
  if (tracked === undefined) return undefined;
  await context.desk.stopProof(tracked.txId, stopped);
  return pick(tracked);
}

/** Puts a txID on the clipboard. */
export async function copyTxId(context: CommandContext, argument: unknown): Promise<string | undefined> {
  const choice = { title: "Copy txID", fits: () => true, nameOf: context.nameOf };
  const tracked = await chooseTransaction(context.desk, argument, choice);
  if (tracked !== undefined) await vscode.env.clipboard.writeText(tracked.txId);
  return tracked?.txId;
}

/** Takes a transaction out of the list; the journal keeps it. Asks when it may still be executed. */
export async function removeFromList(context: CommandContext, argument: unknown): Promise<string | undefined> {
  const choice = { title: "Remove from List", fits: () => true, nameOf: context.nameOf };
  const tracked = await chooseTransaction(context.desk, argument, choice);
  if (tracked === undefined || !(await mayRemove(tracked, context.nameOf))) return undefined;
  await context.desk.hide(tracked.txId);
  return tracked.txId;
}

async function mayRemove(tracked: TrackedTransaction, nameOf: NameOf): Promise<boolean> {
  if (!isAlive(tracked)) return true;
  const detail =
    "It may still be executed, and it will not be watched any more. The journal keeps it: Track Transaction brings it back.";
  const title = `Remove ${transactionLabel(tracked, nameOf)} from the list?`;
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, "Remove")) !== undefined;
}

function pick({ txId, state }: TrackedTransaction): SentTransaction {
  return { txId, state };
}
