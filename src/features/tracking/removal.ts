import { transactionLabel } from "@finality/client/labels";
import { isUnsettled, type TrackedTransaction } from "@finality/client/tracking";
import type { NameOf } from "@finality/tron/format";
import { defined, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { calledByProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument, readTxId } from "../../host/commands/command-arguments.ts";
import { setContext } from "../../host/commands/commands.ts";
import { confirmInStatusBar, confirmModal, notify, programNote } from "../../host/prompts/notify.ts";
import { chooseTransaction } from "../../sending/dialogs.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import { isClearable } from "./groups.view.ts";
import type { TransactionsTree } from "./transactions-tree.ts";

interface RemovalServices {
  readonly transactions: TransactionService;
  readonly networkOf: (name: string) => { readonly local: boolean } | undefined;
  readonly nameOf: NameOf;
}

/** Rows of the list, as in `TransactionList`. */
interface ListedRows {
  selected(): readonly TxId[];
  focused(): Promise<readonly TxId[]>;
  readonly tree: Pick<TransactionsTree, "groups" | "filter">;
}

/** Removes transactions from the list, and shows them again. The journal keeps every entry. */
export class Removals {
  readonly #services: RemovalServices;
  readonly #list: ListedRows;
  /** Removals of this window that can be undone, oldest first. */
  readonly #removed: (readonly TxId[])[] = [];

  constructor(services: RemovalServices, list: ListedRows) {
    this.#services = services;
    this.#list = list;
  }

  /**
   * Removes the transactions in the argument, or one that the user chooses; with a selected row, all selected ones. Asks
   * if one may still be executed, and before several are removed. Returns undefined if the user cancels.
   *
   * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
   */
  async remove(argument: CommandArguments["finality.removeFromList"]): Promise<string | undefined> {
    const chosen = await this.#chosen(argument);
    const unsettled = chosen.filter(isUnsettled).length;
    const asks = unsettled > 0 || (calledByProgram() ? !this.#areLocal(chosen) : chosen.length > 1);
    return await this.#remove(chosen, asks);
  }

  /** Removes the focused transaction, or all selected ones, after a dialog. Returns undefined if the user cancels. */
  async removeSelected(): Promise<string | undefined> {
    const chosen = this.#tracked(await this.#list.focused());
    if (chosen.length === 0) confirmInStatusBar(t`No transaction is selected`);
    return await this.#remove(chosen, true);
  }

  /**
   * Removes the final transactions of a group, or of the list. Returns undefined if the user cancels.
   *
   * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` no such group
   */
  async clearFinal({
    group,
  }: CommandArguments["finality.clearFinal"]): Promise<{ readonly removed: number } | undefined> {
    await this.#services.transactions.ready();
    const { groups: all, filter } = this.#list.tree;
    const cleared = group === undefined ? all : all.filter(({ kind }) => kind === group);
    if (cleared.length === 0 && group !== undefined) throw malformedArgument("group", t`the list has no such group`);
    const final = cleared.flatMap(({ transactions }) => transactions).filter(isClearable);
    if (final.length === 0) {
      void notify("information", t`No transaction in the list is final.`);
      return { removed: 0 };
    }
    const title =
      final.length === 1
        ? t`Remove 1 final transaction from the list?`
        : t`Remove ${final.length} final transactions from the list?`;
    const only = filter === undefined ? [] : [t`Only transactions that match the filter are removed: ${filter.text}.`];
    const detail = [...only, KEPT].join(" ");
    if (!(await confirmModal({ title, detail: withProgramNote(detail) }, t`Clear`))) return undefined;
    await this.#hide(final);
    return { removed: final.length };
  }

  /** Shows the transactions of the last removal again. */
  async undo(): Promise<{ readonly restored: number }> {
    const txIds = this.#removed.pop() ?? [];
    this.#showUndo();
    await this.#services.transactions.restore(...txIds);
    confirmInStatusBar(txIds.length === 0 ? t`Nothing was removed in this window` : restoredText(txIds.length));
    return { restored: txIds.length };
  }

  async #chosen({ txId, txIds }: CommandArguments["finality.removeFromList"]): Promise<readonly TrackedTransaction[]> {
    const { transactions, nameOf } = this.#services;
    await transactions.ready();
    if (txIds !== undefined) return txIds.map((it) => this.#named(it));
    const selected = calledByProgram() ? [] : this.#tracked(this.#list.selected());
    if (selected.some((it) => it.txId === txId)) return selected;
    const choice = { title: t`Remove from List`, fits: () => true, nameOf };
    const chosen = await chooseTransaction(transactions, defined({ txId }), choice);
    return chosen === undefined ? [] : [chosen];
  }

  #named(text: string): TrackedTransaction {
    const tracked = this.#services.transactions.get(readTxId("txIds", text));
    if (tracked === undefined) throw malformedArgument("txIds", t`one of them is not tracked`);
    return tracked;
  }

  #tracked(txIds: readonly TxId[]): readonly TrackedTransaction[] {
    return txIds.flatMap((it) => this.#services.transactions.get(it) ?? []);
  }

  #areLocal(all: readonly TrackedTransaction[]): boolean {
    const { transactions, networkOf } = this.#services;
    return all.every((it) => networkOf(transactions.networkOf(it))?.local === true);
  }

  async #remove(chosen: readonly TrackedTransaction[], asks: boolean): Promise<string | undefined> {
    const [first] = chosen;
    if (first === undefined || (asks && !(await this.#confirm(first, chosen)))) return undefined;
    await this.#hide(chosen);
    return first.txId;
  }

  async #confirm(first: TrackedTransaction, all: readonly TrackedTransaction[]): Promise<boolean> {
    const title =
      all.length === 1
        ? t`Remove ${transactionLabel(first, this.#services.nameOf)} from the list?`
        : t`Remove ${all.length} transactions from the list?`;
    const unsettled = all.filter(isUnsettled).length;
    const detail = [...(unsettled === 0 ? [] : [unsettledText(unsettled, all.length)]), KEPT].join(" ");
    return await confirmModal({ title, detail: withProgramNote(detail) }, t`Remove`);
  }

  async #hide(removed: readonly TrackedTransaction[]): Promise<void> {
    const txIds = removed.map(({ txId }) => txId);
    await this.#services.transactions.hide(...txIds);
    this.#removed.push(txIds);
    this.#showUndo();
    void this.#offerUndo(txIds);
  }

  async #offerUndo(txIds: readonly TxId[]): Promise<void> {
    const message =
      txIds.length === 1
        ? t`1 transaction removed from the list.`
        : t`${txIds.length} transactions removed from the list.`;
    if ((await notify("information", message, UNDO)) === undefined) return;
    const at = this.#removed.indexOf(txIds);
    if (at < 0) return;
    this.#removed.splice(at, 1);
    this.#showUndo();
    await this.#services.transactions.restore(...txIds);
    confirmInStatusBar(restoredText(txIds.length));
  }

  #showUndo(): void {
    setContext("finality.canUndoRemove", this.#removed.length > 0);
  }
}

const UNDO = t`Undo Remove`;
const KEPT = t`The journal keeps every entry. Undo Remove shows the rows again while this window is open, and Track Transaction does at any time.`;

function unsettledText(unsettled: number, removed: number): string {
  if (removed === 1) return t`It may still be executed, and Finality will no longer track it.`;
  return unsettled === 1
    ? t`1 of them may still be executed, and Finality will no longer track it.`
    : t`${unsettled} of them may still be executed, and Finality will no longer track them.`;
}

function withProgramNote(detail: string): string {
  return calledByProgram() ? `${detail}\n\n${programNote()}` : detail;
}

function restoredText(count: number): string {
  return count === 1 ? t`1 transaction is in the list again` : t`${count} transactions are in the list again`;
}
