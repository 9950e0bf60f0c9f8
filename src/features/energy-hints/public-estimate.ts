import { type CallSite, type CallSiteValue, literalValue } from "@finality/client/call-sites";
import type { InputValue } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { withoutStop } from "@finality/tron/format";
import { defined, isJsonObject, shorten, wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { exactInteger, exactNumber } from "../../host/commands/command-arguments.ts";
import type { ContractCall, EnergyEstimate } from "../../public/api.ts";
import { type HintLabels, type HintState, hintLine, wordsOf } from "./hint.view.ts";

/** Estimate for programs: amounts are decimal strings in sun. */
export function publicEstimate({ range, label }: CallSite, state: HintState, labels: HintLabels): EnergyEstimate {
  const { text, icon } = hintLine(state, labels);
  const place = { offset: range.start, ...defined({ label }), text };
  if (state.kind !== "known") return { kind: "unavailable", ...place, problems: [], assumptions: [] };
  const { problems } = wordsOf(state, labels);
  const common = { ...place, problems, assumptions: state.bound.assumptions };
  const { estimate } = state;
  if (estimate.kind !== "estimated")
    return { kind: estimate.kind === "unavailable" || icon === "circle-slash" ? "unavailable" : "fails", ...common };
  return {
    kind: "estimated",
    ...common,
    energy: Number(estimate.energy),
    penalty: Number(estimate.penalty),
    fee: estimate.cost.fee.toString(),
    neededFeeLimit: estimate.cost.neededFeeLimit.toString(),
    block: estimate.height,
  };
}

const NOWHERE = { start: 0, end: 0 };

/**
 * Converts the call of a program to a call site.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function callSiteFrom(call: ContractCall): CallSite {
  const amount = (name: "feeLimit" | "callValue" | "tokenId" | "tokenValue"): CallSiteValue | undefined =>
    call[name] === undefined ? undefined : literalValue(NOWHERE, wholeOf(name, call[name]));
  return {
    kind: "call",
    language: "call-file",
    range: NOWHERE,
    label: undefined,
    network: call.network,
    contract: { kind: "named", name: call.contract },
    method: call.function,
    arguments: (call.arguments ?? []).map((one) => literalValue(NOWHERE, inputOf(one))),
    caller: call.caller === undefined ? undefined : literalValue(NOWHERE, call.caller),
    feeLimit: amount("feeLimit"),
    callValue: amount("callValue"),
    defaultFeeLimit: undefined,
    tokenId: amount("tokenId"),
    tokenValue: amount("tokenValue"),
  };
}

function wholeOf(argument: string, value: unknown): bigint {
  const written = typeof value === "number" && Number.isInteger(value) ? exactNumber(argument, value) : String(value);
  const whole = wholeNumberIn(written);
  if (whole !== undefined) return whole;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", {
    argument,
    reason: t`it is not a whole number of sun or of a token`,
  });
}

function inputOf(value: unknown): InputValue {
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "bigint") return value;
  if (typeof value === "number") return exactInteger("arguments", value);
  if (Array.isArray(value)) return value.map(inputOf);
  if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inputOf(one)]));
  const reason = t`it contains a value that is not a whole number, text, true, false, list or object`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "arguments", reason });
}

/**
 * Converts a call site to arguments of *Call Contract…*, which prompts for missing values.
 *
 * @throws {ChainError} `CALL_UNREADABLE` if a written amount or caller cannot be parsed
 */
export function sendArguments(callSite: CallSite) {
  refuseUnreadable(callSite);
  const { method, arguments: inputs, network, label, caller, feeLimit, callValue, tokenId, tokenValue } = callSite;
  return {
    network,
    label,
    contract: contractText(callSite),
    function: method,
    arguments: inputs?.every(({ value }) => value !== undefined) ? inputs.map(({ value }) => toJson(value)) : undefined,
    from: text(caller?.value),
    feeLimit: text(feeLimit?.value),
    callValue: text(callValue?.value),
    tokenId: text(tokenId?.value),
    tokenValue: text(tokenValue?.value),
  };
}

/** Omitting a written value would replace it by a default: no coins, the usual limit, another account. */
function refuseUnreadable({ problem, caller, feeLimit, callValue, tokenId, tokenValue }: CallSite): void {
  if (problem !== undefined) throw new ChainError("CALL_UNREADABLE", { reason: withoutStop(problem) });
  for (const [name, written] of Object.entries({ caller, feeLimit, callValue, tokenId, tokenValue }))
    if (written !== undefined && text(written.value) === undefined) {
      const reason = t`${name} ${shorten(written.text)} cannot be read without running the code: write its value`;
      throw new ChainError("CALL_UNREADABLE", { reason });
    }
}

function contractText({ contract }: CallSite): string | undefined {
  switch (contract.kind) {
    case "named":
      return contract.name;
    case "address":
      return text(contract.address.value);
    case "variable":
      return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "bigint" || typeof value === "string" ? String(value) : undefined;
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, it: unknown) => (typeof it === "bigint" ? it.toString() : it)));
}
