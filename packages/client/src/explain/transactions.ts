import { type AbiCandidate, type AbiValue, tryDecode } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { coinsText, counted, grouped, withoutStop } from "@finality/tron/format";
import { endOfExecution, executionIn, resultNameOf } from "@finality/tron/node-messages";
import {
  hexToBytes,
  isHexPairs,
  isJsonObject,
  type Json,
  type JsonObject,
  parseTxId,
  stripHexPrefix,
  sun,
  type TxId,
  transactionId,
  visibleLine,
} from "@finality/tron/primitives";
import { decodeRawData, rawDataToJson } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { type EnergyBill, runsCode } from "../transaction-state/execution-outcome.ts";
import { falseReturn, innerRejection, rejectedInnerCalls } from "./call-answers.ts";
import { bytesOf, contractValue, listOf, objectOf, textOf } from "./decode/json.ts";
import { clip, type Diagnosis, field, plainDiagnosis, READ_DATA } from "./diagnosis.ts";
import { type Candidate, type DecodedField, type ExplainContext, verdictOf } from "./explanation.ts";
import { failureReason, priceOf } from "./failure-reason.ts";
import { addressText, argumentList, eventFields, fieldsOfJson, fieldsOfValues } from "./fields.ts";
import { receiptResultMessages } from "./messages/contract-messages.ts";
import { explainVmFailure, revertTexts } from "./messages/failures.ts";
import { readMessage } from "./messages/message-text.ts";

/** Explains the outcome of a transaction: the info that a node returns once it is in a block. */
export function explainTransactionInfo(info: JsonObject, context: ExplainContext): Diagnosis | undefined {
  if (!isTransactionInfo(info)) return undefined;
  const diagnosis = explainEnd(info, hasRunCode(info), context);
  return { ...diagnosis, decoded: [...diagnosis.decoded, ...fieldsOfJson(info)] };
}

function isTransactionInfo(info: JsonObject): boolean {
  if ("receipt" in info) return ["id", "blockNumber", "contractResult", "fee"].some((name) => name in info);
  const hasTxId = parseTxId(textOf(info.id) ?? "") !== undefined;
  if (!executionIn(info).failed) return hasTxId && "blockNumber" in info && "blockTimeStamp" in info;
  const isAlone = info.result === "FAILED" && Object.keys(info).length === 1;
  return isAlone || hasTxId || SPECIFIC.some((name) => name in info);
}

/** Other programs have results that are FAILED. */
const SPECIFIC = ["resMessage", "contractResult", "blockTimeStamp", "contract_address", "fee"];

/** Returns whether an info shows that a contract ran, by its address, its returned data or its energy. */
function hasRunCode(info: JsonObject): boolean {
  const receipt = objectOf(info.receipt);
  const energy = [receipt.energy_usage_total, receipt.energy_usage, receipt.energy_fee, receipt.origin_energy_usage];
  const returned = listOf(info.contractResult)[0] ?? "";
  return (textOf(info.contract_address) ?? "") !== "" || returned !== "" || energy.some((it) => it !== undefined);
}

/**
 * Explains how a transaction ended, without the rest of its info. The tracker uses the same function.
 *
 * @param runsCode - Whether it runs a contract.
 */
