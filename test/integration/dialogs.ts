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

/** Question before the first signature on each remote host, because keys are sent there. A browser workbench is remote. */
const HOST_QUESTION = /^Sign on .+\?$/;

function ofHost(title: string, items: readonly Item[]): Item | undefined {
  return HOST_QUESTION.test(title) ? items.find((it) => titleOf(it) === "Sign There") : undefined;
}

/** The person agrees to what a test does as a program, unless the test looks at the question. */
function ofProgram(items: readonly Item[]): Item | undefined {
  const [first, ...others] = items.map(titleOf);
  if (first !== "Do Nothing") return undefined;
  return items[1 + Math.max(0, others.indexOf("Add as Test Network"))];
}

/** From now on the person lets this host sign, and programs act, whenever the questions come. */
export function letHostSign(): void {
  const window = editorOfProduct().window as unknown as Record<string, (...input: never[]) => unknown>;
  const { showWarningMessage: show } = window;
  window.showWarningMessage = async (title: string, ...rest: never[]) =>
    ofHost(title, rest.slice(1)) ?? ofProgram(rest.slice(1)) ?? show?.(title as never, ...rest);
}

/**
 * Answers every modal dialog while `work` runs: with the button of this title, or by Escape without one. Consents for
 * programs are granted unless a function decides about each dialog. It replaces the window of the extension.
 *
 * @param hear - is told every message, also those that are no dialog
 * @returns the dialogs that were shown
 */
export async function answering(
  button: string | undefined | ((dialog: ShownDialog) => string | undefined | Promise<string | undefined>),
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
      const dialog = { title, detail: options.detail ?? "", buttons: items.map(titleOf) };
      const answer = typeof button === "function" ? await button(dialog) : button;
      const chosen = items.find((it) => titleOf(it) === answer);
      const agreed = typeof button !== "string" || chosen !== undefined ? undefined : ofProgram(items);
      if (agreed !== undefined) return agreed;
      shown.push(dialog);
      return chosen;
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
