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

/** Lets a person choose one. @returns undefined when the person left */
export async function quickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T | undefined> {
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
