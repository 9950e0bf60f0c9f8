import { labelText } from "@finality/tron/primitives";
import * as vscode from "vscode";

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

/**
 * Lets a person choose one.
 *
 * @param items - at least one: whoever has none says why there is none, and what to do
 * @returns undefined when the person left
 */
export async function quickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T | undefined> {
  if (items.length === 0) throw new Error(`${options.title ?? options.placeHolder}: a list without rows`);
  const shown = items.map(shownItem);
  const picked = await vscode.window.showQuickPick(shown, options);
  return picked && items[shown.indexOf(picked)];
}

/**
 * Lets a person choose several, those that are picked already to begin with: its rows come with the list, so an Enter
 * that is quicker than they are drawn leaves all as it was.
 *
 * @returns undefined when the person left
 */
export function quickPickMany<T extends vscode.QuickPickItem>(
  items: readonly T[],
  words: Pick<vscode.QuickPick<T>, "title" | "placeholder"> &
    Partial<Pick<vscode.QuickPick<T>, "ignoreFocusOut" | "matchOnDetail">>,
): Promise<readonly T[] | undefined> {
  const pick = vscode.window.createQuickPick<T>();
  const chosenNow = offerMany(pick, items, words);
  const chosen = new Promise<readonly T[] | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(chosenNow()));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  return chosen.finally(() => pick.dispose());
}

/**
 * Fills a list with check marks; what is picked already is checked.
 *
 * @returns what says which are checked now, in the order of the list
 */
export function offerMany<T extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<T>,
  items: readonly T[],
  look: Partial<vscode.QuickPick<T>>,
): () => readonly T[] {
  const shown = items.map(shownItem);
  const selectedItems = shown.filter(({ picked }) => picked === true);
  Object.assign(pick, look, { canSelectMany: true, items: shown, selectedItems });
  return () => items.filter((_, at) => pick.selectedItems.some((it) => it === shown[at]));
}

/**
 * Lets a person choose one of what is found by the words that are typed. The list of the editor itself would look at
 * labels alone.
 *
 * @param find - the rows for a text, the best first; asked for no text too
 * @param words - `none` is the row where nothing is found
 * @returns undefined when the person left
 */
export function searchPick<T extends vscode.QuickPickItem>(
  find: (typed: string) => readonly T[],
  { none, ...words }: { readonly title: string; readonly placeholder: string; readonly none: string },
): Promise<T | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly found?: T }>();
  const show = (typed: string): void => {
    const rows = find(typed).map((found) => ({ ...shownItem<vscode.QuickPickItem>(found), alwaysShow: true, found }));
    pick.items = rows.length > 0 ? rows : [{ ...shownItem({ label: none }), alwaysShow: true }];
  };
  Object.assign(pick, words);
  show("");
  const chosen = new Promise<T | undefined>((resolve) => {
    pick.onDidChangeValue(show);
    pick.onDidAccept(() => {
      const found = pick.activeItems[0]?.found;
      if (found !== undefined) resolve(found);
    });
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
