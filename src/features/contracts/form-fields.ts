import {
  type AbiInput,
  type AbiParameter,
  type AbiType,
  type AddressOf,
  type InputValue,
  inputFromText,
  typedValue,
} from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { grouped, withoutStop } from "@finality/tron/format";
import { type Address, COIN_DECIMALS, nameText, numberForm, parseUnits, toBase58 } from "@finality/tron/primitives";
import { listOf, object, type Read, text } from "@finality/tron/read";
import { t } from "@vscode/l10n";

/**
 * Entered value of one parameter: the text of a field with its unit, the rows of a list or a struct, or their JSON.
 * Nothing is parsed until it is checked, so that a draft is stored exactly as it was typed.
 */
export type FieldDraft =
  | { readonly text: string; readonly unit?: string }
  | { readonly json: string }
  | { readonly items: readonly FieldDraft[] };

/** Unit of an amount that a user can choose: the id in drafts, and the decimals. */
export interface AmountUnit {
  readonly id: string;
  readonly label: string;
  readonly decimals: number;
}

export interface CheckContext {
  readonly addressOf: AddressOf;
  readonly units: readonly AmountUnit[];
  /** Returns a warning about an address that looks like another one. */
  readonly likenessOf: (address: Address) => string | undefined;
  readonly nameOf: (address: Address) => string | undefined;
}

/** Result of checking one field. `empty` and `wrong` prevent sending. */
export interface FieldCheck {
  readonly id: string;
  readonly kind: "good" | "warning" | "empty" | "wrong";
  /** Empty if there is nothing to add. */
  readonly message: string;
}

/** Checks of the fields of one parameter, and its value if all of them are good. */
interface CheckedField {
  readonly value?: AbiInput;
  readonly checks: readonly FieldCheck[];
}

/** Largest number of fields of one parameter. Longer lists are edited as JSON. */
const MOST_FIELDS = 120;
/** Largest number of fields of a form. Lists and structs of a form with more are edited as JSON at first. */
const MOST_FORM_FIELDS = 500;

type Integer = Extract<AbiType, { kind: "uint" | "int" }>;

/** Returns the smallest number of fields of a type; Infinity if it is more than a page can show. */
function fieldCount(type: AbiType): number {
  if (type.kind === "tuple") return type.fields.reduce((sum, it) => sum + fieldCount(it.type), 0);
  if (type.kind !== "array") return 1;
  return (type.length ?? 0) === 0 ? 0 : (type.length ?? 0) * Math.max(1, fieldCount(type.element));
}

/** Returns drafts that fit the parameters: what has no draft, or one that does not fit, is empty. */
export function fittedDrafts(
  parameters: readonly AbiParameter[],
  drafts: readonly FieldDraft[] | undefined,
): readonly FieldDraft[] {
  const isLarge = parameters.reduce((sum, { type }) => sum + fieldCount(type), 0) > MOST_FORM_FIELDS;
  return parameters.map(({ type }, at) => {
    const draft = drafts?.[at];
    return draft === undefined && isLarge && isGroup(type) ? { json: "" } : fittedDraft(type, draft);
  });
}

function isGroup(type: AbiType): boolean {
  return type.kind === "array" || type.kind === "tuple";
}

/** Returns the draft of a parameter that nothing was entered for. */
export function emptyDraft(type: AbiType): FieldDraft {
  if (type.kind !== "array" && type.kind !== "tuple") return { text: "" };
  if (fieldCount(type) > MOST_FIELDS) return { json: "" };
  return { items: childTypes(type).map(emptyDraft) };
}

/** Returns the types of the rows that a list or a struct has at first. */
function childTypes(type: AbiType): readonly AbiType[] {
  if (type.kind === "tuple") return type.fields.map((field) => field.type);
  return type.kind === "array" ? Array.from({ length: type.length ?? 0 }, () => type.element) : [];
}

/** Returns the type of a child. */
export function childTypeOf(type: AbiType, at: number): AbiType | undefined {
  if (type.kind === "tuple") return type.fields[at]?.type;
  return type.kind === "array" ? type.element : undefined;
}

