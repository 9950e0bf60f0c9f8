import * as vscode from "vscode";
import type { OwnClicks } from "../../host/commands/commands.ts";
import type { TreeNode } from "./transactions-tree.ts";

/** Files and texts that are dropped on the list are taken as transactions: each is shown before anything happens. */
export class DroppedTransactions implements vscode.TreeDragAndDropController<TreeNode> {
  readonly dropMimeTypes = ["text/uri-list", "text/plain"];
  readonly dragMimeTypes: readonly string[] = [];
  readonly #clicks: Pick<OwnClicks, "of">;

  constructor(clicks: Pick<OwnClicks, "of">) {
    this.#clicks = clicks;
  }

  async handleDrop(_target: TreeNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const uris = await data.get("text/uri-list")?.asString();
    const [uri] = (uris ?? "").split(/\r?\n/).filter((it) => it !== "" && !it.startsWith("#"));
    const text = uri === undefined ? await data.get("text/plain")?.asString() : undefined;
    if (uri === undefined && text === undefined) return;
    const dropped = this.#clicks.of({ kind: "drop", ...(uri === undefined ? { text } : { uri }) });
    await vscode.commands.executeCommand("finality.importSignedTransaction", dropped);
  }
}
