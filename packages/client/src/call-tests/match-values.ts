import {
  type AbiInput,
  type AbiParameter,
  type AbiValue,
  type AddressOf,
  type Misfit,
  typedValue,
} from "@finality/tron/abi";
import { counted, type NameOf } from "@finality/tron/format";
import { foreignText, isForeignText, nameText, rawText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { ExpectedValues } from "../call-sites/call-file-expectation.ts";
import type { TextRange } from "../call-sites/call-site.ts";
import { argumentList } from "../explain/fields.ts";

/** Difference between an expected and an actual outcome. */
export interface ExpectationDifference {
  /** Expected value in the call file. */
  readonly range: TextRange;
  /** Sentence. Text of the contract in it is visible and no markup. */
  readonly message: string;
  /** Both values, if the difference is one of values. */
  readonly expected?: string;
  readonly actual?: string;
}

/** Names of accounts and contracts, in both directions. */
export interface ValueNames {
  readonly addressOf: AddressOf;
  readonly nameOf: NameOf;
}

/** Decoded values with their parameters. */
export interface ActualValues {
  readonly parameters: readonly AbiParameter[];
  readonly values: readonly AbiValue[];
}

/**
 * Compares values of a contract with expected ones: a list has all values, an object some of them by their names.
 *
 * @param what - Owner of the values for messages, such as `transfer`.
 */
export function matchValues(
  expected: ExpectedValues,
  { parameters, values }: ActualValues,
  what: string,
  names: ValueNames,
): readonly ExpectationDifference[] {
  const { range, form, items } = expected;
  if (form !== "named" && items.length !== parameters.length) {
    const actual = argumentList(parameters, values, names.nameOf);
    const has = counted(parameters.length, t`value`, t`values`);
    return [{ range, message: t`${what} has ${has}, but ${items.length} are expected: ${actual}.` }];
  }
  return items.flatMap((item, index) => {
    const at = item.name === undefined ? index : indexOf(item.name, parameters);
    const parameter = parameters[at];
    const value = values[at];
    if (parameter !== undefined && value !== undefined) return matchValue(item, { parameter, value, at }, names);
    const known = parameters.map(({ name }, position) => nameText(name, String(position))).join(", ");
    return [{ range: item.range, message: t`${what} has no value "${item.name ?? ""}". It has: ${known}.` }];
  });
}

function indexOf(name: string, parameters: readonly AbiParameter[]): number {
  return parameters.findIndex((parameter, index) => (rawText(parameter.name) || String(index)) === name);
}

function matchValue(
  { range, value: input }: ExpectedValues["items"][number],
  { parameter, value, at }: { readonly parameter: AbiParameter; readonly value: AbiValue; readonly at: number },
  { addressOf, nameOf }: ValueNames,
): readonly ExpectationDifference[] {
  if (input === undefined) return [];
  const name = nameText(parameter.name, t`value ${at + 1}`);
  const typed = typedValue(parameter.type, input, addressOf, name);
  if (!typed.ok) return typed.misfits.map((misfit) => ({ range, message: sentenceOf(misfit) }));
  if (isEqual(value, typed.value)) return [];
  const unnamed = { ...parameter, name: foreignText("") };
  const expected = argumentList([unnamed], [typed.value], nameOf);
  const actual = argumentList([unnamed], [value], nameOf);
  return [{ range, message: t`${name} is ${actual}, expected ${expected}.`, expected, actual }];
}

function sentenceOf({ path, reason }: Misfit): string {
  return t`The expected value cannot be used: ${path === "" ? reason : `${path}: ${reason}`}.`;
}

function isEqual(actual: AbiValue, expected: AbiInput): boolean {
  if (isList(actual))
    return (
      Array.isArray(expected) &&
      actual.length === expected.length &&
      actual.every((item, index) => isEqual(item, expected[index] ?? []))
    );
  return (isForeignText(actual) ? rawText(actual) : actual) === expected;
}

function isList(value: AbiValue): value is readonly AbiValue[] {
  return Array.isArray(value);
}