/** Returns true if an amount of this type can have a unit. */
export function mayHaveUnit(type: AbiType): boolean {
  return type.kind === "uint" && type.bits >= 64 && type.text !== "trcToken";
}

/** Returns a draft that fits the type: what does not fit becomes empty. */
export function fittedDraft(type: AbiType, draft: FieldDraft | undefined): FieldDraft {
  if (draft === undefined) return emptyDraft(type);
  if (type.kind !== "array" && type.kind !== "tuple") return "text" in draft ? draft : emptyDraft(type);
  if ("text" in draft) return emptyDraft(type);
  if ("json" in draft) return draft;
  const { length } = type.kind === "array" ? { length: type.length ?? draft.items.length } : type.fields;
  const items = Array.from({ length }, (_, at) => draft.items[at]);
  return { items: items.map((it, at) => fittedDraft(childTypeOf(type, at) ?? type, it)) };
}

/** Returns the draft that a value came from. */
export function draftOfValue(type: AbiType, value: AbiInput | undefined): FieldDraft {
  if (value === undefined) return emptyDraft(type);
  if (type.kind !== "array" && type.kind !== "tuple") return { text: textOfValue(type, value) };
  const values = Array.isArray(value) ? (value as readonly AbiInput[]) : [];
  if (leavesOf(value) > MOST_FIELDS) return { json: JSON.stringify(jsonOfValue(type, value)) };
  return { items: values.map((it, at) => draftOfValue(childTypeOf(type, at) ?? type, it)) };
}

function leavesOf(value: AbiInput): number {
  if (!Array.isArray(value)) return 1;
  return (value as readonly AbiInput[]).reduce<number>((sum, it) => sum + leavesOf(it), 1);
}

function textOfValue(type: AbiType, value: AbiInput): string {
  if (type.kind === "address") return toBase58(value as Address);
  if (type.kind === "bytes" || type.kind === "fixed-bytes") return value === "" ? "" : `0x${String(value)}`;
  return String(value);
}

/** JSON of a value as command arguments and call files have it. */
export type ValueJson = string | boolean | readonly ValueJson[];

/** Returns a value as JSON without loss: integers and addresses become strings. */
export function jsonOfValue(type: AbiType, value: AbiInput): ValueJson {
  if (typeof value === "boolean") return value;
  if (!Array.isArray(value)) return textOfValue(type, value);
  return (value as readonly AbiInput[]).map((it, at) => jsonOfValue(childTypeOf(type, at) ?? type, it));
}

/** Returns the JSON text of a list or a struct as it was entered. Amounts with a unit become smallest units. */
export function jsonOfDraft(type: AbiType, draft: FieldDraft, units: readonly AmountUnit[]): string {
  return "json" in draft ? draft.json : JSON.stringify(inputOfDraft(type, draft, units));
}

function inputOfDraft(type: AbiType, draft: FieldDraft, units: readonly AmountUnit[]): unknown {
  if ("items" in draft) return draft.items.map((it, at) => inputOfDraft(childTypeOf(type, at) ?? type, it, units));
  if ("json" in draft) return inputFromText(type, draft.json);
  if (type.kind === "bool" && /^(?:true|false)$/.test(draft.text)) return draft.text === "true";
  if (draft.unit === undefined) return draft.text;
  const amount = inputIn(type, draft.text, draft.unit, units);
  return amount.kind === "good" ? String(amount.value) : `${draft.text} ${draft.unit}`;
}

/** Returns the rows of a JSON text. Undefined if it is not JSON of the type, or if it has too many rows. */
export function draftOfJson(type: AbiType, json: string): FieldDraft | undefined {
  const input = json.trim() === "" ? [] : inputFromText(type, json);
  if (typeof input !== "object") return undefined;
  const draft = draftOfInput(type, input);
  return leavesOfDraft(draft) > MOST_FIELDS ? undefined : draft;
}

