import { argumentList } from "@finality/client/explain";
import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  type ContractFunction,
  onlyReads,
  typeLabel,
} from "@finality/tron/abi";
import { counted } from "@finality/tron/format";
import {
  type Address,
  type ForeignText,
  foreignText,
  nameText,
  type Sun,
  toBase58,
  visibleText,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type {
  ArgumentForm,
  FieldButton,
  FieldMessage,
  FormButton,
  FormChoice,
  FormField,
  FormResult,
  FormSection,
  FormStatus,
  FormSuggestion,
} from "../../webview-messages/arguments.ts";
import { checkInteger, checkSun, exampleOf, functionText } from "./contracts.view.ts";
import {
  type AmountUnit,
  childTypeOf,
  emptyDraft,
  type FieldCheck,
  type FieldDraft,
  mayHaveUnit,
} from "./form-fields.ts";
import type { FormCommand } from "./form-storage.ts";

/** Fields of the transaction, by their id in drafts and messages. */
export const EXTRAS = [
  "from",
  "callValue",
  "tokenId",
  "tokenValue",
  "feeLimit",
  "userPercent",
  "originEnergyLimit",
] as const;
export type ExtraId = (typeof EXTRAS)[number];
export type Extras = Readonly<Partial<Record<ExtraId, string>>>;

/** State of the form, without the texts of the page. */
export interface ShownForm {
  readonly key: string;
  readonly command: FormCommand;
  readonly network: { readonly name: string; readonly isProduction: boolean; readonly symbol: string | undefined };
  readonly name: ForeignText;
  readonly facts: ArgumentForm["facts"];
  readonly functions: readonly ContractFunction[];
  readonly fn: ContractFunction;
  readonly drafts: readonly FieldDraft[];
  readonly extras: Extras;
  readonly checks: readonly FieldCheck[];
  readonly isAttempted: boolean;
  readonly units: readonly AmountUnit[];
  readonly signers: readonly FormChoice[];
  readonly names: readonly FormSuggestion[];
  readonly recent: (id: string) => readonly FormSuggestion[];
  readonly hasCalls: boolean;
  readonly isBusy: boolean;
  readonly isSent: boolean;
  readonly status: FormStatus | null;
  readonly results: readonly FormResult[] | null;
  /** Text of the estimate, shown below the fee limit. */
  readonly estimate: FieldMessage | undefined;
}

const MOST = 2n ** 63n - 1n;
const UNNAMED = foreignText("");

/** Returns the fields of the transaction that a command has. */
export function extrasOf(command: FormCommand, { mutability }: ContractFunction): readonly ExtraId[] {
  if (command === "read") return ["from"];
  const payable: readonly ExtraId[] = mutability === "payable" ? ["callValue"] : [];
  if (command === "deploy") return [...payable, "from", "feeLimit", "userPercent", "originEnergyLimit"];
  return [...payable, "from", "feeLimit", ...(mutability === "payable" ? (["tokenId", "tokenValue"] as const) : [])];
}

/** Checks the fields of the transaction. */
export function checkExtras(
  ids: readonly ExtraId[],
  extras: Extras,
  { command, signers, symbol, needed }: ExtraContext,
): readonly FieldCheck[] {
  return ids.map((id): FieldCheck => {
    const entered = extras[id] ?? "";
    if (id === "from") return checkSigner(entered, command, signers);
    if (entered.trim() === "") return { id, kind: isRequired(id) ? "empty" : "good", message: "" };
    const checked = checkAmountOf(id, entered, symbol, needed);
    if (checked.kind === "wrong") return { id, kind: "wrong", message: checked.message };
    return { id, kind: "good", message: checked.kind === "good" ? (checked.message ?? "") : "" };
  });
}

export interface ExtraContext {
  readonly command: FormCommand;
  readonly signers: readonly FormChoice[];
  readonly symbol: string | undefined;
  /** Fee limit that the estimate needs, in sun. */
  readonly needed: Sun | undefined;
}

function checkSigner(entered: string, command: FormCommand, signers: readonly FormChoice[]): FieldCheck {
  const isKnown = signers.some(({ value }) => value === entered);
  return { id: "from", kind: isKnown || command === "read" ? "good" : "empty", message: "" };
}

function checkAmountOf(id: ExtraId, entered: string, symbol: string | undefined, warnBelow: Sun | undefined) {
  if (id === "callValue") return checkSun(entered, { symbol });
  if (id === "feeLimit") return checkSun(entered, { symbol, warnBelow });
  return id === "userPercent"
    ? checkInteger(entered, 0n, 100n)
    : checkInteger(entered, id === "originEnergyLimit" ? 1n : 0n, MOST);
}

function isRequired(id: ExtraId): boolean {
  return id === "userPercent" || id === "originEnergyLimit";
}

/** Returns the content of the page. */
export function describeForm(form: ShownForm): ArgumentForm {
  const { key, network, facts, names, status, results } = form;
  return {
    key,
    title: formTitle(form.command, form.name),
    network: network.name,
    isProduction: network.isProduction,
    facts,
    sections: [functionSection(form), argumentSection(form), ...transactionSections(form)].filter(
      (it) => it.fields.length > 0,
    ),
    names,
    fillButtons: fillButtons(form),
    buttons: actionButtons(form),
    status,
    results,
  };
}

/** Returns the content of a page whose form cannot be restored yet. */
export function unavailableForm(key: string, title: string, reason: string): ArgumentForm {
  const isLoading = reason === "";
  const retry = { action: "again", label: t`Try Again`, icon: "refresh", isPrimary: true, isDisabled: false } as const;
  const text = t`${reason} The values of this form are stored.`;
  return {
    ...{ key, title, network: "", isProduction: false, facts: [], sections: [], names: [], fillButtons: [] },
    buttons: isLoading ? [] : [retry],
    status: isLoading ? null : { tone: "bad", icon: "error", text },
    results: null,
  };
}

/** Returns the title of the page and its tab. */
export function formTitle(command: FormCommand, name: ForeignText): string {
  const shown = nameText(name, t`a contract`);
  if (command === "read") return t`Read ${shown}`;
  return command === "deploy" ? t`Deploy ${shown}` : t`Call ${shown}`;
}

function functionSection(form: ShownForm): FormSection {
  const choices = form.functions.map((fn) => ({ value: fn.signature, label: functionLabel(fn) }));
  const field = plainField(form, { id: "function", label: t`Function`, control: "choice", value: form.fn.signature });
  const fields = form.command === "deploy" ? [] : [{ ...field, choices }];
  // The label of its only field is the heading.
  return { id: "function", title: "", isFolded: false, fields };
}

function functionLabel(fn: ContractFunction): string {
  const line = functionText(fn);
  return onlyReads(fn) ? t`${line} · only reads` : line;
}

function argumentSection(form: ShownForm): FormSection {
  const fields = form.fn.parameters.map((parameter, at) => {
    const label = nameText(parameter.name, t`Argument ${at + 1}`);
    return parameterField(form, { ...parameter, id: `a.${at}`, label }, form.drafts[at]);
  });
  return { id: "arguments", title: t`Arguments`, isFolded: false, fields };
}

interface FieldPlace extends Omit<AbiParameter, "name"> {
  readonly id: string;
  readonly label: string;
  /** The row of a list can be removed. */
  readonly isRow?: boolean;
}

/** Type of a field that may have choices. */
interface EnumPlace {
  readonly type: AbiType;
  readonly members?: readonly ForeignText[] | undefined;
}

function parameterField(form: ShownForm, place: FieldPlace, draft: FieldDraft = emptyDraft(place.type)): FormField {
  const { id, label, type } = place;
  const remove: readonly FieldButton[] =
    place.isRow === true ? [{ change: "remove", label: t`Remove ${label}`, icon: "trash" }] : [];
  if ("items" in draft) return groupField(form, place, draft.items, remove);
  if ("json" in draft) {
    const buttons: readonly FieldButton[] = [
      { change: "as-fields", label: t`Edit ${label} as Fields`, icon: "list-tree" },
      ...remove,
    ];
    return {
      ...plainField(form, { id, label, control: "text", value: draft.json }),
      type: typeLabel(place),
      example: exampleOf(type),
      isRequired: true,
      buttons,
    };
  }
  const choices = choicesOf(place, draft.text);
  const control = choices.length > 0 ? "choice" : type.kind === "string" ? "text" : "line";
  return {
    ...plainField(form, { id, label, control, value: draft.text }),
    type: type.text,
    example: exampleOf(type),
    isRequired: type.kind !== "string" && type.kind !== "bytes",
    choices,
    units: mayHaveUnit(type) ? unitChoices(form.units, draft.unit) : [],
    unit: draft.unit ?? "",
    isAddress: type.kind === "address",
    buttons: remove,
  };
}

function groupField(
  form: ShownForm,
  place: FieldPlace,
  items: readonly FieldDraft[],
  remove: readonly FieldButton[],
): FormField {
  const { id, label, type } = place;
  const isList = type.kind === "array";
  const isOpen = isList && type.length === undefined;
  const rows = isOpen ? t`${label}: ${counted(items.length, t`row`, t`rows`)}` : label;
  const children = items.map((it, at) => {
    const child = {
      ...(type.kind === "tuple" ? type.fields[at] : place),
      ...{ id: `${id}.${at}`, label: childLabel(type, label, at), type: childTypeOf(type, at) ?? type, isRow: isOpen },
    };
    return parameterField(form, child, it);
  });
  return {
    ...plainField(form, { id, label: rows, control: "group", value: "" }),
    type: typeLabel(place),
    buttons: [
      ...(isOpen ? [{ change: "add", label: t`Add Row to ${label}`, icon: "add" } as const] : []),
      { change: "as-json", label: t`Edit ${label} as JSON`, icon: "json" },
      ...remove,
    ],
    children,
  };
}

function childLabel(type: AbiType, label: string, at: number): string {
  if (type.kind === "tuple") return nameText(type.fields[at]?.name ?? UNNAMED, t`Field ${at + 1}`);
  return `${label}[${at}]`;
}

function transactionSections(form: ShownForm): readonly FormSection[] {
  const ids = extrasOf(form.command, form.fn);
  const token = (id: ExtraId): boolean => id === "tokenId" || id === "tokenValue";
  const fieldsOf = (chosen: readonly ExtraId[]) => chosen.map((id) => extraField(form, id));
  const tokens = ids.filter(token);
  return [
    { id: "transaction", title: t`Transaction`, isFolded: false, fields: fieldsOf(ids.filter((id) => !token(id))) },
    {
      id: "token",
      title: t`TRC-10 token to send`,
      isFolded: tokens.every((id) => (form.extras[id] ?? "") === ""),
      fields: fieldsOf(tokens),
    },
  ];
}

function extraField(form: ShownForm, id: ExtraId): FormField {
  const value = form.extras[id] ?? "";
  const field = plainField(form, { id, label: extraLabel(id, form.command), control: "line", value });
  const example = extraExample(id);
  if (id !== "from") return { ...field, example, isRequired: isRequired(id) };
  return { ...field, control: "choice", choices: form.signers, isRequired: form.command !== "read" };
}

function extraLabel(id: ExtraId, command: FormCommand): string {
  switch (id) {
    case "from":
      return command === "read" ? t`Caller` : t`From account`;
    case "callValue":
      return t`Value to send, in sun or such as 1.5 coins`;
    case "feeLimit":
      return t`Fee limit`;
    case "tokenId":
      return t`Token ID`;
    case "tokenValue":
      return t`Token amount in its smallest unit`;
    case "userPercent":
      return t`Energy that callers pay, in percent`;
    case "originEnergyLimit":
      return t`Maximum energy you pay per caller's transaction`;
  }
}

function extraExample(id: ExtraId): string {
  if (id === "callValue") return t`0, 1.5 coins, or 1500000 sun`;
  if (id === "feeLimit") return t`from the estimate; such as 100 coins, or 100000000 sun`;
  return id === "tokenId" ? "1000001" : "1000000";
}

function plainField(form: ShownForm, field: Pick<FormField, "id" | "label" | "control" | "value">): FormField {
  return {
    ...field,
    type: "",
    example: "",
    isRequired: false,
    choices: [],
    units: [],
    unit: "",
    recent: form.recent(field.id),
    isAddress: false,
    message: messageOf(form, field.id),
    buttons: [],
    children: [],
  };
}

/** Returns the message below a field. An empty field has one after the first attempt to send. */
export function messageOf(
  form: Pick<ShownForm, "checks" | "isAttempted" | "estimate" | "fn">,
  id: string,
): FieldMessage | null {
  const check = form.checks.find((it) => it.id === id);
  if (id === "feeLimit" && form.estimate !== undefined && check?.message === "") return form.estimate;
  switch (check?.kind) {
    case undefined:
      return null;
    case "empty":
      return form.isAttempted ? { tone: "bad", text: emptyText(form.fn, id) } : null;
    case "wrong":
      return { tone: "bad", text: check.message };
    case "warning":
      return { tone: "warning", text: check.message };
    case "good":
      return check.message === "" ? null : { tone: "neutral", text: check.message };
  }
}

/** Returns the message below a required field without a value. */
function emptyText(fn: ContractFunction, id: string): string {
  if (id === "from") return t`Choose an account.`;
  return isChoice(fn, id) ? t`Choose a value.` : t`Enter a value.`;
}

/** Returns whether the field of an argument, `a.` and its path, is a boolean or an enum. */
function isChoice({ parameters }: ContractFunction, id: string): boolean {
  const [section, at, ...path] = id.split(".");
  const parameter = section === "a" ? parameters[Number(at)] : undefined;
  let { type, members }: Partial<AbiParameter> = parameter ?? {};
  for (const index of path.map(Number)) {
    if (type?.kind === "tuple") members = type.fields[index]?.members;
    type = type && childTypeOf(type, index);
  }
  return type !== undefined && choicesOf({ type, members }, "").length > 0;
}

/** Returns the choices of a bool or an enum; none for other types. A value that is none of them stays one. */
function choicesOf({ type, members = [] }: EnumPlace, value: string): readonly FormChoice[] {
  const choices = type.kind === "bool" ? BOOLS : type.text === "uint8" ? memberChoices(members) : [];
  if (choices.length === 0 || value === "" || choices.some((it) => it.value === value)) return choices;
  return [...choices, { value, label: value }];
}

const BOOLS: readonly FormChoice[] = [
  { value: "true", label: "true" },
  { value: "false", label: "false" },
];

function memberChoices(members: readonly ForeignText[]): readonly FormChoice[] {
  return members.map((name, at) => ({ value: String(at), label: `${nameText(name, String(at))} (${at})` }));
}

function unitChoices(units: readonly AmountUnit[], chosen: string | undefined): readonly FormChoice[] {
  const choices = [{ value: "", label: t`smallest unit` }, ...units.map(({ id, label }) => ({ value: id, label }))];
  const isKnown = choices.some(({ value }) => value === (chosen ?? ""));
  return isKnown ? choices : [...choices, { value: chosen ?? "", label: t`unknown unit` }];
}

function fillButtons({ hasCalls, command }: ShownForm): readonly FormButton[] {
  const repeat = command === "deploy" ? t`Repeat Last Deployment` : t`Repeat Last Call`;
  return [
    { action: "repeat", label: repeat, icon: "history", isPrimary: false, isDisabled: !hasCalls },
    { action: "fill", label: t`Fill In From…`, icon: "list-selection", isPrimary: false, isDisabled: false },
    { action: "favourite", label: t`Add to Favourites…`, icon: "star-empty", isPrimary: false, isDisabled: false },
  ];
}

function actionButtons({ command, isBusy, isSent }: ShownForm): readonly FormButton[] {
  const button = (action: FormButton["action"], label: string, icon: string, isPrimary = false): FormButton => {
    return { action, label, icon, isPrimary, isDisabled: isBusy };
  };
  if (command === "read")
    return [button("submit", t`Read`, "eye", true), button("copy-result", t`Copy Result`, "copy")];
  if (isSent) {
    const again = command === "deploy" ? t`Deploy Again` : t`Call Again`;
    return [button("show-transaction", t`Show Transaction`, "pulse", true), button("again", again, "redo")];
  }
  const file = command === "call" ? [button("save-call-file", t`Save as Call File…`, "save-as")] : [];
  return [button("submit", t`Review…`, "check", true), button("estimate", t`Estimate`, "zap"), ...file];
}

/** Returns the returned values for the page. */
export function resultRows(outputs: readonly AbiParameter[], values: readonly AbiValue[]): readonly FormResult[] {
  return outputs.map((output, at) => ({
    name: nameText(output.name, t`Value ${at + 1}`),
    type: typeLabel(output),
    value: visibleText(argumentList([{ ...output, name: UNNAMED }], values.slice(at, at + 1))),
  }));
}

/** Returns the status of a form that cannot be sent yet; undefined if nothing is missing. */
export function incompleteStatus(checks: readonly FieldCheck[]): FormStatus | undefined {
  const wrong = checks.filter(({ kind }) => kind === "wrong" || kind === "empty").length;
  if (wrong === 0) return undefined;
  return { tone: "bad", icon: "error", text: t`${counted(wrong, t`field`, t`fields`)} to correct.` };
}

/** Returns an account as a choice. */
export function signerChoice(account: {
  readonly address: Address;
  readonly label: string;
  readonly note?: string;
}): FormChoice {
  const { address, label, note } = account;
  return {
    value: toBase58(address),
    label: [label, ...(note === undefined ? [] : [note]), toBase58(address)].join(" · "),
  };
}
