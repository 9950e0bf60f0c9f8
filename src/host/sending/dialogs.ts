import * as vscode from "vscode";
import type { ChainPlace } from "../../core/chain/chain-place.ts";
import { ChainError } from "../../core/errors/chain-error.ts";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import { parseTxId, shorten } from "../../core/primitives/bytes.ts";
import type { Duplicate } from "../../core/watch/look-before.ts";
import type { NameOf } from "../../words/forms/short.ts";
import { transactionLabel } from "../../words/sentences/transactions.ts";
import { askModal, confirmModal, notify, showProgress } from "../prompts/notify.ts";
import { quickPick } from "../prompts/quick-input.ts";
import { textStep } from "../prompts/step-input.ts";
import { differencesText, duplicateText } from "./sending-words.ts";
import type { TransactionService } from "./transaction-service.ts";

/** Shows that something is going on, in the view and nowhere else. */
export function whileWorking<T>(title: string, work: () => Promise<T>): Promise<T> {
  const place = { location: { viewId: "finality.transactions" }, title };
  return showProgress(place, work);
}

/** Stops before a payment that may happen twice. The first button, and Escape, pay nothing. */
export async function confirmDuplicate(duplicate: Duplicate, place: ChainPlace, nameOf: NameOf): Promise<boolean> {
  const what = transactionLabel(duplicate.tracked, nameOf);
  const { title, detail } = duplicateText(what, duplicate, place);
  const [show, again] = ["Show the First One", "Pay a Second Time"];
  const chosen = await askModal("warning", { title, detail }, show, again);
  if (chosen === show)
    await vscode.commands.executeCommand("finality.showTransaction", { txId: duplicate.tracked.txId });
  return chosen === again;
}

/** What has to be typed; nobody types it by mistake. */
export const LOCK_OUT = "LOCK OUT";

/**
 * Explains that a change would leave nobody here who decides over the account, and lets it pass only when the person
 * types so.
 */
export async function typeLockOut(why: string): Promise<boolean> {
  const question = {
    title: "This change would lock you out. It is refused unless you type that you want it.",
    detail: why,
  };
  if (!(await confirmModal(question, "Type It…"))) return false;
  const typed = await textStep(
    { title: "Lock Out", step: 0, totalSteps: 0 },
    {
      prompt: `Type ${LOCK_OUT} to go on to the review. Escape changes nothing.`,
      placeholder: LOCK_OUT,
      check: (text) => {
        if (text.trim() === "") return { kind: "empty" };
        return text.trim() === LOCK_OUT
          ? { kind: "good", value: true, message: "The review comes next." }
          : { kind: "wrong", message: `This is not ${LOCK_OUT}.` };
      },
    },
  );
  return typed.kind === "value" && typed.value;
}

/** Says what the gateway built instead. There is nothing to decide: nothing was signed. */
export async function showDifferences(
  differences: readonly { path: string; asked: string; built: string }[],
): Promise<void> {
  const title = "The gateway built something else than you asked. Nothing was signed.";
  await askModal("error", { title, detail: differencesText(differences) });
}

/** The transaction that a command was told: the one of a row of the tree, or of an object with a txID. */
export interface NamedTransaction {
  readonly txId?: string;
}

export interface Choice {
  /** The question, when a command was called without a row. */
  readonly title: string;
  /** Which transactions the command can do something with. */
  readonly fits: (tracked: TrackedTransaction) => boolean;
  readonly nameOf: NameOf;
}

/**
 * The transaction that a command is about: the one of its argument, or one that the person chooses.
 *
 * @returns undefined when the person left, or there is nothing to choose from and that was said
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` no txID, or one that is not tracked
 */
export async function chooseTransaction(
  transactions: TransactionService,
  { txId }: NamedTransaction,
  choice: Choice,
): Promise<TrackedTransaction | undefined> {
  await transactions.ready();
  if (txId !== undefined) return named(transactions, txId);
  const items = transactions
    .list()
    .filter((it) => !it.hidden && choice.fits(it))
    .map((tracked) => ({
      label: transactionLabel(tracked, choice.nameOf),
      description: tracked.state.kind,
      detail: tracked.txId,
      tracked,
    }));
  if (items.length > 0) return (await quickPick(items, { title: choice.title, matchOnDetail: true }))?.tracked;
  await notify("information", `${choice.title}: there is no transaction for this now.`);
  return undefined;
}

function named(transactions: TransactionService, text: string): TrackedTransaction {
  const txId = parseTxId(text);
  const tracked = txId === undefined ? undefined : transactions.get(txId);
  if (tracked !== undefined) return tracked;
  const reason = `${shorten(text)} is not the txID of a tracked transaction`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "txId", reason });
}
