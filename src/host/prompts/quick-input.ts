import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { labelText } from "../../core/primitives/plain-text.ts";

const LONG = 1_000;

/** What the check of an input says below it. */
export type Validation = string | vscode.InputBoxValidationMessage | undefined;

export interface InputOptions extends Omit<vscode.InputBoxOptions, "validateInput"> {
  readonly validateInput?: (text: string) => Validation;
}

/**
 * Asks for a line of text. This file and `step-input.ts` are the one way to the boxes and lists of the editor, which
 * makes links of their words, commands too, and icons: whatever comes here is shown as text.
 *
 * @returns undefined when the person left
 */
export async function inputBox(options: InputOptions): Promise<string | undefined> {
  const { validateInput, prompt = "", ...others } = options;
  return await vscode.window.showInputBox({
    ...others,
    prompt: shownText(prompt),
    ...(validateInput === undefined ? {} : { validateInput: (text) => shownValidation(validateInput(text)) }),
  });
}

/** Lets a person choose one. A list without rows is none: that is said. @returns undefined when the person left */
export async function quickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T | undefined> {
  if (items.length === 0) {
    const { notify } = await import("./notify.ts");
    await notify("information", t`${options.title ?? "Here"}: there is nothing to choose from.`);
    return undefined;
  }
  const shown = items.map(shownItem);
  const picked = await vscode.window.showQuickPick(shown, options);
  return picked && items[shown.indexOf(picked)];
}

/** Lets a person choose several. @returns undefined when the person left */
export async function quickPickMany<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<readonly T[] | undefined> {
  const shown = items.map(shownItem);
  const picked = await vscode.window.showQuickPick(shown, { ...options, canPickMany: true });
  return picked && items.filter((_, index) => shown[index] !== undefined && picked.includes(shown[index]));
}

/**
 * Lets a person choose one of what is found by the words that are typed. The list of the editor itself would look at
 * labels alone.
 *
 * @param find - the rows for a text, the best first; asked for no text too
 * @returns undefined when the person left
 */
export function searchPick<T extends vscode.QuickPickItem>(
  find: (typed: string) => readonly T[],
  words: { readonly title: string; readonly placeholder: string },
): Promise<T | undefined> {
  const pick = vscode.window.createQuickPick<T & { readonly found: T }>();
  const show = (typed: string): void => {
    pick.items = find(typed).map((found) => ({ ...shownItem(found), alwaysShow: true, found }));
  };
  Object.assign(pick, words);
  show("");
  const chosen = new Promise<T | undefined>((resolve) => {
    pick.onDidChangeValue(show);
    pick.onDidAccept(() => resolve(pick.activeItems[0]?.found));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  return chosen.finally(() => pick.dispose());
}

/** An entry of a list whose only icon is the one at the beginning of its label. */
export function shownItem<T extends vscode.QuickPickItem>(item: T): T {
  const { description, detail } = item;
  return {
    ...item,
    label: shownLabel(item.label),
    ...(description === undefined ? {} : { description: shownText(description) }),
    ...(detail === undefined ? {} : { detail: shownText(detail) }),
  };
}

/** The words around an input. */
export function shownText(text: string): string {
  return labelText(text, LONG);
}

export function shownValidation(validation: Validation): Validation {
  if (validation === undefined || typeof validation === "string") return validation && shownText(validation);
  return { ...validation, message: shownText(validation.message) };
}

function shownLabel(label: string): string {
  const [icon = ""] = /^\$\([a-z-]+\) /.exec(label) ?? [];
  return icon + shownText(label.slice(icon.length));
}
