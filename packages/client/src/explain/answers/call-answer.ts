import { isBroadcastCode } from "@finality/tron/node-messages";
import type { Json, JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { bytesOf, contractValue, listOf, objectOf, textOf } from "../decode/json.ts";
import { matchNodeText, readMessage } from "../decode/message-text.ts";
import type { ExplainContext } from "../result/explanation.ts";
import { verdictOf, verdictOfRequest } from "../result/retry-verdict.ts";
import { explainFault } from "../words/fault-words.ts";
import { clip, type Finding, field, findingOf, plainFinding, retryOf } from "../words/finding.ts";
import { revertWords } from "../words/revert-words.ts";
import { explainVmFailure, resultInMessage } from "../words/vm-words.ts";
import { explainBroadcastAnswer } from "./broadcast-answer.ts";
import { explainCallSuccess } from "./call-success.ts";
import { explainEnoughSignatures, explainSignatureCode } from "./signature-weight.ts";

/**
 * Explains the answer to a simulation, an estimate or the building of a call (protocol reference §13): a revert says
 * `result: true` there, so the message and `ret` decide.
 */
export function explainCallAnswer(answer: JsonObject, context: ExplainContext): Finding | undefined {
  const result = objectOf(answer.result);
  if (typeof result.txid === "string" || isOfBroadcast(result.code)) return explainBroadcastAnswer(result, context);
  const code = typeof result.code === "string" && result.code !== "" ? clip(result.code, 80) : undefined;
  const isCall = "constant_result" in answer || "energy_required" in answer || typeof result.result === "boolean";
  if ("current_weight" in answer && code === undefined) return explainEnoughSignatures(answer);
  if (!isCall && code === undefined) return undefined;
  if (code !== undefined) {
    const found = explainSignatureCode(answer, code) ?? explainCode(code, textOf(result.message) ?? "");
    const hasReason = found.entry === "vm-revert" && textOf(listOf(answer.constant_result)[0]) !== undefined;
    return hasReason ? { ...explainRevert(answer, result, context), code } : found;
  }
  if (isReverted(answer, result)) return explainRevert(answer, result, context);
  return explainCallSuccess(answer, context);
}

/** Codes that only a broadcast has; the others come from simulations too. */
function isOfBroadcast(code: Json | undefined): boolean {
  return typeof code === "string" && isBroadcastCode(code) && !CALL_CODES.has(code);
}

const CALL_CODES: ReadonlySet<string> = new Set([
  "SUCCESS",
  "CONTRACT_VALIDATE_ERROR",
  "CONTRACT_EXE_ERROR",
  "OTHER_ERROR",
]);

/** Explains the `result` of a simulation that was taken out of its answer: it says which exception of the VM it was. */
export function explainCallResult({ code, message, txid }: JsonObject): Finding | undefined {
  if (typeof code !== "string" || code === "" || typeof message !== "string" || txid !== undefined) return undefined;
  const { text } = readMessage(message);
  const ran = resultInMessage(text) !== undefined || matchNodeText(text)?.entry.category === "execution";
  return ran ? explainCode(clip(code, 80), message) : undefined;
}

function isReverted(answer: JsonObject, result: JsonObject): boolean {
  const [ret] = listOf(objectOf(answer.transaction).ret);
  return textOf(result.message) !== undefined || objectOf(ret).ret === "FAILED" || result.result === false;
}

function explainRevert(answer: JsonObject, result: JsonObject, context: ExplainContext): Finding {
  const [returned] = listOf(answer.constant_result);
  const read = readMessage(textOf(result.message) ?? "");
  const data = bytesOf(returned) ?? new Uint8Array();
  const { code, ...words } = revertWords(data, context, calledContract(answer));
  const energy = answer.energy_used;
  return plainFinding("REVERT", words, {
    category: "execution",
    ...words,
    retry: verdictOf("request-after-fix"),
    decoded: [
      ...field(t`error`, code),
      ...words.decoded,
      ...read.fields,
      ...field(t`energy used`, typeof energy === "number" ? energy : undefined, "number"),
    ],
    sources: [...words.sources, "protocol reference §13.1"],
  });
}

/** The contract that was simulated, 41…. */
function calledContract(answer: JsonObject): string | undefined {
  return textOf(contractValue(objectOf(answer.transaction).raw_data).contract_address);
}

function explainCode(code: string, message: string): Finding {
  const read = readMessage(message);
  const vm = resultInMessage(read.text);
  const found = matchNodeText(read.text, code === "CONTRACT_VALIDATE_ERROR");
  const details = { code, decoded: [...field("code", code), ...(message === "" ? [] : read.fields)] };
  if (vm !== undefined || found?.entry.category === "execution") {
    const retry = verdictOf(vm === "OUT_OF_TIME" ? "simulation-again" : "request-after-fix");
    return explainVmFailure(vm ?? code, read.text, { ...details, retry });
  }
  const retry = code === "CONTRACT_VALIDATE_ERROR" ? verdictOfRequest(read.text) : verdictOf("request-after-fix");
  const fault = found === undefined && read.text.startsWith("class ") ? explainFault(read.text) : undefined;
  if (fault !== undefined && !fault.entry.startsWith("generic-")) return { ...fault, ...details };
  if (found !== undefined) {
    return {
      ...findingOf(found.entry, found.captures, details),
      retry: found.entry.retry === undefined ? retry : retryOf(found.entry),
    };
  }
  return ofUnknownMessage(code, read.readable, { ...details, retry });
}

function ofUnknownMessage(code: string, message: string, details: Parameters<typeof findingOf>[2]): Finding {
  const words = {
    title: code === "CONTRACT_VALIDATE_ERROR" ? t`The call was refused` : t`The node could not run the call`,
    cause:
      message === "" ? t`It gives the code ${clip(code, 80)} without a message.` : t`The node says: ${clip(message)}`,
    fix: t`Read the message, and correct the request or the state of the account.`,
  };
  const category = code === "CONTRACT_EXE_ERROR" ? "execution" : "validation";
  return plainFinding(code, words, { ...details, category, entry: `generic-${clip(code, 40)}` });
}
