import { judge, type TrackedTransaction } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { quoted } from "../../labels/reviews.ts";
import { chooseTransaction } from "../../sending/dialogs.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { sendAgain } from "./create-replacement.ts";
import { namesOf, type TransactionServices } from "./services.ts";

/**
 * Sends the intent of a failed transaction again. A call is simulated first, and its review shows the last failure.
 * Returns undefined if the user cancels.
 *
 * @throws {ChainError} `AGAIN_REFUSED` it did not fail, or nothing is known that it should do; and what sending throws
 */
export async function doItAgain(
  services: TransactionServices,
  argument: CommandArguments["finality.doItAgain"],
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const { transactions, reasons } = services;
  const fits = (it: TrackedTransaction): boolean => judge(it).doItAgain.allowed;
  const tracked = await chooseTransaction(transactions, argument, {
    title: t`Do It Again`,
    fits,
    forWhat: t`your own transactions that failed for good`,
    nameOf: namesOf(services),
  });
  if (tracked === undefined) return undefined;
  const { doItAgain: permission } = judge(tracked);
  if (!permission.allowed) throw new ChainError(permission.code, { txId: tracked.txId, reason: permission.why });
  await whileWorking(t`Reading why it failed`, () => reasons.settled(tracked));
  const reason = reasons.of(tracked);
  const lastFailure = reason === undefined ? t`it failed` : t`it failed with ${quoted(reason.text)}`;
  return await sendAgain(services, {
    tracked,
    signed: permission.signed,
    argument,
    lastFailure,
    unattended: isCallOfProgram(raw),
  });
}
