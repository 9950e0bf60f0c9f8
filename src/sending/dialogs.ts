import type { NetworkRef } from "@finality/client/gateway";
import { transactionLabel } from "@finality/client/labels";
import type { Duplicate, TrackedTransaction } from "@finality/client/tracking";
import { ChainError, stateText } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import { parseTxId, shorten } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type NextStep, notifyWithSteps } from "../host/commands/show-error.ts";
import { askModal, confirmModal } from "../host/prompts/notify.ts";
import { quickPick, textStep } from "../host/prompts/quick-input.ts";
import { differencesText, duplicateText } from "./conflicting-payments.ts";
import type { TransactionService } from "./transaction-service.ts";

/** Asks before a payment that may happen twice. The first button and Escape do not pay. */
export async function confirmDuplicate(duplicate: Duplicate, network: NetworkRef, nameOf: NameOf): Promise<boolean> {
  const what = transactionLabel(duplicate.tracked, nameOf);
  const { title, detail } = duplicateText(what, duplicate, network);
  const [show, again] = [t`Show First Payment`, t`Pay Again`];
  const chosen = await askModal("warning", { title, detail, isFirstSafe: true }, show, again);
  if (chosen === show)
    await vscode.commands.executeCommand("finality.showTransaction", { txId: duplicate.tracked.txId });
  return chosen === again;
}

/** Text that confirms a lock-out. */
export const LOCK_OUT = "LOCK OUT";

/**
 * Warns of a change that leaves no key here in control of the account. Returns whether the user typed the confirmation.
 */
export async function typeLockOut(why: string): Promise<boolean> {
  const question = {
    title: t`This change would lock you out. To allow it, type the confirmation.`,
    detail: why,
  };
  if (!(await confirmModal(question, t`Type Confirmation…`))) return false;
  const typed = await textStep(
    { title: t`Lock Out`, step: 0, totalSteps: 0 },
    {
      prompt: t`Type ${LOCK_OUT} to continue to the review. Press Escape to change nothing.`,
      placeholder: LOCK_OUT,
      check: (text) => {
        if (text.trim() === "") return { kind: "empty" };
        return text.trim() === LOCK_OUT
          ? { kind: "good", value: true, message: t`The review comes next.` }
          : { kind: "wrong", message: t`This is not ${LOCK_OUT}.` };
      },
    },
  );
  return typed.kind === "value" && typed.value;
}

/** Shows how the built bytes differ from the request. Nothing was signed. */
export async function showDifferences(
  differences: readonly { path: string; asked: string; built: string }[],
): Promise<void> {
  const title = t`The gateway built a different transaction than you requested. Nothing was signed.`;
  await askModal("error", { title, detail: differencesText(differences) });
}

/** Argument of a command about one transaction: a row, or an object with a transaction id. */
export interface NamedTransaction {
  readonly txId?: string;
}

export interface Choice {
  /** Title of the list if the command was called without a row. */
  readonly title: string;
  /** Returns whether the command applies to a transaction. */
  readonly fits: (tracked: TrackedTransaction) => boolean;
  /** Describes these transactions, after "it is for". */
  readonly forWhat?: string;
  readonly nameOf: NameOf;
}

/**
 * Returns the transaction that a command is about: the one in its argument, or one that the user chooses from a list.
 * Returns undefined if the user cancels.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` no txID, or one that is not tracked
 */
export async function chooseTransaction(
  transactions: TransactionService,
  { txId }: NamedTransaction,
  choice: Choice,
): Promise<TrackedTransaction | undefined> {
  await transactions.ready();
  if (txId !== undefined) return named(transactions, txId);
  const listed = transactions.list().filter(({ hidden }) => !hidden);
  const items = listed
    .filter((it) => choice.fits(it))
    .map((tracked) => ({
      label: transactionLabel(tracked, choice.nameOf),
      description: stateText(tracked.state.kind),
      detail: tracked.txId,
      tracked,
    }));
  if (items.length > 0) return (await quickPick(items, { title: choice.title, matchOnDetail: true }))?.tracked;
  void notifyWithSteps("information", noneText(choice, listed.length), listed.length === 0 ? FIRST_ONES : []);
  return undefined;
}

/** Commands that add the first transaction to the list. */
const FIRST_ONES: readonly NextStep[] = [
  { title: t`Send Coins…`, command: "finality.sendCoins" },
  { title: t`Track Transaction…`, command: "finality.trackTransaction" },
];

function noneText({ title, forWhat }: Choice, listed: number): string {
  if (listed === 0)
    return t`${title}: the list has no transaction yet. Use Send Coins to create one, or Track Transaction to add one.`;
  return t`${title} applies to ${forWhat ?? t`other transactions`}, and the list has none now.`;
}

function named(transactions: TransactionService, text: string): TrackedTransaction {
  const txId = parseTxId(text);
  const tracked = txId === undefined ? undefined : transactions.get(txId);
  if (tracked !== undefined) return tracked;
  const reason = t`${shorten(text)} is not the txID of a tracked transaction`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "txId", reason });
}