function draftOfInput(type: AbiType, input: InputValue | undefined): FieldDraft {
  if (input === undefined) return emptyDraft(type);
  if (type.kind !== "array" && type.kind !== "tuple") return { text: typeof input === "object" ? "" : String(input) };
  if (typeof input !== "object") return emptyDraft(type);
  if (type.kind === "array" && !Array.isArray(input)) return emptyDraft(type);
  const named = new Map(Object.entries(input));
  const length = type.kind === "array" ? (type.length ?? named.size) : type.fields.length;
  const at = (index: number): InputValue | undefined => {
    const own = type.kind === "tuple" ? type.fields[index] : undefined;
    return named.get(String(index)) ?? (own && named.get(nameText(own.name)));
  };
  return { items: Array.from({ length }, (_, index) => draftOfInput(childTypeOf(type, index) ?? type, at(index))) };
}

function leavesOfDraft(draft: FieldDraft): number {
  return "items" in draft ? draft.items.reduce((sum, it) => sum + leavesOfDraft(it), 1) : 1;
}

/** Changes the draft at a path. `change` returns undefined if the change does not fit. */
export function changedAt(
  draft: FieldDraft,
  path: readonly number[],
  change: (draft: FieldDraft) => FieldDraft | undefined,
): FieldDraft | undefined {
  const [at, ...further] = path;
  if (at === undefined) return change(draft);
  if (!("items" in draft)) return undefined;
  const before = draft.items[at];
  const after = before && changedAt(before, further, change);
  return after && { items: draft.items.with(at, after) };
}

/** Returns the type of the value at a path. */
export function typeAt(type: AbiType, path: readonly number[]): AbiType | undefined {
  const [at, ...further] = path;
  if (at === undefined) return type;
  const child = childTypeOf(type, at);
  return child && typeAt(child, further);
}

/** Returns the range of an integer type: `0 to 255`. */
function rangeText({ kind, bits }: Integer): string {
  const [least, most] =
    kind === "uint"
      ? ["0", bits > 64 ? `2^${bits} − 1` : grouped(2n ** BigInt(bits) - 1n)]
      : bits > 64
        ? [`−2^${bits - 1}`, `2^${bits - 1} − 1`]
        : [`−${grouped(2n ** BigInt(bits - 1))}`, grouped(2n ** BigInt(bits - 1) - 1n)];
  return t`${least} to ${most}`;
}

/** Checks a parameter. The message of a wrong field names the values that are allowed. */
function checkDraft(type: AbiType, draft: FieldDraft, context: CheckContext, id: string): CheckedField {
  if ("items" in draft) return checkItems(type, draft.items, context, id);
  if ("json" in draft) return checkJson(type, draft.json, context, id);
  return checkText(type, draft, context, id);
}

function checkItems(type: AbiType, items: readonly FieldDraft[], context: CheckContext, id: string): CheckedField {
  const checked = items.map((it, at) => checkDraft(childTypeOf(type, at) ?? type, it, context, `${id}.${at}`));
  const checks = checked.flatMap((it) => it.checks);
  const values = checked.flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (values.length !== items.length) return { checks: [...checks, { id, kind: "good", message: "" }] };
  return { value: values, checks: [...checks, { id, kind: "good", message: "" }] };
}

function checkJson(type: AbiType, json: string, context: CheckContext, id: string): CheckedField {
  if (json.trim() === "") return { checks: [{ id, kind: "empty", message: "" }] };
  const typed = typedValue(type, inputFromText(type, json), context.addressOf, "");
  if (typed.ok) return { value: typed.value, checks: [{ id, kind: "good", message: "" }] };
  const [first] = typed.misfits;
  const message = first === undefined ? "" : [first.path, sentence(first.reason)].filter(Boolean).join(": ");
  return { checks: [{ id, kind: "wrong", message }] };
}

