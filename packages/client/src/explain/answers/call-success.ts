import { type AbiCandidate, tryDecode } from "@finality/tron/abi";
import { type JsonObject, quoteJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { returnedFalse } from "../../tokens.ts";
import { bytesOf, contractValue, listOf, objectOf, textOf } from "../decode/json.ts";
import { readMessage } from "../decode/message-text.ts";
import type { DecodedField, ExplainContext } from "../result/explanation.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { addressText, fieldsOfValues } from "../words/fields.ts";
import { type Details, type Finding, field, NOTHING_TO_DO, plainFinding, READINGS } from "../words/finding.ts";

/** Explains a simulation, an estimate or a built call that went well, or seems so. */
export function explainCallSuccess(answer: JsonObject, context: ExplainContext): Finding {
  const rejected = rejectedInnerCalls(answer);
  const details = {
    decoded: [...figures(answer), ...outputs(answer, context), ...rejected],
    sources: [READINGS],
    retry: verdictOf("nothing-to-retry"),
  };
  const [returned] = listOf(answer.constant_result);
  if (typeof returned === "string" && returnedFalse(callData(answer), returned))
    return plainFinding("SUCCESS", falseReturn, { ...details, ...failed("returned-false") });
  if (rejected.length > 0) return plainFinding("SUCCESS", innerRejection, { ...details, ...failed("inner-rejection") });
  return plainFinding("SUCCESS", successWords(answer), { ...details, entry: "call-success" });
}

/** Words for a token that says no without failing. */
export const falseReturn = {
  title: t`The call succeeded, but the token returned false`,
  cause: t`The token refused and said so with its return value instead of a revert: nothing was moved.`,
  fix: t`Check balance and allowance, and let the calling contract look at the return value (SafeERC20).`,
} as const;

const failed = (entry: string): Details => ({
  category: "execution",
  sources: ["Solidity, what a call gives back"],
  entry,
  retry: verdictOf("request-after-fix"),
});

function successWords(answer: JsonObject): Pick<Finding, "title" | "cause" | "fix"> {
  const { energy_required: energy } = answer;
  if (energy !== undefined) {
    return {
      title: t`The estimate is ${quoteJson(energy)} energy`,
      cause: t`The smallest budget with which the call succeeds, to the precision of the node.`,
      fix: t`Multiply it by the energy price (getEnergyFee) for a fee_limit.`,
    };
  }
  if (!("constant_result" in answer)) {
    return {
      title: t`The call was built`,
      cause: t`The node made an unsigned transaction.`,
      fix: t`Verify and sign it.`,
    };
  }
  return {
    title: t`The simulation succeeded`,
    cause: t`The call ran on the state of the node and changed nothing.`,
    fix: NOTHING_TO_DO,
  };
}

function callData(answer: JsonObject): string {
  return textOf(contractValue(objectOf(answer.transaction).raw_data).data) ?? "";
}

function figures(answer: JsonObject): readonly DecodedField[] {
  return FIGURES.flatMap(([name, label]) => {
    const value = answer[name];
    return typeof value === "number" || typeof value === "bigint" ? field(label, value, "number") : [];
  });
}

const FIGURES = [
  ["energy_used", t`energy used`],
  ["energy_penalty", t`energy penalty`],
  ["energy_required", t`energy required`],
] as const;

function outputs(answer: JsonObject, { abi }: ExplainContext): readonly DecodedField[] {
  const returned = bytesOf(listOf(answer.constant_result)[0]);
  if (returned === undefined || returned.length === 0) return [];
  const found = abi?.lookup(callData(answer).slice(0, 8)).find(isFunctionWithOutputs);
  const values = found === undefined ? undefined : tryDecode(found.outputs, returned);
  return found === undefined || values === undefined ? [] : fieldsOfValues(found.outputs, values);
}

const isFunctionWithOutputs = ({ kind, outputs: results }: AbiCandidate): boolean =>
  kind === "function" && results.length > 0;

const MAX_SHOWN = 50;

/**
 * The internal transactions that were rejected, one field each; empty when all went well or the node does not keep
 * them.
 */
export function rejectedInnerCalls(answer: JsonObject): readonly DecodedField[] {
  return listOf(answer.internal_transactions)
    .map(objectOf)
    .filter(({ rejected }) => rejected === true)
    .slice(0, MAX_SHOWN)
    .map((call, index) => ({
      name: t`rejected inner call ${index + 1}`,
      value: `${readMessage(textOf(call.note) ?? "").readable || "call"} ${addressOf(call, "caller_address")} → ${addressOf(call, "transferTo_address")}`,
      kind: "text",
    }));
}

const addressOf = (call: JsonObject, name: string): string => addressText(textOf(call[name]) ?? "?");

/** Words for a success with failures inside. */
export const innerRejection = {
  title: t`Succeeded, but an inner call was rejected`,
  cause: t`The contract caught the failure of a call that it made, and went on. What that call should have done did not happen.`,
  fix: t`Look at the inner call: a token or another contract refused it, and the caller did not insist.`,
} as const;
