import { transactionLabel } from "@finality/client/labels";
import type { AbiIndex } from "@finality/tron/abi";
import { counted } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { confirmForProgram, confirmInStatusBar, notify } from "../../host/prompts/notify.ts";
import { inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import { writeTable } from "../../host/prompts/write-table.ts";
import { chooseTransaction } from "../../sending/dialogs.ts";
import { Arrangement } from "./arrangement.ts";
import { transactionsCsv, transactionsJson } from "./export-transactions.view.ts";
import { Removals } from "./removal.ts";
import type { TrackingServices, TransactionList } from "./tracking-services.ts";
import { type FactContext, tagsIn } from "./transaction-facts.view.ts";

/** Commands about the list: removal, groups, filter, notes and export. */
type ListCommands = Pick<
  Commands<"tracking">,
  | "finality.removeFromList"
  | "finality.removeSelected"
  | "finality.clearFinal"
  | "finality.undoRemove"
  | "finality.groupTransactions"
  | "finality.filterTransactions"
  | "finality.clearTransactionFilter"
  | "finality.showMoreTransactions"
  | "finality.editNote"
  | "finality.exportTransactions"
>;

const NOTE_LENGTH = 1_000;

export interface ListPart extends vscode.Disposable {
  readonly commands: ListCommands;
  /** Removes the filter if it excludes a transaction that has to be shown. */
  show(txId: TxId): void;
}

/** Creates the commands about the list. */
export function createListCommands(services: TrackingServices, list: TransactionList): ListPart {
  const { transactions, nameOf, notes, keys, names } = services;
  const removals = new Removals(services, list);
  let index: AbiIndex | undefined;
  const facts: FactContext = {
    nameOf,
    networkOf: (it) => transactions.networkOf(it),
    functionOf: (selector) => index?.lookup(selector).find(({ kind }) => kind === "function")?.signature,
    noteOf: (txId) => notes.of(txId),
  };
  const namesReady = async (): Promise<void> => {
    const loaded = await names();
    await loaded.nearlyReady();
    index = loaded.index;
  };
  const arrangement = new Arrangement({
    tree: list.tree,
    list: () => transactions.list(),
    facts,
    namesReady,
    addressOf: (name) => keys.addressOf(name),
    state: services.workspaceState,
    describe: list.describe,
  });
  const subscriptions = services.onDidChangeContext(() => arrangement.refresh());
  return {
    commands: {
      "finality.removeFromList": (argument) => removals.remove(argument),
      "finality.removeSelected": () => removals.removeSelected(),
      "finality.clearFinal": (argument) => removals.clearFinal(argument),
      "finality.undoRemove": () => removals.undo(),
      "finality.groupTransactions": (argument) => arrangement.group(argument),
      "finality.filterTransactions": async (argument) => {
        await transactions.ready();
        return await arrangement.filter(argument);
      },
      "finality.clearTransactionFilter": () => arrangement.clear(),
      "finality.showMoreTransactions": async ({ group }) => {
        if (!(await list.showMore(group ?? ""))) confirmInStatusBar(t`All transactions are shown`);
      },
      "finality.editNote": async (argument) => {
        const edited = await editNote(services, argument);
        arrangement.refresh();
        list.tree.refresh();
        return edited;
      },
      "finality.exportTransactions": async (argument, raw) => {
        await Promise.all([transactions.ready(), namesReady()]);
        return await exportTransactions(services, { facts, list }, argument, raw);
      },
    },
    show: (txId) => {
      const isExcluded = list.tree.filter !== undefined && !list.tree.groups.some((it) => hasRow(it, txId));
      if (isExcluded) arrangement.clear();
    },
    dispose: () => subscriptions.dispose(),
  };
}

function hasRow({ transactions }: { readonly transactions: readonly { readonly txId: TxId }[] }, txId: TxId): boolean {
  return transactions.some((it) => it.txId === txId);
}

/** Note of a transaction, with its tags. */
interface EditedNote {
  readonly txId: TxId;
  readonly note: string;
  readonly tags: readonly string[];
}

/**
 * Edits the note on a transaction. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `NOTE_UNWRITABLE`
 */
async function editNote(
  { transactions, nameOf, notes }: TrackingServices,
  { note: given, ...argument }: CommandArguments["finality.editNote"],
): Promise<EditedNote | undefined> {
  const title = t`Edit Note`;
  const tracked = await chooseTransaction(transactions, argument, { title, fits: () => true, nameOf });
  if (tracked === undefined) return undefined;
  const { txId } = tracked;
  await notes.read();
  const label = transactionLabel(tracked, nameOf);
  const text = given ?? (await askNote(label, notes.of(txId)));
  if (text === undefined) return undefined;
  const note = text.trim().slice(0, NOTE_LENGTH);
  const question = {
    title: note === "" ? t`Remove the note on ${label}?` : t`Save this note on ${label}?`,
    detail: note,
  };
  if (!(await confirmForProgram(question, note === "" ? t`Remove` : t`Save`))) return undefined;
  await notes.write(txId, note);
  return { txId, note, tags: tagsIn(note) };
}

function askNote(label: string, current: string | undefined): Promise<string | undefined> {
  return inputBox({
    title: t`Edit Note`,
    prompt: t`Note on ${label}. Words that begin with # are tags. Leave it empty to remove the note.`,
    placeHolder: t`May #rent`,
    value: current ?? "",
    validateInput: (text) =>
      text.trim().length > NOTE_LENGTH ? t`A note has at most ${NOTE_LENGTH} characters.` : undefined,
  });
}

/** Result of an export. */
interface ExportedTransactions {
  /** Number of transactions. */
  readonly transactions: number;
  readonly json: string;
  readonly csv: string;
  /** Path of the file. */
  readonly file?: string;
}

/**
 * Exports the transactions of the list as CSV or JSON; with a filter, all or the shown ones. Returns undefined if the
 * user cancels.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` for a named file that exists
 */
async function exportTransactions(
  { transactions }: TrackingServices,
  { facts, list }: { readonly facts: FactContext; readonly list: TransactionList },
  { file, shown }: CommandArguments["finality.exportTransactions"],
  raw: unknown,
): Promise<ExportedTransactions | undefined> {
  const all = transactions.list().filter(({ hidden }) => !hidden);
  const { filter } = list.tree;
  const matching = filter === undefined ? all : all.filter((it) => filter.matches(it));
  if (all.length === 0 && !isCallOfProgram(raw)) {
    await notify("information", t`There is nothing to export: the list has no transaction.`);
    return undefined;
  }
  const title = t`Export Transactions`;
  const count = (it: readonly unknown[]): string => counted(it.length, t`transaction`, t`transactions`);
  const items = [
    { label: t`All`, description: count(all), chosen: all },
    { label: t`Shown by the Filter`, description: count(matching), chosen: matching },
  ];
  const asks = filter !== undefined && shown === undefined && !isCallOfProgram(raw);
  const chosen = asks ? (await quickPick(items, { title }))?.chosen : shown === true ? matching : all;
  if (chosen === undefined) return undefined;
  const texts = { json: transactionsJson(chosen, facts), csv: transactionsCsv(chosen, facts) };
  const written = await writeTable(texts, { title, fileName: "transactions", what: count(chosen), named: file }, raw);
  return written && { transactions: chosen.length, ...texts, ...written };
}
