import * as vscode from "vscode";

/**
 * Works for a document as long as it is open: with its last tab nobody waits any more, though the editor may keep the
 * document for minutes after it.
 *
 * @returns `undefined` when it was closed
 */
export async function whileOpen<T>(
  { uri }: vscode.TextDocument,
  work: (closed: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const controller = new AbortController();
  const { signal } = controller;
  const close = (isClosed: boolean): void => {
    if (isClosed) controller.abort(new vscode.CancellationError());
  };
  const { tabGroups } = vscode.window;
  const isOurs = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
  const isShown = (): boolean => tabGroups.all.some(({ tabs }) => tabs.some(isOurs));
  const watching = vscode.Disposable.from(
    vscode.workspace.onDidCloseTextDocument((closed) => close(closed.uri.toString() === uri.toString())),
    tabGroups.onDidChangeTabs(({ closed }) => close(closed.some(isOurs) && !isShown())),
  );
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  } finally {
    watching.dispose();
  }
}
