import { endOfExecution, executionIn } from "@finality/tron/node-messages";
import { type JsonObject, parseTxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
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
  if (!isTransactionInfo(info)) return undefined;
  const finding = explainEnd(info, hasRunCode(info), context);
  return { ...finding, decoded: [...finding.decoded, ...fieldsOfJson(info)] };
}

function isTransactionInfo(info: JsonObject): boolean {
  if ("receipt" in info) return ["id", "blockNumber", "contractResult", "fee"].some((name) => name in info);
  const hasTxId = parseTxId(textOf(info.id) ?? "") !== undefined;
  if (!executionIn(info).failed) return hasTxId && "blockNumber" in info && "blockTimeStamp" in info;
  const isAlone = info.result === "FAILED" && Object.keys(info).length === 1;
  return isAlone || hasTxId || TELLING.some((name) => name in info);
}

/** Other programs have results that are FAILED. */
const TELLING = ["resMessage", "contractResult", "blockTimeStamp", "contract_address", "fee"];

/** Returns whether an info shows that a contract ran, by its address, its returned data or its energy. */
function hasRunCode(info: JsonObject): boolean {
  const receipt = objectOf(info.receipt);
  const energy = [receipt.energy_usage_total, receipt.energy_usage, receipt.energy_fee, receipt.origin_energy_usage];
  const returned = listOf(info.contractResult)[0] ?? "";
  return (textOf(info.contract_address) ?? "") !== "" || returned !== "" || energy.some((it) => it !== undefined);
}

/**
 * Explains how a transaction ended, without the rest of its information. The tracker decides by the same function.
 *
 * @param runsCode - whether it runs a contract
 */
export function explainEnd(info: JsonObject, runsCode: boolean, context: ExplainContext): Finding {
  const report = executionIn(info);
  const end = endOfExecution(report, runsCode);
  switch (end.kind) {
    case "failed":
      return explainFailed(info, clip(end.result, 80), context);
    case "success":
      return explainIncluded(info, report.receiptResult, context);
    case "not-reported":
      return report.receiptResult === undefined ? explainNotReported() : explainUnfinished();
  }
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

function explainNotReported(): Finding {
  const words = {
    title: t`The result is not reported`,
    cause: t`The transaction runs a contract, and its receipt has no result: whether it succeeded is not known.`,
    fix: t`Ask again for the solidified information of the transaction, or ask another node.`,
  };
  return plainFinding("DEFAULT", words, {
    category: "execution",
    entry: "result-not-reported",
    retry: verdictOf("trial"),
    sources: ["gateway document, Endpoints rule 1"],
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
