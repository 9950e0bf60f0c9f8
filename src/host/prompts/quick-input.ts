import { type NetworkProfile, networkLabel } from "@finality/client/gateway";
import { likenessOf } from "@finality/client/labels";
import { ChainError, isChainError } from "@finality/tron/errors";
import type { Checked } from "@finality/tron/format";
import { type Address, labelText, parseAddress, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Networks } from "../networks/networks.ts";

const LONG = 1_000;

/** Validation message below an input. */
type Validation = string | vscode.InputBoxValidationMessage | undefined;

export interface InputOptions extends Omit<vscode.InputBoxOptions, "validateInput"> {
  readonly validateInput?: (text: string) => Validation;
}

/**
 * Prompts for a line of text. All boxes and lists use this module: VS Code turns parts of their texts into links,
 * commands and icons, and here every text is shown literally.
 *
 * @returns undefined if the user cancels
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
 * Shows a list to choose one item from.
 *
 * @param items - at least one: callers explain an empty list themselves
 * @returns undefined if the user cancels
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
 * Shows a list to choose several items from. Picked items are part of the initial state, so an early Enter keeps them.
 *
 * @returns undefined if the user cancels
 */
export function quickPickMany<T extends vscode.QuickPickItem>(
  items: readonly T[],
  texts: Pick<vscode.QuickPick<T>, "title" | "placeholder"> &
    Partial<Pick<vscode.QuickPick<T>, "ignoreFocusOut" | "matchOnDetail">>,
): Promise<readonly T[] | undefined> {
  const pick = vscode.window.createQuickPick<T>();
  const chosenNow = offerMany(pick, items, texts);
  const chosen = new Promise<readonly T[] | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(chosenNow()));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  return chosen.finally(() => pick.dispose());
}

/**
 * Fills a list with check boxes. Returns a function that gives the checked items, in the order of the list.
 */
function offerMany<T extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<T>,
  items: readonly T[],
  properties: Partial<vscode.QuickPick<T>>,
): () => readonly T[] {
  const shown = items.map(shownItem);
  const selectedItems = shown.filter(({ picked }) => picked === true);
  Object.assign(pick, properties, { canSelectMany: true, items: shown, selectedItems });
  return () => items.filter((_, at) => pick.selectedItems.some((it) => it === shown[at]));
}

/**
 * Shows a list of search results. VS Code's own filter would match labels only.
 *
 * @param find - returns the items for a text, best first; also called with an empty text
 * @param words - `none` is shown if nothing matches
 * @returns undefined if the user cancels
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

/** Returns an item whose only icon is the one at the start of its label. */
function shownItem<T extends vscode.QuickPickItem>(item: T): T {
  const { description, detail } = item;
  return {
    ...item,
    label: shownLabel(item.label),
    ...(description === undefined ? {} : { description: shownText(description) }),
    ...(detail === undefined ? {} : { detail: shownText(detail) }),
  };
}

/** Returns the text of an input, shown literally. */
function shownText(text: string): string {
  return labelText(text, LONG);
}

function shownValidation(validation: Validation): Validation {
  if (validation === undefined || typeof validation === "string") return validation && shownText(validation);
  return { ...validation, message: shownText(validation.message) };
}

function shownLabel(label: string): string {
  const [icon = ""] = /^\$\([a-z-]+\) /.exec(label) ?? [];
  return icon + shownText(label.slice(icon.length));
}

/** Position of a step in a series of prompts. */
export interface StepPosition {
  readonly title: string;
  readonly step: number;
  /** 0 if later steps depend on the answers. A count is shown from two on. */
  readonly totalSteps: number;
  /** Entered texts and chosen rows of this wizard, by prompt, for a step that is shown again. Secrets are left out. */
  readonly entries?: Map<string, readonly string[]>;
}

/** Returns what the input shows of a position. */
function shownPosition({
  title,
  step,
  totalSteps,
}: StepPosition): Pick<vscode.QuickInput, "title" | "step" | "totalSteps"> {
  return totalSteps > 1 ? { title, step, totalSteps } : { title, step: undefined, totalSteps: undefined };
}

