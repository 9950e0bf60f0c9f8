import { t } from "@vscode/l10n";
import type { JsonObject } from "../../primitives/json.ts";
import { contractResultName } from "../../transaction/contract-result.ts";
import { receiptResultWords } from "../catalogue/receipt-results.ts";
import { bytesOf, listOf, objectOf, textOf } from "../decode/json.ts";
import { readMessage } from "../decode/message-text.ts";
import type { Candidate, DecodedField, ExplainContext } from "../result/explanation.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { eventFields } from "../words/event-text.ts";
import { fieldsOfJson } from "../words/fields.ts";
import { clip, type Finding, field, plainFinding } from "../words/finding.ts";
import { revertWords } from "../words/revert-words.ts";
import { explainVmFailure } from "../words/vm-words.ts";
import { falseReturn, innerRejection, rejectedInnerCalls } from "./call-success.ts";

/** Explains what became of a transaction: the information that a node gives once it is in a block. */
export function explainTransactionInfo(info: JsonObject, context: ExplainContext): Finding | undefined {
  const isInfo =
    "receipt" in info && ("id" in info || "blockNumber" in info || "contractResult" in info || "fee" in info);
  if (
    !isInfo &&
    !(info.result === "FAILED" && (TELLING.some((name) => name in info) || Object.keys(info).length === 1))
  )
    return undefined;
  const finding = explainEnd(info, context);
  return { ...finding, decoded: [...finding.decoded, ...fieldsOfJson(info)] };
}

/** What the information says of how it ended, without the rest that it has. */
export function explainEnd(info: JsonObject, context: ExplainContext): Finding {
  const result = resultIn(objectOf(info.receipt));
  const failed = saysFailed(info);
  if (result === "DEFAULT" && !failed) return explainUnfinished();
  if (failed) return explainFailed(info, result ?? "FAILED", context);
  const succeeded = result === undefined || result === "SUCCESS";
  return succeeded ? explainIncluded(info, result, context) : explainFailed(info, result, context);
}

/** Other programs have results that are FAILED. */
const TELLING = ["resMessage", "contractResult", "blockTimeStamp", "contract_address", "fee"];

/** The result of the execution by its name: libraries over gRPC give its number, as a text or not. */
function resultIn({ result }: JsonObject): string | undefined {
  if (typeof result === "string" && !/^\d{1,3}$/.test(result)) return result === "" ? undefined : clip(result, 80);
  if (typeof result !== "number" && typeof result !== "string") return undefined;
  return contractResultName(Number(result)) ?? String(result);
}

/** Whether the information as a whole says FAILED, which is number 1. */
function saysFailed({ result }: JsonObject): boolean {
  return result === "FAILED" || result === 1;
}

/** The value before the execution has ended says nothing of how it ends. */
function explainUnfinished(): Finding {
  return plainFinding("DEFAULT", receiptResultWords.DEFAULT, {
    category: "execution",
    entry: "result-DEFAULT",
    retry: verdictOf("trial"),
    decoded: field("result", "DEFAULT"),
    sources: ["gateway document, Execution result values"],
  });
}

function explainFailed(info: JsonObject, result: string, context: ExplainContext): Finding {
  const message = textOf(info.resMessage) ?? "";
  const read = readMessage(message);
  const said = message === "" ? [] : read.fields;
  const base = explainVmFailure(result, read.text, { code: result, retry: verdictOf("executed") });
  if (result !== "REVERT") return { ...base, decoded: [...field("result", result), ...said] };
  const data = bytesOf(listOf(info.contractResult)[0]) ?? new Uint8Array();
  const { code, ...words } = revertWords(data, context, textOf(info.contract_address));
  return {
    ...base,
    ...words,
    decoded: [...field(t`error`, code), ...words.decoded, ...said],
    sources: [...words.sources, ...base.sources],
  };
}

function explainIncluded(info: JsonObject, result: string | undefined, context: ExplainContext): Finding {
  const rejected = rejectedInnerCalls(info);
  const decoded: readonly DecodedField[] = [...rejected, ...eventFields(info, context)];
  const sources = ["gateway document, Transitions; protocol reference §11.6"];
  if (rejected.length > 0) {
    return plainFinding("SUCCESS", innerRejection, {
      category: "execution",
      entry: "inner-rejection",
      retry: verdictOf("done"),
      decoded,
      sources,
    });
  }
  return plainFinding("SUCCESS", includedWords(result), {
    entry: "included",
    retry: verdictOf("done"),
    decoded,
    sources,
    candidates: falseCandidate(info),
  });
}

function includedWords(result: string | undefined): Pick<Finding, "title" | "cause" | "fix"> {
  return {
    title: result === undefined ? t`Included and executed` : t`Executed successfully`,
    cause: t`The transaction is in a block and did what it should. It is final once that block is solidified.`,
    fix: t`Confirm it with the solidified data before it counts.`,
  };
}

/** A result of 32 zero bytes is what a bool function gives for false; which function was called is not said here. */
function falseCandidate(info: JsonObject): readonly Candidate[] {
  const [returned] = listOf(info.contractResult);
  if (typeof returned !== "string" || !/^0{64}$/.test(returned)) return [];
  return [
    { code: "SUCCESS", title: falseReturn.title, reason: t`contractResult is 32 zero bytes, which may be false or 0` },
  ];
}
