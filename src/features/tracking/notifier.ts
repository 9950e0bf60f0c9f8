import * as vscode from "vscode";
import type { TxId } from "../../core/primitives/hash.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import { type Notice, type NoticeAction, type NoticeContext, noticeAbout } from "./notifications.view.ts";

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
  announce(transactions: readonly TrackedTransaction[]): void {
    for (const it of transactions) {
      const notice = this.#messageAbout(it);
      if (this.#said.get(it.txId) === (notice?.message ?? "")) continue;
      this.#said.set(it.txId, notice?.message ?? "");
      if (notice !== undefined) void this.#show(notice, it.txId);
    }
  }

  #messageAbout(tracked: TrackedTransaction): Notice | undefined {
    return tracked.hidden || tracked.changedAt < this.#context.sessionStart
      ? undefined
      : noticeAbout(tracked, this.#context);
  }

  async #show({ severity, message, actions }: Notice, txId: TxId): Promise<void> {
    const show = severity === "error" ? vscode.window.showErrorMessage : vscode.window.showWarningMessage;
    const chosen = await show(message, ...actions);
    if (chosen !== undefined) this.#handle(chosen.action, txId);
  }
}
