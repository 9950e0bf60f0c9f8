import * as vscode from "vscode";
import type { TxId } from "../../core/primitives/hash.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { Notice, NoticeAction, NoticeContext } from "./notifications.view.ts";

/** What a button of a notice does. */
export type NoticeHandler = (action: NoticeAction, txId: TxId) => void;

/**
 * Speaks up about a transaction when it comes to a state that must not stay unseen, once for each. What was so before this
 * window began is in the tree and is not said again.
 */
export class Notifier {
  readonly #context: NoticeContext;
  readonly #handle: NoticeHandler;
  readonly #said = new Map<TxId, string>();

  constructor(context: NoticeContext, handle: NoticeHandler) {
    this.#context = context;
    this.#handle = handle;
  }

  /** Says what is new about these transactions. */
  async announce(transactions: readonly TrackedTransaction[]): Promise<void> {
    const { sessionStart } = this.#context;
    const fresh = transactions.filter(({ hidden, changedAt }) => !hidden && changedAt >= sessionStart);
    if (fresh.length === 0) return;
    const { noticeAbout } = await import("./notifications.view.ts");
    for (const it of fresh) this.#say(it.txId, noticeAbout(it, this.#context));
  }

  #say(txId: TxId, notice: Notice | undefined): void {
    const message = notice?.message ?? "";
    if (this.#said.get(txId) === message) return;
    this.#said.set(txId, message);
    if (notice !== undefined) void this.#show(notice, txId);
  }

  async #show({ severity, message, actions }: Notice, txId: TxId): Promise<void> {
    const show = severity === "error" ? vscode.window.showErrorMessage : vscode.window.showWarningMessage;
    const chosen = await show(message, ...actions);
    if (chosen !== undefined) this.#handle(chosen.action, txId);
  }
}
