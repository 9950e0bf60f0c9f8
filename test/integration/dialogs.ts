import type * as vscode from "vscode";
import { editorOfProduct } from "./product.ts";

/** A dialog as it was shown. */
export interface ShownDialog {
  readonly title: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

type Item = string | { readonly title: string };
const titleOf = (item: Item): string => (typeof item === "string" ? item : item.title);

/** What each remote host asks once, before the first signature: the keys travel there. A workbench in a browser is one. */
const HOST_QUESTION = /^Sign on .+\?$/;

function ofHost(title: string, items: readonly Item[]): Item | undefined {
  return HOST_QUESTION.test(title) ? items.find((it) => titleOf(it) === "Sign There") : undefined;
}

/** From now on the person lets this host sign, whenever the question comes. */
export function letHostSign(): void {
  const window = editorOfProduct().window as unknown as Record<string, (...input: never[]) => unknown>;
  const { showWarningMessage: show } = window;
  window.showWarningMessage = async (title: string, ...rest: never[]) =>
    ofHost(title, rest.slice(1)) ?? show?.(title as never, ...rest);
}

/**
 * Answers every modal dialog while `work` runs: with the button of this title, or by Escape where there is none. It
 * stands in for the window of the extension.
 *
 * @param hear - is told every message, also those that are no dialog
 * @returns the dialogs that were shown
 */
export async function answering(
  button: string | undefined,
  work: () => PromiseLike<unknown>,
  hear: (message: string) => void = () => undefined,
): Promise<readonly ShownDialog[]> {
  const shown: ShownDialog[] = [];
  const window = editorOfProduct().window as unknown as Record<string, (...input: never[]) => unknown>;
  const names = ["showWarningMessage", "showInformationMessage", "showErrorMessage"];
  const originals = names.map((name) => [name, window[name]] as const);
  for (const name of names) {
    window[name] = async (title: string, options: vscode.MessageOptions, ...items: Item[]) => {
      const allowed = ofHost(title, items);
      if (allowed !== undefined) return allowed;
      hear([title, options.detail, ...items.map(titleOf)].join("\n"));
      if (options.modal !== true) return undefined;
      shown.push({ title, detail: options.detail ?? "", buttons: items.map(titleOf) });
      return items.find((it) => titleOf(it) === button);
    };
  }
  try {
    await work();
  } finally {
    for (const [name, original] of originals) if (original !== undefined) window[name] = original;
  }
  return shown;
}

/** Types into each box while `work` runs; undefined is Escape. @returns what the boxes asked for */
export async function typing(
  texts: readonly (string | undefined)[],
  work: () => PromiseLike<unknown>,
): Promise<readonly string[]> {
  const left = [...texts];
  const prompts: string[] = [];
  const window = editorOfProduct().window as unknown as Record<string, unknown>;
  const original = window.showInputBox;
  window.showInputBox = async ({ prompt = "" }: vscode.InputBoxOptions) => {
    prompts.push(prompt);
    return left.shift();
  };
  try {
    await work();
  } finally {
    window.showInputBox = original;
  }
  return prompts;
}
