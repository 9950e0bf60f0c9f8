import { type AbiCandidate, tryDecode } from "@finality/tron/abi";
import {
  type BroadcastMeaning,
  broadcastCodeOf,
  failureInJson,
  failureOf,
  failureText,
  isBroadcastCode,
  readBroadcastAnswer,
  statusOf,
  statusOfPhrase,
} from "@finality/tron/node-messages";
import { isJsonObject, type Json, type JsonObject, quoteJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { returnedFalse } from "../tokens.ts";
import { bytesOf, contractValue, listOf, objectOf, textOf } from "./decode/json.ts";
import {
  clip,
  type Details,
  type Diagnosis,
  diagnosisOf,
  field,
  NOTHING_TO_DO,
  plainDiagnosis,
  READ_DATA,
  retryOf,
} from "./diagnosis.ts";
import { caseOfVerdict, type DecodedField, type ExplainContext, verdictOf, verdictOfRequest } from "./explanation.ts";
import { addressText, fieldsOfJson, fieldsOfValues } from "./fields.ts";
import { broadcastCodeMessages } from "./messages/admission-messages.ts";
import {
  explainContradiction,
  explainFault,
  explainNoSuccess,
  explainRefusal,
  explainVmFailure,
  resultInMessage,
  revertTexts,
} from "./messages/failures.ts";
import {
  explainFailure,
  explainHttpText,
  explainNetworkCode,
  isMoreSpecific,
  ofBroadcast,
} from "./messages/http-text.ts";
import { matchNodeText, readMessage } from "./messages/message-text.ts";

/**
 * Explains the answer to a simulation, an estimate or the building of a call (protocol reference §13): a revert says
 * `result: true` there, so the message and `ret` decide.
 */
export function explainCallAnswer(answer: JsonObject, context: ExplainContext): Diagnosis | undefined {
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

/** Explains the `result` of a simulation without its answer, from the VM exception that it names. */
export function explainCallResult({ code, message, txid }: JsonObject): Diagnosis | undefined {
  if (typeof code !== "string" || code === "" || typeof message !== "string" || txid !== undefined) return undefined;
  const { text } = readMessage(message);
  const ran = resultInMessage(text) !== undefined || matchNodeText(text)?.entry.category === "execution";
  return ran ? explainCode(clip(code, 80), message) : undefined;
}

function isReverted(answer: JsonObject, result: JsonObject): boolean {
  const [ret] = listOf(objectOf(answer.transaction).ret);
  return textOf(result.message) !== undefined || objectOf(ret).ret === "FAILED" || result.result === false;
}

function explainRevert(answer: JsonObject, result: JsonObject, context: ExplainContext): Diagnosis {
  const [returned] = listOf(answer.constant_result);
  const read = readMessage(textOf(result.message) ?? "");
  const data = bytesOf(returned) ?? new Uint8Array();
  const { code, ...words } = revertTexts(data, context, calledContract(answer));
  const energy = answer.energy_used;
  return plainDiagnosis("REVERT", words, {
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

/** Returns the simulated contract, 41…. */
function calledContract(answer: JsonObject): string | undefined {
  return textOf(contractValue(objectOf(answer.transaction).raw_data).contract_address);
}

function explainCode(code: string, message: string): Diagnosis {
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
      ...diagnosisOf(found.entry, found.captures, details),
      retry: found.entry.retry === undefined ? retry : retryOf(found.entry),
    };
  }
  return ofUnknownMessage(code, read.readable, { ...details, retry });
}

function ofUnknownMessage(code: string, message: string, details: Parameters<typeof diagnosisOf>[2]): Diagnosis {
  const texts = {
    title: code === "CONTRACT_VALIDATE_ERROR" ? t`The call was refused` : t`The node could not run the call`,
    cause:
      message === "" ? t`It reports the code ${clip(code, 80)} without a message.` : t`The node says: ${clip(message)}`,
    fix: t`Read the message, and correct the request or the state of the account.`,
  };
  const category = code === "CONTRACT_EXE_ERROR" ? "execution" : "validation";
  return plainDiagnosis(code, texts, { ...details, category, entry: `generic-${clip(code, 40)}` });
}

/** Explains a successful simulation, estimate or built call, or one that seems successful. */
function explainCallSuccess(answer: JsonObject, context: ExplainContext): Diagnosis {
  const rejected = rejectedInnerCalls(answer);
  const details = {
    decoded: [...figures(answer), ...outputs(answer, context), ...rejected],
    sources: [READ_DATA],
    retry: verdictOf("nothing-to-retry"),
  };
  const [returned] = listOf(answer.constant_result);
  if (typeof returned === "string" && returnedFalse(callData(answer), returned))
    return plainDiagnosis("SUCCESS", falseReturn, { ...details, ...failed("returned-false") });
  if (rejected.length > 0)
    return plainDiagnosis("SUCCESS", innerRejection, { ...details, ...failed("inner-rejection") });
  return plainDiagnosis("SUCCESS", successTexts(answer), { ...details, entry: "call-success" });
}

/** Texts for a token that refuses without failing. */
export const falseReturn = {
  title: t`The call succeeded, but the token returned false`,
  cause: t`The token refused the transfer with its return value instead of a revert: nothing was transferred.`,
  fix: t`Check balance and allowance, and check the return value in the calling contract (SafeERC20).`,
} as const;

const failed = (entry: string): Details => ({
  category: "execution",
  sources: ["Solidity, what a call gives back"],
  entry,
  retry: verdictOf("request-after-fix"),
});

function successTexts(answer: JsonObject): Pick<Diagnosis, "title" | "cause" | "fix"> {
  const { energy_required: energy } = answer;
  if (energy !== undefined) {
    return {
      title: t`The estimate is ${quoteJson(energy)} energy`,
      cause: t`The lowest energy limit with which the call succeeds, to the precision of the node.`,
      fix: t`Multiply it by the energy price (getEnergyFee) for a fee_limit.`,
    };
  }
  if (!("constant_result" in answer)) {
    return {
      title: t`The call was built`,
      cause: t`The node built an unsigned transaction.`,
      fix: t`Verify it and sign it.`,
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
 * Returns the rejected internal transactions, one field each; none if all succeeded or the node does not store them.
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

/** Texts for a success with failures inside. */
export const innerRejection = {
  title: t`Succeeded, but an inner call was rejected`,
  cause: t`The contract caught the failure of a call that it made, and went on. That call had no effect.`,
  fix: t`Check the inner call: a token or another contract refused it, and the caller ignored the failure.`,
} as const;

/** Explains JSON that has the form of an answer to a broadcast; undefined for other JSON. */
export function explainBroadcastAnswer(answer: JsonObject, context: ExplainContext): Diagnosis | undefined {
  if (typeof answer.Error === "string" || isOtherAnswer(answer) || !looksLikeAnswer(answer)) return undefined;
  const meaning = readBroadcastAnswer(answer);
  return meaning.kind === "http" ? undefined : explainMeaning(meaning, answer, context);
}

/** Explains JSON that is known to be the whole answer to a broadcast. */
export function explainAnswerToBroadcast(answer: JsonObject, context: ExplainContext): Diagnosis {
  return explainMeaning(readBroadcastAnswer(answer), answer, context);
}

/** Explains `{"result": true}` alone, which a broadcast answers when it leaves the txID out. */
export function explainBareAcceptance(answer: JsonObject): Diagnosis | undefined {
  const isBare = answer.result === true && hasOnlyAnswerNames(answer);
  return isBare && readBroadcastAnswer(answer).kind === "accepted" ? accepted() : undefined;
}

function explainMeaning(meaning: BroadcastMeaning, answer: JsonObject, context: ExplainContext): Diagnosis {
  if (typeof answer.Error === "string") return explainBroadcastFault(meaning, answer, answer.Error, context);
  const message = textOf(answer.message) ?? "";
  const diagnosis =
    explainBroadcastCode(meaning, message, context) ?? explainHttpObject(answer) ?? explainNoSuccess(message);
  const ofHttp = meaning.kind === "http" ? ofBroadcast(diagnosis, meaning.failure.meaning) : diagnosis;
  const txId = textOf(answer.txid) ?? textOf(answer.txID);
  return { ...ofHttp, decoded: [...field("txID", txId, "tx-id"), ...ofHttp.decoded] };
}

function explainBroadcastCode(
  meaning: BroadcastMeaning,
  message: string,
  context: ExplainContext,
): Diagnosis | undefined {
  switch (meaning.kind) {
    case "accepted":
      return accepted();
    case "no-success":
      return explainNoSuccess(message);
    case "contradiction":
      return explainContradiction(clip(meaning.code, MAX_CODE), message);
    case "already-known":
    case "rejected":
    case "unknown":
      return explainRefusal(clip(meaning.code, MAX_CODE), message, context);
    case "turned-away":
    case "http":
      return undefined;
  }
}

/** Explains an `Error` body of a broadcast: its cause is that of any request, its retry verdict that of a broadcast. */
function explainBroadcastFault(
  meaning: BroadcastMeaning,
  answer: JsonObject,
  text: string,
  context: ExplainContext,
): Diagnosis {
  const diagnosis = explainNodeError(answer) ?? explainNoSuccess(text);
  if (meaning.kind === "http") return ofBroadcast(diagnosis, meaning.failure.meaning);
  if (meaning.kind === "unknown") return { ...diagnosis, retry: verdictOf("unknown-outcome") };
  if (meaning.kind !== "rejected") return { ...diagnosis, retry: verdictOf("broadcast-turned-away") };
  return { ...diagnosis, retry: verdictOf(caseOfVerdict("not-pooled", meaning.code, meaning.message, context)) };
}

function accepted(): Diagnosis {
  return plainDiagnosis("SUCCESS", broadcastCodeMessages.SUCCESS, {
    sources: ["gateway document, Broadcast response"],
  });
}

/** Returns whether JSON of unknown origin answers a broadcast, by its field names or its code. */
function looksLikeAnswer(answer: JsonObject): boolean {
  const code = broadcastCodeOf(answer);
  const hasTxId = textOf(answer.txid) !== undefined;
  if (code === undefined || code === "SUCCESS") {
    if (answer.result === true) return hasTxId || textOf(answer.txID) !== undefined;
    return (hasTxId || answer.result === false) && hasOnlyAnswerNames(answer);
  }
  return isBroadcastCode(code.toUpperCase()) || hasTxId || mayBeNewCode(answer, code);
}

const ANSWER_NAMES: ReadonlySet<string> = new Set(["txid", "result", "code", "message", "transaction", "visible"]);

function hasOnlyAnswerNames(answer: JsonObject): boolean {
  return Object.keys(answer).every((name) => ANSWER_NAMES.has(name));
}

/** Returns whether JSON answers a query or a simulation, whose code is no broadcast code. */
function isOtherAnswer(answer: JsonObject): boolean {
  return isJsonObject(answer.result) || OTHER_NAMES.some((name) => name in answer);
}

const OTHER_NAMES = ["receipt", "blockNumber", "blockTimeStamp", "constant_result", "energy_required"];

/** Many programs put their own codes into `code`, so an undocumented one must look like a code of the node. */
function mayBeNewCode(answer: JsonObject, code: string): boolean {
  return (
    textOf(answer.message) !== undefined &&
    hasOnlyAnswerNames(answer) &&
    (answer.result ?? false) === false &&
    /^(?!ERR_)[A-Z]{2,}(?:_[A-Z0-9]+)+$/.test(code.slice(0, MAX_CODE))
  );
}

/** Maximum length of a code. Codes are short; a longer one is arbitrary text. */
const MAX_CODE = 80;

/**
 * Explains `{"Error": "class a.b.C : text"}`: a request that the node refused before it did anything. Gateways use the
 * same form for their own failures, with a status beside it or as its text.
 */
export function explainNodeError(json: JsonObject): Diagnosis | undefined {
  if (typeof json.Error !== "string") return undefined;
  const diagnosis = explainFault(json.Error);
  const failure = failureInJson(json);
  if (failure !== undefined) {
    const diagnoses = [diagnosis, explainHttpText(json.Error)];
    return (
      diagnoses.find((it) => it !== undefined && isMoreSpecific(failure, it)) ?? explainFailure(failure, json.Error)
    );
  }
  if (!diagnosis.entry.startsWith("generic-")) return diagnosis;
  return (diagnosis.code === "Error" ? explainHttpText(json.Error) : undefined) ?? diagnosis;
}

/** Explains the error page of the node's server as JSON, and the output of HTTP clients about an answer. */
export function explainHttpObject(json: JsonObject): Diagnosis | undefined {
  const text = failureText(json);
  const status = statusOf(json);
  if (status === undefined && typeof json.code === "string") {
    const diagnosis = explainNetworkCode(json.code, textOf(json.message));
    if (diagnosis !== undefined && !hasAnswer(json)) return diagnosis;
  }
  const httpStatus = status ?? statusOfPhrase(text);
  return httpStatus === undefined ? undefined : explainFailure(failureOf(httpStatus, text), text);
}

/** The node's answer inside gives more information than the status around it. */
function hasAnswer(json: JsonObject): boolean {
  return isJsonObject(json.response) || isJsonObject(json.data);
}

type DiagnosisTexts = Pick<Diagnosis, "title" | "cause" | "fix">;

/** The codes of getsignweight and getapprovedlist, whose messages are always plain text (node behaviour 4). */
const signatureCodes: { readonly [code: string]: DiagnosisTexts } = {
  NOT_ENOUGH_PERMISSION: {
    title: t`Not enough signatures yet`,
    cause: t`The weight of the signing keys is below the threshold of the permission.`,
    fix: t`Add signatures of further keys.`,
  },
  SIGNATURE_FORMAT_ERROR: {
    title: t`A signature has the wrong form`,
    cause: t`A signature of the transaction does not have 65 bytes.`,
    fix: t`Sign again.`,
  },
  COMPUTE_ADDRESS_ERROR: {
    title: t`A signature cannot be read`,
    cause: t`No key can be recovered from a signature of the transaction.`,
    fix: t`Sign the raw data again.`,
  },
  PERMISSION_ERROR: {
    title: t`A signature does not fit the permission`,
    cause: t`A signing key is not in the permission, or the account has no such permission.`,
    fix: t`Sign with a key of the permission that Permission_id names.`,
  },
};

/** Explains problems with the signatures of a transaction that was checked and not sent; undefined for other codes. */
export function explainSignatureCode(answer: JsonObject, code: string): Diagnosis | undefined {
  if (!Object.hasOwn(signatureCodes, code)) return undefined;
  const words = signatureCodes[code];
  if (words === undefined) return undefined;
  const message = textOf(objectOf(answer.result).message) ?? "";
  const found = matchNodeText(message);
  const quoted = message === "" ? "" : t` The node says: ${clip(message)}`;
  return plainDiagnosis(
    code,
    { ...words, cause: words.cause + quoted },
    {
      category: "validation",
      entry: found?.entry.id ?? `code-${code}`,
      retry: verdictOf("sign-again"),
      decoded: [...field("code", code), ...(message === "" ? [] : readMessage(message).fields)],
      sources: ["protocol reference §4.4"],
    },
  );
}

/** Explains a check that found enough signatures: its result is empty then. */
function explainEnoughSignatures(answer: JsonObject): Diagnosis {
  const texts = {
    title: t`The signatures are enough`,
    cause: t`The weight of the signing keys reaches the threshold of the permission. This check sent nothing.`,
    fix: t`Send the transaction if it has not been sent yet.`,
  };
  const txId = textOf(objectOf(answer.transaction).txid);
  return plainDiagnosis("SIGNATURES", texts, {
    entry: "signatures-enough",
    decoded: [...field("txID", txId, "tx-id"), ...fieldsOfJson(answer)],
    sources: [READ_DATA],
  });
}
