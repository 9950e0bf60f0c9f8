import type { Checked } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { offerMany, shownItem, shownText, shownValidation } from "./quick-input.ts";

/** Where a step stands among its siblings. */
export interface StepPlace {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

/** What a step gave: a value, the wish to go back, or nothing because it was left. */
export type StepResult<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "back" }
  | { readonly kind: "left" };

export interface PickStep<T extends vscode.QuickPickItem> {
  readonly placeholder: string;
  readonly items: readonly T[];
  /** An item made from what was typed, for values that are not in the list. */
  readonly typed?: (text: string) => T | undefined;
  /** Whether an item may be chosen; one that only explains may not. */
  readonly mayPick: (item: T) => boolean;
  /** Why the list is empty, where it may be: a person never meets a list without a row. */
  readonly none?: string;
}

/** A list to choose from, or to type something into. */
export function pickStep<T extends vscode.QuickPickItem>(place: StepPlace, step: PickStep<T>): Promise<StepResult<T>> {
  const pick = vscode.window.createQuickPick<T>();
  const detail = step.none ?? (step.typed === undefined ? "" : WHY_NONE);
  const why = { label: t`$(info) Nothing to choose from yet`, detail, alwaysShow: true } as T;
  const items = (step.items.length === 0 ? [why] : step.items).map(shownItem);
  Object.assign(pick, place, {
    placeholder: step.placeholder,
    items,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  pick.onDidChangeValue((text) => {
    const typed = step.typed?.(text);
    // The row that explains an empty list goes as soon as there is one to choose: else it would have the focus.
    pick.items = typed === undefined ? items : [...(step.items.length === 0 ? [] : items), shownItem(typed)];
  });
  return runStep(pick, place, () => {
    const [item] = pick.activeItems;
    const isRow = step.items.length > 0 || item !== items[0];
    return item !== undefined && isRow && step.mayPick(item) ? item : undefined;
  });
}

/** What an empty list says that nobody gave other words, where something may be typed. */
const WHY_NONE = t`Paste or type it above.`;

/**
 * A list to choose several from; those that are picked already begin so. What is chosen beyond `most` is let go.
 *
 * @returns at least one, in the order of the list
 */
export function pickManyStep<T extends vscode.QuickPickItem>(
  place: StepPlace,
  step: { readonly placeholder: string; readonly items: readonly T[]; readonly most: number },
): Promise<StepResult<readonly T[]>> {
  const pick = vscode.window.createQuickPick<T>();
  const chosenNow = offerMany(pick, step.items, {
    ...place,
    placeholder: shownText(step.placeholder),
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  pick.onDidChangeSelection((chosen) => {
    if (chosen.length > step.most) pick.selectedItems = chosen.slice(0, step.most);
  });
  return runStep(pick, place, () => {
    const chosen = chosenNow();
    return chosen.length === 0 ? undefined : chosen;
  });
}

export interface TextStep<T> {
  readonly prompt: string;
  readonly placeholder: string;
  readonly check: (text: string) => Checked<T>;
  /** What stands there to begin with. */
  readonly value?: string;
  /** Nothing of it is shown. */
  readonly secret?: boolean;
}

/** A line of text that is checked while it is typed. */
export function textStep<T>(place: StepPlace, step: TextStep<T>): Promise<StepResult<T>> {
  const input = vscode.window.createInputBox();
  const { prompt, placeholder, value = "", secret: password = false } = step;
  Object.assign(input, place, { prompt: shownText(prompt), placeholder, value, password, ignoreFocusOut: true });
  input.onDidChangeValue((text) => {
    input.validationMessage = shownValidation(validationMessage(step.check(text)));
  });
  return runStep(input, place, () => {
    const checked = step.check(input.value);
    return checked.kind === "good" ? checked.value : undefined;
  });
}

function validationMessage<T>(checked: Checked<T>): vscode.InputBoxValidationMessage | undefined {
  switch (checked.kind) {
    case "empty":
      return undefined;
    case "good":
      return checked.message === undefined
        ? undefined
        : { message: checked.message, severity: vscode.InputBoxValidationSeverity.Info };
    case "wrong":
      return { message: checked.message, severity: vscode.InputBoxValidationSeverity.Error };
  }
}

type Input = vscode.QuickInput & {
  buttons: readonly vscode.QuickInputButton[];
  readonly onDidAccept: vscode.Event<void>;
  readonly onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
};

/**
 * Shows an input until it gives a value, goes back, or is left. It closes only when the next one may take its place.
 */
function runStep<T>(input: Input, place: StepPlace, accept: () => T | undefined): Promise<StepResult<T>> {
  const result = new Promise<StepResult<T>>((resolve) => {
    if (place.step > 1) input.buttons = [vscode.QuickInputButtons.Back];
    input.onDidAccept(() => {
      const value = accept();
      if (value !== undefined) resolve({ kind: "value", value });
    });
    input.onDidTriggerButton(() => resolve({ kind: "back" }));
    input.onDidHide(() => resolve({ kind: "left" }));
    input.show();
  });
  return result.finally(() => input.dispose());
}
