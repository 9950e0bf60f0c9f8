import {
  type AbiIndex,
  type AbiValue,
  type ContractFunction,
  elementaryType,
  type RevertMeaning,
  readRevertData,
  tryDecode,
} from "@finality/tron/abi";
import { grouped } from "@finality/tron/format";
import {
  type Address,
  foreignText,
  type Hex,
  hexToBytes,
  isForeignText,
  nameText,
  rawText,
  visibleLine,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { CallExpectation, ExpectedEvent, ExpectedRevert } from "../call-sites/call-file-expectation.ts";
import type { CallOutcome } from "../estimates/estimate-call.ts";
import { failureReason } from "../explain/failure-reason.ts";
import { eventText, readEvent } from "../explain/fields.ts";
import type { EventLog } from "../gateway/gateway.ts";
import { type ActualValues, type ExpectationDifference, matchValues, type ValueNames } from "./match-values.ts";

export type { ExpectationDifference } from "./match-values.ts";

/** Names for the values of an outcome. */
export interface CallNames extends ValueNames {
  /** Names of errors and events. */
  readonly abi: AbiIndex;
}

/** Call with its expectation. */
interface CheckedCall {
  readonly called: ContractFunction;
  readonly contract: Address | undefined;
  readonly expect: CallExpectation;
}

/** Returns the differences between the expected outcome of a call and its actual outcome. Pure. */
export function checkExpectation(
  { called, contract, expect }: CheckedCall,
  outcome: CallOutcome,
  names: CallNames,
): readonly ExpectationDifference[] {
  switch (outcome.kind) {
    case "halted": {
      const message = t`The virtual machine stopped the call: ${outcome.exception}, ${visibleLine(outcome.message)}.`;
      return [{ range: expect.range, message }];
    }
    case "reverted":
      return [...checkRevert(expect, outcome.data, contract, names), ...checkEnergy(expect, outcome.energy)];
    case "returned":
      return [
        ...checkSuccess(expect.revert),
        ...checkResult(expect, called, outcome.returned, names),
        ...checkEvents(expect, outcome.events, names),
        ...checkEnergy(expect, outcome.energy),
      ];
  }
}

function checkEnergy({ energyAtMost }: CallExpectation, energy: bigint): readonly ExpectationDifference[] {
  if (energyAtMost === undefined || energy <= energyAtMost.value) return [];
  const { range, value } = energyAtMost;
  const message = t`The call uses ${grouped(energy)} energy, ${grouped(energy - value)} more than ${grouped(value)}.`;
  return [{ range, message, expected: t`at most ${grouped(value)}`, actual: grouped(energy) }];
}

function checkSuccess(expected: ExpectedRevert | undefined): readonly ExpectationDifference[] {
  if (expected === undefined) return [];
  const message = t`The call succeeds, but a revert is expected: ${expectedRevertText(expected)}.`;
  return [{ range: expected.range, message, expected: expectedRevertText(expected), actual: t`success` }];
}

function expectedRevertText(expected: ExpectedRevert): string {
  switch (expected.kind) {
    case "any":
      return t`any reason`;
    case "text":
      return `“${visibleLine(expected.text)}”`;
    case "error":
      return visibleLine(expected.name);
  }
}

function checkRevert(
  { range, revert: expected }: CallExpectation,
  data: Hex,
  contract: Address | undefined,
  names: CallNames,
): readonly ExpectationDifference[] {
  const failure = { kind: "failed", result: "REVERT", message: "", data } as const;
  const reason = failureReason(failure, { contract }, names);
  const actual = reason === undefined ? t`an unknown reason` : visibleLine(reason.text);
  if (expected === undefined)
    return [{ range, message: t`The call reverts: ${actual}.`, expected: t`success`, actual }];
  if (expected.kind === "any") return [];
  const errors = errorsIn(readRevertData(hexToBytes(data), names.abi, contract));
  const other = t`The call reverts for another reason: ${actual}.`;
  const difference = { range: expected.range, message: other, expected: expectedRevertText(expected), actual };
  if (expected.kind === "text") return errors.some((it) => it.text === expected.text) ? [] : [difference];
  const found = errors.find(({ name }) => name === expected.name);
  if (found === undefined) return [difference];
  if (expected.arguments === undefined) return [];
  return matchValues(expected.arguments, found, found.name, names);
}

/** Error of a revert, with the text of `Error(string)`. */
interface RevertError extends ActualValues {
  readonly name: string;
  readonly text?: string;
}

const MESSAGE = [{ name: foreignText("message"), type: elementaryType("string") }];
const CODE = [{ name: foreignText("code"), type: elementaryType("uint256") }];

/** Returns the error of a revert, and those that it forwards. */
function errorsIn(meaning: RevertMeaning): readonly RevertError[] {
  switch (meaning.kind) {
    case "error-string": {
      const { text } = meaning;
      const error: RevertError = { name: "Error", parameters: MESSAGE, values: [text] };
      return [{ ...error, ...(isForeignText(text) && { text: rawText(text) }) }, ...nestedIn(meaning)];
    }
    case "panic":
      return [{ name: "Panic", parameters: CODE, values: [meaning.code] }];
    case "custom": {
      const errors = meaning.matches.map(({ candidate: { name, parameters }, values }) => ({
        name,
        parameters,
        values,
      }));
      return [...errors, ...nestedIn(meaning)];
    }
    default:
      return [];
  }
}

function nestedIn({ nested }: Extract<RevertMeaning, { nested?: RevertMeaning }>): readonly RevertError[] {
  return nested === undefined ? [] : errorsIn(nested);
}

function checkResult(
  { result }: CallExpectation,
  { name, outputs }: ContractFunction,
  returned: Hex,
  names: CallNames,
): readonly ExpectationDifference[] {
  if (result === undefined) return [];
  const { range } = result;
  if (outputs.length === 0)
    return [{ range, message: t`${nameText(name)} returns no value according to its ABI. Remove "result".` }];
  const values: readonly AbiValue[] | undefined = tryDecode(outputs, hexToBytes(returned));
  if (values === undefined)
    return [{ range, message: t`The returned data are no result of ${nameText(name)} according to its ABI.` }];
  return matchValues(result, { parameters: outputs, values }, nameText(name), names);
}

function checkEvents(
  { events: expected }: CallExpectation,
  logs: readonly EventLog[],
  names: CallNames,
): readonly ExpectationDifference[] {
  if (expected === undefined) return [];
  const texts = logs.map((log) => visibleLine(eventText(log, names.abi)));
  if (expected.items.length === 0 && logs.length > 0)
    return [{ range: expected.range, message: t`The call emits events, but none is expected: ${texts.join("; ")}.` }];
  const differences: ExpectationDifference[] = [];
  let next = 0;
  for (const event of expected.items) {
    const attempts = logs.slice(next).map((log) => matchEvent(event, log, names));
    const at = attempts.findIndex((it) => it?.length === 0);
    if (at >= 0) next += at + 1;
    else differences.push(...(attempts.find((it) => it !== undefined) ?? [missingEvent(event, texts.slice(next))]));
  }
  return differences;
}

/** Returns the differences from a log; undefined if the log is another event, or of another contract. */
function matchEvent(
  { name, contract, arguments: expected }: ExpectedEvent,
  log: EventLog,
  names: CallNames,
): readonly ExpectationDifference[] | undefined {
  const event = readEvent(log, names.abi);
  if (event === undefined || event.name !== name) return undefined;
  if (contract !== undefined && names.addressOf(contract.value) !== log.address) return undefined;
  return expected === undefined ? [] : matchValues(expected, event, event.name, names);
}

function missingEvent({ range, name, contract }: ExpectedEvent, rest: readonly string[]): ExpectationDifference {
  const event = contract === undefined ? visibleLine(name) : t`${visibleLine(name)} of ${visibleLine(contract.value)}`;
  const actual = rest.length === 0 ? t`no event` : rest.join("; ");
  return { range, message: t`${event} is not emitted here. Emitted: ${actual}.`, expected: event, actual };
}