function explainEnd(info: JsonObject, runsCode: boolean, context: ExplainContext): Diagnosis {
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

/** The value before the end of the execution does not tell the outcome. */
function explainUnfinished(): Diagnosis {
  return plainDiagnosis("DEFAULT", receiptResultMessages.DEFAULT, {
    category: "execution",
    entry: "result-DEFAULT",
    retry: verdictOf("trial"),
    decoded: field("result", "DEFAULT"),
    sources: ["gateway document, Execution result values"],
  });
}

function explainNotReported(): Diagnosis {
  const texts = {
    title: t`The result is not reported`,
    cause: t`The transaction runs a contract, and its receipt has no result: whether it succeeded is not known.`,
    fix: t`Query the solidified transaction information again, or use another node.`,
  };
  return plainDiagnosis("DEFAULT", texts, {
    category: "execution",
    entry: "result-not-reported",
    retry: verdictOf("trial"),
    sources: ["gateway document, Endpoints rule 1"],
  });
}

function explainFailed(info: JsonObject, result: string, context: ExplainContext): Diagnosis {
  const message = textOf(info.resMessage) ?? "";
  const read = readMessage(message);
  const quoted = message === "" ? [] : read.fields;
  const base = explainVmFailure(result, read.text, { code: result, retry: verdictOf("executed") });
  if (result !== "REVERT") return { ...base, decoded: [...field("result", result), ...quoted] };
  const data = bytesOf(listOf(info.contractResult)[0]) ?? new Uint8Array();
  const { code, ...words } = revertTexts(data, context, textOf(info.contract_address));
  return {
    ...base,
    ...words,
    decoded: [...field(t`error`, code), ...words.decoded, ...quoted],
    sources: [...words.sources, ...base.sources],
  };
}

function explainIncluded(info: JsonObject, result: string | undefined, context: ExplainContext): Diagnosis {
  const rejected = rejectedInnerCalls(info);
  const decoded: readonly DecodedField[] = [...rejected, ...eventFields(info, context)];
  const sources = ["gateway document, Transitions; protocol reference §11.6"];
  if (rejected.length > 0) {
    return plainDiagnosis("SUCCESS", innerRejection, {
      category: "execution",
      entry: "inner-rejection",
      retry: verdictOf("done"),
      decoded,
      sources,
    });
  }
  return plainDiagnosis("SUCCESS", includedTexts(result), {
    entry: "included",
    retry: verdictOf("done"),
    decoded,
    sources,
    candidates: falseCandidate(info),
  });
}

function includedTexts(result: string | undefined): Pick<Diagnosis, "title" | "cause" | "fix"> {
  return {
    title: result === undefined ? t`Included and executed` : t`Executed successfully`,
    cause: t`The transaction is in a block and succeeded. It is final once that block is solidified.`,
    fix: t`Confirm it with solidified data before you rely on it.`,
  };
}

/** A result of 32 zero bytes is false for a bool function; the called function is unknown here. */
function falseCandidate(info: JsonObject): readonly Candidate[] {
  const [returned] = listOf(info.contractResult);
  if (typeof returned !== "string" || !/^0{64}$/.test(returned)) return [];
  return [
    { code: "SUCCESS", title: falseReturn.title, reason: t`contractResult is 32 zero bytes, which may be false or 0` },
  ];
}

/** Explains a transaction, signed or not, and the result that a query adds to it. */
export function explainTransaction(json: JsonObject, context: ExplainContext): Diagnosis | undefined {
  const rawData = json.raw_data;
  if (!isJsonObject(rawData)) return undefined;
  const [ret] = listOf(json.ret);
  const result = clip(resultNameOf(objectOf(ret).contractRet) ?? textOf(objectOf(ret).ret) ?? "", 80);
  const what = describeContract(rawData, context);
  const decoded = [...field("txID", textOf(json.txID), "tx-id"), ...what.fields, ...fieldsOfJson(rawData)];
  if (result !== "" && result !== "SUCCESS" && result !== "DEFAULT") return ofFailure(result, decoded);
  const signatures = listOf(json.signature).length;
  return plainDiagnosis(
    "TRANSACTION",
    {
      title: what.title,
      cause:
        `${signatures === 0 ? t`Not signed.` : t`${counted(signatures, t`signature`, t`signatures`)}.`} ${result === "" ? "" : t`A look-up shows SUCCESS, which may be the trial run of a transaction that is still pending.`}`.trim(),
      fix: t`Track the txID until it is solidified.`,
    },
    { decoded, sources: [READ_DATA] },
  );
}

function ofFailure(result: string, decoded: readonly DecodedField[]): Diagnosis {
  const diagnosis = explainVmFailure(result, "", { code: result, decoded: [...field("result", result), ...decoded] });
  return {
    ...diagnosis,
    cause: t`${diagnosis.cause} While the transaction is pending, this is the result of a trial run.`,
    fix: t`Track the txID until it is solidified. Its information shows whether it failed; contractResult and resMessage contain the reason.`,
    retry: verdictOf("trial"),
  };
}

/**
 * Describes the single contract of a transaction in one line, standalone and as the title of a transaction. The call is
 * decoded if its function is known.
 */
export function describeContract(
  rawData: JsonObject,
  context: ExplainContext,
): { readonly title: string; readonly what: string; readonly fields: readonly DecodedField[] } {
  const contract = objectOf(listOf(rawData.contract)[0]);
  const value = contractValue(rawData);
  const type = clip(textOf(contract.type) ?? t`contract of unknown type`, 60);
  const owner = textOf(value.owner_address);
  const what = owner === undefined ? type : `${type}${t` of ${addressText(clip(owner, 60))}`}`;
  return { title: t`Transaction: ${what}`, what, fields: callFields(value, context) };
}

function callFields(value: JsonObject, context: ExplainContext): readonly DecodedField[] {
  const call = callIn(value, context);
  return call === undefined ? [] : callFieldsOf(call);
}

/** Returns a call by the names of an ABI. */
interface NamedCall {
  readonly candidate: AbiCandidate;
  readonly values: readonly AbiValue[];
  /** In one line. */
  readonly text: string;
}

/** The call and its arguments, by name. */
function callFieldsOf({ candidate, values, text }: NamedCall): readonly DecodedField[] {
  return [{ name: "call", value: text, kind: "list", children: fieldsOfValues(candidate.parameters, values) }];
}

/** The call in the fields of a contract, by the first names that fit its data. */
function callIn(value: JsonObject, { abi }: ExplainContext): NamedCall | undefined {
  const data = bytesOf(value.data);
  const selector = stripHexPrefix(textOf(value.data) ?? "")
    .slice(0, 8)
    .toLowerCase();
  if (abi === undefined || data === undefined || selector.length !== 8) return undefined;
  for (const one of abi.lookup(selector, textOf(value.contract_address))) {
    const values = one.kind === "function" ? tryDecode(one.parameters, data.subarray(4)) : undefined;
    if (values === undefined) continue;
    return { candidate: one, values, text: clip(`${one.name}(${argumentList(one.parameters, values)})`, 240) };
  }
  return undefined;
}

/**
 * Explains a transaction together with its info: `transaction` and `info` from a node, the source in `network`,
 * `endpoint` and `view`, and the estimate of a call now in `simulation`. Its content is read from its bytes, which must
 * match its txID; its outcome is a claim of the source.
 */
export function explainWholeTransaction(json: JsonObject, context: ExplainContext): Diagnosis | undefined {
  const { transaction, info } = json;
  if (!isJsonObject(transaction) || !("info" in json || "view" in json)) return undefined;
  const bytes = textOf(transaction.raw_data_hex) ?? "";
  const txId = parseTxId(textOf(transaction.txID) ?? "");
  if (txId === undefined || !isHexPairs(bytes)) return undefined;
  if (transactionId(hexToBytes(bytes)) !== txId) return ofOtherBytes(txId, json);
  const raw = rawDataIn(bytes);
  const end = isJsonObject(info) && Object.keys(info).length > 0 ? info : undefined;
  return raw === undefined ? undefined : explainWhole({ json, txId, raw, info: end }, context);
}

interface Whole {
  readonly json: JsonObject;
  readonly txId: TxId;
  /** By its bytes. */
  readonly raw: JsonObject;
  /** Undefined while it is in no block. */
  readonly info: JsonObject | undefined;
}

function rawDataIn(bytes: string): JsonObject | undefined {
  try {
    return rawDataToJson(decodeRawData(hexToBytes(bytes)).raw, false);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

function ofOtherBytes(txId: TxId, json: JsonObject): Diagnosis {
  const texts = {
    title: t`These are not the bytes of this transaction`,
    cause: t`The SHA-256 of the bytes is not the txID ${txId}: the server returned another transaction, or a changed one.`,
    fix: t`Do not trust this gateway. Ask another one.`,
  };
  const details = { category: "validation", retry: verdictOf("not-known"), decoded: sourceFields(json) } as const;
  return plainDiagnosis("TRANSACTION_ALTERED", texts, details);
}

function explainWhole(whole: Whole, context: ExplainContext): Diagnosis {
  const { json, txId, raw, info } = whole;
  const value = contractValue(raw);
  const call = callIn(value, context);
  const end = info === undefined ? pending() : explainEnd(info, runsCode(contractType(raw)), context);
  const what = call?.text ?? unnamedCall(value) ?? contractType(raw);
  const isCalm = end.category === "none";
  return {
    ...end,
    title: isCalm && info !== undefined ? t`${end.title}: ${what}` : end.title,
    cause: [locationText(whole), isCalm ? "" : end.cause, energyTexts(whole)].filter((it) => it !== "").join(" "),
    decoded: [
      ...field("txID", txId, "tx-id"),
      ...(isCalm ? [] : group(t`reason`, end.title, end.decoded)),
      ...(call === undefined ? [] : callFieldsOf(call)),
      ...transactionFields(raw, context),
      ...(info === undefined ? [] : endFields(info, call, context)),
      ...sourceFields(json),
    ],
    sources: [
      t`The transaction: its bytes, whose SHA-256 is the txID`,
      ...(info === undefined ? [] : [t`Outcome: ${sourceText(json)}, as reported by the node`]),
      ...(call === undefined ? [] : [t`Names of the call: ${call.candidate.origin}`]),
      ...end.sources,
    ],
  };
}

function pending(): Diagnosis {
  const texts = {
    title: t`In no block yet`,
    cause: "",
    fix: t`Track the txID until it is in a block or expires.`,
  };
  return plainDiagnosis("PENDING", texts, { retry: verdictOf("trial") });
}

/** Returns the location of the transaction on the chain, and the source that reports it. */
function locationText({ json, info, raw }: Whole): string {
  const what = describeContract(raw, {}).what;
  if (info === undefined) return t`${what}. ${sourceText(json)} knows its bytes and names no block.`;
  const height = grouped(numberIn(info.blockNumber));
  const isSolid = json.view === "solid";
  const finality = isSolid ? t`which is solidified` : t`which may still change`;
  return t`${what}, in block ${height}, ${finality}, according to ${sourceText(json)}.`;
}

function sourceText({ endpoint }: JsonObject): string {
  return visibleLine(textOf(endpoint) ?? t`the server`, 120);
}

function contractType(raw: JsonObject): string {
  return clip(textOf(objectOf(listOf(raw.contract)[0]).type) ?? t`a contract of unknown type`, 60);
}

function unnamedCall({ data }: JsonObject): string | undefined {
  const selector = textOf(data)?.slice(0, 8);
  return selector?.length === 8 ? t`the function 0x${selector}, which is in no ABI here` : undefined;
}

/** Returns the contents of the transaction, read from its bytes. */
function transactionFields(raw: JsonObject, context: ExplainContext): readonly DecodedField[] {
  const { contract: _contract, ...rest } = raw;
  const children = [...field("type", contractType(raw)), ...fieldsOfJson(contractValue(raw)), ...fieldsOfJson(rest)];
  return group("transaction", describeContract(raw, context).title, children);
}

function endFields(info: JsonObject, call: NamedCall | undefined, context: ExplainContext): readonly DecodedField[] {
  return [
    ...returnedFields(info, call),
    ...eventList(info, context),
    ...innerCalls(info),
    ...costFields(info),
    ...group("block", grouped(numberIn(info.blockNumber)), [
      ...field(t`number`, numberIn(info.blockNumber), "number"),
      ...field(t`time`, numberIn(info.blockTimeStamp), "time"),
    ]),
    ...furtherFields(info),
  ];
}

/** Returns the return values of the call, under the names of its function. */
function returnedFields(info: JsonObject, call: NamedCall | undefined): readonly DecodedField[] {
  const returned = bytesOf(listOf(info.contractResult)[0]);
  if (returned === undefined || returned.length === 0 || executionIn(info).failed) return [];
  const outputs = call?.candidate.outputs ?? [];
  const values = outputs.length === 0 ? undefined : tryDecode(outputs, returned);
  return group(
    t`returned`,
    values === undefined ? t`${returned.length} bytes` : "",
    values === undefined
      ? field("bytes", textOf(listOf(info.contractResult)[0]), "hex")
      : fieldsOfValues(outputs, values),
  );
}

const MOST = 100;

/** Events without a name in an ABI are counted, and stay in the raw text. */
function eventList(info: JsonObject, context: ExplainContext): readonly DecodedField[] {
  const all = listOf(info.log).length;
  const named = eventFields(info, context);
  const left = all - named.length;
  const unnamed = left === 0 ? "" : t`, ${left} of them unnamed: no ABI here has them`;
  return all === 0 ? [] : group(t`events`, `${all}${unnamed}`, named);
}

/** Returns the calls that contracts made to others during the run, if the node stores them. */
function innerCalls(info: JsonObject): readonly DecodedField[] {
  const calls = listOf(info.internal_transactions).map(objectOf);
  const rejected = calls.filter((call) => call.rejected === true).length;
  const summary = `${calls.length}${rejected === 0 ? "" : t`, ${rejected} of them rejected`}`;
  const children = calls.slice(0, MOST).map((call, index): DecodedField => {
    const note = readMessage(textOf(call.note) ?? "").readable || "call";
    const ways = [call.caller_address, call.transferTo_address].map((it) => addressText(clip(textOf(it) ?? "?", 60)));
    const amounts = listOf(call.callValueInfo).map(objectOf).flatMap(amountText).join(", ");
    const value = [ways.join(" → "), amounts, call.rejected === true ? t`rejected` : ""].filter((it) => it !== "");
    return { name: clip(`${index + 1} ${note}`, 80), value: value.join(", "), kind: "text" };
  });
  return calls.length === 0 ? [] : group(t`internal transactions`, summary, children);
}

function amountText({ callValue, tokenId }: JsonObject): readonly string[] {
  const amount = integerIn(callValue);
  if (amount === 0n) return [];
  return [
    typeof tokenId === "string" && tokenId !== ""
      ? t`${String(amount)} of token ${clip(tokenId, 40)}`
      : coinsText(sun(amount)),
  ];
}

/** Returns the costs, by payer. */
function costFields(info: JsonObject): readonly DecodedField[] {
  const receipt = objectOf(info.receipt);
  const amount = (name: string): bigint => integerIn(receipt[name]);
  const fee = integerIn(info.fee);
  const burned = amount("energy_usage_total") - amount("energy_usage") - amount("origin_energy_usage");
  const rest = fee - amount("energy_fee") - amount("net_fee");
  return group(t`costs`, coinsText(sun(fee)), [
    ...figure(t`energy`, amount("energy_usage_total")),
    ...figure(t`energy for the penalty of a busy contract, included above`, amount("energy_penalty_total")),
    ...figure(t`energy from the caller's stake`, amount("energy_usage")),
    ...figure(t`energy from the contract's owner`, amount("origin_energy_usage")),
    ...figure(t`energy for coins`, amount("energy_fee") > 0n ? burned : 0n),
    ...paid(t`burned for energy`, amount("energy_fee")),
    ...figure(t`bandwidth, free or from the stake (bytes)`, amount("net_usage")),
    ...paid(t`burned for bandwidth`, amount("net_fee")),
    ...paid(t`other fees (a new account, a memo, several signatures)`, rest),
  ]);
}

function figure(name: string, value: bigint): readonly DecodedField[] {
  return value > 0n ? field(name, grouped(value), "text") : [];
}

function paid(name: string, value: bigint): readonly DecodedField[] {
  return value > 0n ? field(name, coinsText(sun(value)), "text") : [];
}

/** Returns the remaining fields: amounts unstaked or withdrawn, and items created. */
function furtherFields(info: JsonObject): readonly DecodedField[] {
  const further = Object.entries(info).filter(([name]) => !SHOWN.has(name));
  return group(t`further`, "", fieldsOfJson(Object.fromEntries(further)));
}

const SHOWN: ReadonlySet<string> = new Set([
  ...(["id", "fee", "blockNumber", "blockTimeStamp", "contractResult", "receipt", "log"] as const),
  ...(["internal_transactions", "result", "resMessage"] as const),
]);

/** Describes the energy that a run lacked, and the energy that it would take now. */
function energyTexts(whole: Whole): string {
  const { info = {}, raw } = whole;
  const receipt = objectOf(info.receipt);
  if (executionIn(info).receiptResult !== "OUT_OF_ENERGY") return "";
  const energy: EnergyBill = {
    used: numberIn(receipt.energy_usage_total),
    staked: numberIn(receipt.energy_usage),
    owner: numberIn(receipt.origin_energy_usage),
    fee: numberIn(receipt.energy_fee),
  };
  const { text: message } = readMessage(textOf(info.resMessage) ?? "");
  const feeLimit = sun(integerIn(raw.fee_limit));
  const failure = { kind: "failed", result: "OUT_OF_ENERGY", message, energy } as const;
  const reason = failureReason(failure, { feeLimit }, { nameOf: () => undefined });
  if (reason === undefined) return "";
  return `${t`It ran ${withoutStop(visibleLine(reason.text))}.`} ${reason.detail ?? ""} ${simulationTexts(whole, energy)}`.trim();
}

/** Without the price of one energy, which only coins reveal, no fee limit can be named. */
function simulationTexts({ json }: Whole, { used, staked, owner, fee }: EnergyBill): string {
  const { reverted, energy_used: energy } = objectOf(json.simulation);
  const takes = integerIn(energy);
  if (takes <= 0n) return "";
  if (reverted === true) return t`Simulated on the newest state, the same call reverts: energy alone does not help.`;
  const price = priceOf({ used, staked, owner, fee });
  const limit =
    price === undefined ? "" : t`: fee_limit ${coinsText(sun(takes * BigInt(price)))} pays for it at ${price} sun`;
  return t`Simulated on the newest state, the same call takes ${grouped(takes)} energy${limit}.`;
}

function sourceFields({ network, endpoint, view }: JsonObject): readonly DecodedField[] {
  const data = view === "solid" ? t`solidified data` : t`newest data, which may still change`;
  return group(t`asked`, textOf(endpoint) ?? "", [
    ...field(t`network`, textOf(network)),
    ...field(t`endpoint`, textOf(endpoint)),
    ...field(t`view`, view === undefined ? undefined : data),
  ]);
}

/** Returns a part of the tree, if it has content. */
function group(name: string, value: string, children: readonly DecodedField[]): readonly DecodedField[] {
  return children.length === 0 && value === "" ? [] : [{ name, value, kind: "list", children }];
}

function integerIn(value: Json | undefined): bigint {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : 0n;
}

function numberIn(value: Json | undefined): number {
  return Number(integerIn(value));
}