/** Result of a step: a value, back, or cancelled. */
export type StepResult<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "back" }
  | { readonly kind: "left" };

export interface PickStep<T extends vscode.QuickPickItem> {
  readonly placeholder: string;
  readonly items: readonly T[];
  /** Returns an item for typed text that is not in the list. */
  readonly typed?: (text: string) => T | undefined;
  /** Returns whether an item can be chosen; an explanation cannot. */
  readonly mayPick: (item: T) => boolean;
  /** Explanation that an empty list shows. */
  readonly none?: string;
}

/** Shows a list to choose an item from, or to type a value into. */
export function pickStep<T extends vscode.QuickPickItem>(
  place: StepPosition,
  step: PickStep<T>,
): Promise<StepResult<T>> {
  const { entries } = place;
  const pick = vscode.window.createQuickPick<T>();
  const detail = step.none ?? (step.typed === undefined ? "" : WHY_NONE);
  const why = { label: t`$(info) Nothing to choose from yet`, detail, alwaysShow: true } as T;
  const items = (step.items.length === 0 ? [why] : step.items).map(shownItem);
  Object.assign(pick, shownPosition(place), {
    placeholder: step.placeholder,
    items,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  const offer = (text: string): void => {
    const typed = step.typed?.(text);
    // The explanation disappears once there is an item to choose; otherwise it would keep the focus.
    pick.items = typed === undefined ? items : [...(step.items.length === 0 ? [] : items), shownItem(typed)];
  };
  pick.onDidChangeValue(offer);
  const [before = "", typedBefore = ""] = entries?.get(step.placeholder) ?? [];
  if (typedBefore !== "") {
    pick.value = typedBefore;
    offer(typedBefore);
  }
  if (before !== "") pick.activeItems = pick.items.filter((it) => rowText(it) === before);
  return runStep(pick, place, () => {
    const [item] = pick.activeItems;
    const isRow = step.items.length > 0 || item !== items[0];
    if (item === undefined || !isRow || !step.mayPick(item)) return undefined;
    entries?.set(step.placeholder, [rowText(item), items.includes(item) ? "" : pick.value]);
    return item;
  });
}

/** Identifies a row of a list that is built again. */
function rowText({ label, description = "" }: vscode.QuickPickItem): string {
  return `${label} ${description}`;
}

/** Default explanation of an empty list that accepts typed text. */
const WHY_NONE = t`Paste or type it above.`;

/**
 * Shows a list to choose several items from, at most `most`. Picked items start checked.
 *
 * @returns at least one, in the order of the list
 */
export function pickManyStep<T extends vscode.QuickPickItem>(
  place: StepPosition,
  step: { readonly placeholder: string; readonly items: readonly T[]; readonly most: number },
): Promise<StepResult<readonly T[]>> {
  const { entries } = place;
  const pick = vscode.window.createQuickPick<T>();
  const before = entries?.get(step.placeholder);
  const offered = step.items.map((it) => (before === undefined ? it : { ...it, picked: before.includes(rowText(it)) }));
  const chosenNow = offerMany(pick, offered, {
    ...shownPosition(place),
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
    if (chosen.length === 0) {
      pick.placeholder = t`Choose at least one with Space, then press Enter`;
      return undefined;
    }
    entries?.set(step.placeholder, chosen.map(rowText));
    return chosen;
  });
}

export interface TextStep<T> {
  readonly prompt: string;
  readonly placeholder: string;
  readonly check: (text: string) => Checked<T>;
  /** Initial value. */
  readonly value?: string;
  /** The input is hidden. */
  readonly secret?: boolean;
}

/** Prompts for a line of text that is validated while the user types. */
export function textStep<T>(place: StepPosition, step: TextStep<T>): Promise<StepResult<T>> {
  const { entries } = place;
  const input = vscode.window.createInputBox();
  const { prompt, placeholder, secret: password = false } = step;
  const value = entries?.get(prompt)?.[0] ?? step.value ?? "";
  const position = shownPosition(place);
  Object.assign(input, position, { prompt: shownText(prompt), placeholder, value, password, ignoreFocusOut: true });
  input.onDidChangeValue((text) => {
    if (!password) entries?.set(prompt, [text]);
    input.validationMessage = shownValidation(validationMessage(step.check(text)));
  });
  return runStep(input, place, () => {
    const checked = step.check(input.value);
    if (checked.kind === "good") return checked.value;
    const empty = { message: t`Enter a value.`, severity: vscode.InputBoxValidationSeverity.Error };
    input.validationMessage = shownValidation(validationMessage(checked) ?? empty);
    return undefined;
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

/** Shows an input until it is accepted, left or goes back. It closes only when the next one can replace it. */
function runStep<T>(input: Input, step: StepPosition, accept: () => T | undefined): Promise<StepResult<T>> {
  const result = new Promise<StepResult<T>>((resolve) => {
    if (step.step > 1) input.buttons = [vscode.QuickInputButtons.Back];
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

/** A prompt that adds its value to the values so far. */
export type Ask<T> = (soFar: T, step: StepPosition) => Promise<StepResult<T>>;

/**
 * Runs a series of prompts with a Back button. A step that is shown again has its earlier entry.
 *
 * @param stepsFor - The prompts, or a function if later prompts depend on earlier values. Then no step shows a count,
 *   because the total would change.
 * @returns all values, or undefined if the user cancels
 */
export async function askSteps<T>(
  title: string,
  initial: T,
  stepsFor: readonly Ask<T>[] | ((soFar: T) => readonly Ask<T>[]),
): Promise<T | undefined> {
  let answers: readonly T[] = [initial];
  const entries = new Map<string, readonly string[]>();
  for (;;) {
    const soFar = answers.at(-1) ?? initial;
    const [steps, totalSteps] = typeof stepsFor === "function" ? [stepsFor(soFar), 0] : [stepsFor, stepsFor.length];
    const ask = steps[answers.length - 1];
    if (ask === undefined) return soFar;
    const result = await ask(soFar, { title, step: answers.length, totalSteps, entries });
    if (result.kind === "left") return undefined;
    answers = result.kind === "back" ? answers.slice(0, -1) : [...answers, result.value];
  }
}

/** An account that can be chosen. */
export interface ChoosableAccount {
  readonly address: Address;
  readonly label: string;
  readonly watchOnly: boolean;
  /** Its key is in an external wallet. */
  readonly signer?: "outside";
  /** Shown before the address. */
  readonly note?: string;
}

/** A list item; without a value it is an explanation. */
export type ValueItem<T> = vscode.QuickPickItem & { readonly value?: T };

/** Note of a watch-only account: other keys may hold its permissions. */
const WATCHED = t`if you have keys of its permissions`;
const OUTSIDE = t`signs in the browser`;

function withNote(account: ChoosableAccount, note: string): ChoosableAccount {
  return { ...account, note: account.note ?? note };
}

/** Prompts for the paying account: one with a key, or a watch-only account for which others may sign. */
export function pickSigner(where: StepPosition, accounts: readonly ChoosableAccount[]): Promise<StepResult<Address>> {
  const own = accounts
    .filter(({ watchOnly }) => !watchOnly)
    .map((it) => (it.signer === "outside" ? accountItem("browser", withNote(it, OUTSIDE)) : accountItem("key", it)));
  const watched = accounts.filter(({ watchOnly }) => watchOnly);
  const others = watched.map((it) => accountItem("eye", withNote(it, WATCHED)));
  return pickValue(where, { placeholder: t`From which account?`, items: [...own, ...others] });
}

interface PartyStep {
  readonly placeholder: string;
  readonly accounts: readonly ChoosableAccount[];
  /** Explanation if there is none. */
  readonly none: string;
}

/** Prompts for an account or a pasted address. */
export function pickParty(
  where: StepPosition,
  { placeholder, accounts, none }: PartyStep,
): Promise<StepResult<Address>> {
  return pickValue(where, {
    placeholder,
    items: accounts.map((it) => accountItem("account", it)),
    none,
    typed: (text) => typedAddress(text, accounts),
  });
}

/** Prompts for an item that has a value. */
export async function pickValue<T>(
  where: StepPosition,
  step: {
    readonly placeholder: string;
    readonly items: readonly ValueItem<T>[];
    readonly typed?: (text: string) => ValueItem<T> | undefined;
    readonly none?: string;
  },
): Promise<StepResult<T>> {
  const picked = await pickStep<ValueItem<T>>(where, { ...step, mayPick: ({ value }) => value !== undefined });
  if (picked.kind !== "value") return picked;
  return picked.value.value === undefined ? { kind: "left" } : { kind: "value", value: picked.value.value };
}

/**
 * Returns an item for typed text, selectable once it is an address.
 *
 * @param named - named addresses; the item warns if the address only looks like one of them
 */
export function typedAddress(
  text: string,
  named: readonly Pick<ChoosableAccount, "address" | "label">[] = [],
): ValueItem<Address> | undefined {
  if (!/^(T|41|0x)\w{10,}$/.test(text.trim())) return undefined;
  try {
    const value = parseAddress(text.trim());
    return {
      label: t`$(arrow-right) This address`,
      description: `${toBase58(value)} = ${value}`,
      ...likenessOf(value, named),
      value,
      alwaysShow: true,
    };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { label: t`$(error) Not usable yet`, detail: error.message, alwaysShow: true };
  }
}

function accountItem(icon: string, { address, label, note }: ChoosableAccount): ValueItem<Address> {
  const description = [...(note === undefined ? [] : [note]), toBase58(address)].join(" · ");
  return { label: `$(${icon}) ${label}`, description, value: address };
}

/**
 * Returns the workspace folder for a command: the only one, the active editor's, or the chosen one.
 *
 * @returns undefined if there is none or the user cancels
 */
export async function chooseFolder(title: string): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const at = folderOfEditor();
  if (at !== undefined || folders.length < 2) return at ?? folders[0];
  const items = folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder }));
  return (await quickPick(items, { title, placeHolder: t`In which folder of this workspace?` }))?.folder;
}

/** Returns the initial folder of a file dialog: the active editor's, or the first one. */
export function folderAtHand(): vscode.Uri {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  return (folderOfEditor() ?? first)?.uri ?? vscode.Uri.file("/");
}

function folderOfEditor(): vscode.WorkspaceFolder | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && vscode.workspace.getWorkspaceFolder(document.uri);
}

export interface NetworkChoice {
  readonly title: string;
  /** Filter of the list; by default all networks. */
  readonly fits?: (network: NetworkProfile) => boolean;
}

/**
 * Returns the network with this name. Without a name the user chooses, unless there is only one.
 *
 * @returns undefined if the user cancels
 * @throws {ChainError} `NETWORK_UNKNOWN`, `NETWORK_NOT_ADDED` if there is none to choose
 */
export async function chooseNetwork(
  networks: Networks,
  name: string | undefined,
  { title, fits = () => true }: NetworkChoice,
): Promise<NetworkProfile | undefined> {
  if (name !== undefined) return networks.get(name);
  const fitting = networks.list().filter(fits);
  if (fitting.length === 0) throw new ChainError("NETWORK_NOT_ADDED", {});
  if (fitting.length === 1) return fitting[0];
  const active = networks.active?.name;
  const items = fitting
    .map((network) => ({
      label: `$(${network.local ? "beaker" : "broadcast"}) ${networkLabel(network.name)}`,
      description: network.name === active ? t`active` : "",
      detail: network.baseUrl,
      network,
    }))
    .sort((left, right) => Number(right.network.name === active) - Number(left.network.name === active));
  const picked = await quickPick(items, { title, placeHolder: t`Which network?` });
  return picked?.network;
}