function checkText(
  type: AbiType,
  { text: entered, unit }: { readonly text: string; readonly unit?: string },
  context: CheckContext,
  id: string,
): CheckedField {
  if (type.kind === "string") return good(id, entered, spaceWarning(entered));
  if (entered.trim() === "" && type.kind !== "bytes") return { checks: [{ id, kind: "empty", message: "" }] };
  const input = inputIn(type, entered, unit, context.units);
  if (input.kind === "wrong") return { checks: [{ id, kind: "wrong", message: sentence(input.message) }] };
  const typed = typedValue(type, input.value, context.addressOf, "");
  if (typed.ok) return goodValue(type, typed.value, context, id);
  const reason = typed.misfits[0]?.reason ?? "";
  const range = type.kind === "uint" || type.kind === "int" ? t`Allowed: ${rangeText(type)}.` : "";
  return { checks: [{ id, kind: "wrong", message: [sentence(reason), range].filter(Boolean).join(" ") }] };
}

type UnitResult<T> =
  | { readonly kind: "good"; readonly value: T }
  | { readonly kind: "wrong"; readonly message: string };

/** A unit that is not known here, or that the type cannot have, is an error: the number alone means another amount. */
function inputIn(
  type: AbiType,
  entered: string,
  unit: string | undefined,
  units: readonly AmountUnit[],
): UnitResult<string | bigint> {
  if (unit === undefined) return { kind: "good", value: entered.trim() };
  const chosen = mayHaveUnit(type) ? units.find(({ id }) => id === unit) : undefined;
  if (chosen !== undefined) return amountIn(entered, chosen);
  return { kind: "wrong", message: t`the decimals of this unit are not known; choose a unit again` };
}

function amountIn(entered: string, { decimals, label }: AmountUnit): UnitResult<bigint> {
  const malformed = numberForm();
  const tooFine = t`write at most ${decimals} decimals in ${label}`;
  try {
    const unit = { decimals, largest: 2n ** 256n - 1n, malformed, tooFine, tooLarge: t`this is too large` };
    return { kind: "good", value: parseUnits(entered, unit) };
  } catch (error) {
    if (!isChainError(error) || error.code !== "AMOUNT_MALFORMED") throw error;
    return { kind: "wrong", message: error.details.reason };
  }
}

function goodValue(type: AbiType, value: AbiInput, context: CheckContext, id: string): CheckedField {
  if (type.kind === "address") {
    const address = value as Address;
    const likeness = context.likenessOf(address);
    if (likeness !== undefined) return { value, checks: [{ id, kind: "warning", message: likeness }] };
    const name = context.nameOf(address);
    return good(id, value, [...(name === undefined ? [] : [name]), toBase58(address), String(address)].join(" = "));
  }
  if (typeof value === "bigint" && value > 999n) return good(id, value, grouped(value));
  return good(id, value, "");
}

function good(id: string, value: AbiInput, message: string): CheckedField {
  return { value, checks: [{ id, kind: "good", message }] };
}

function spaceWarning(entered: string): string {
  return entered.trim() === entered ? "" : t`The text starts or ends with white space, which is sent too.`;
}

function sentence(reason: string): string {
  return `${reason.slice(0, 1).toUpperCase()}${withoutStop(reason.slice(1))}.`;
}

/** Checks all parameters of a function. */
export function checkDrafts(
  parameters: readonly AbiParameter[],
  drafts: readonly FieldDraft[],
  context: CheckContext,
): { readonly values: readonly AbiInput[] | undefined; readonly checks: readonly FieldCheck[] } {
  const checked = parameters.map(({ type }, at) =>
    checkDraft(type, drafts[at] ?? emptyDraft(type), context, `a.${at}`),
  );
  const values = checked.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const checks = checked.flatMap((it) => it.checks);
  return { values: values.length === parameters.length ? values : undefined, checks };
}

/** The unit of the chain's coin. */
export function coinUnit(symbol: string | undefined): AmountUnit {
  return { id: "coins", label: symbol ?? t`coins`, decimals: COIN_DECIMALS };
}

/** Reads a stored draft. */
export const readDraft: Read<FieldDraft> = (value) => {
  if (typeof value === "object" && value !== null && "items" in value)
    return object({ items: listOf(readDraft) })(value);
  if (typeof value === "object" && value !== null && "json" in value) return object({ json: text })(value);
  return object({ text }, { unit: text })(value);
};
