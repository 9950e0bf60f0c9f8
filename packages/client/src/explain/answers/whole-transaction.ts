import { tryDecode } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { coinsText, grouped } from "@finality/tron/format";
import { executionIn } from "@finality/tron/node-messages";
import {
  hexToBytes,
  isHexPairs,
  isJsonObject,
  type Json,
  type JsonObject,
  parseTxId,
  sun,
  type TxId,
  transactionId,
  visibleLine,
} from "@finality/tron/primitives";
import { decodeRawData, rawDataToJson } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { type EnergyBill, runsCode } from "../../transaction-state/execution-outcome.ts";
import { bytesOf, contractValue, listOf, objectOf, textOf } from "../decode/json.ts";
import { readMessage } from "../decode/message-text.ts";
import { failureReason, priceOf } from "../failure-reason.ts";
import type { DecodedField, ExplainContext } from "../result/explanation.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { eventFields } from "../words/event-text.ts";
import { addressText, fieldsOfJson, fieldsOfValues } from "../words/fields.ts";
import { clip, type Finding, field, plainFinding } from "../words/finding.ts";
import { callFieldsOf, callIn, describeContract, type NamedCall } from "./transaction.ts";
import { explainEnd } from "./transaction-info.ts";

/**
 * Explains a transaction together with its information: `transaction` and `info` as a node gives them, and in `network`,
 * `endpoint` and `view` who was asked, and in `simulation` what a call would take now. What it does is read from its
 * bytes, which have to be those of its txID; how it ended is the word of who was asked.
 */
export function explainWholeTransaction(json: JsonObject, context: ExplainContext): Finding | undefined {
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
  /** Absent while no block has it. */
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

function ofOtherBytes(txId: TxId, json: JsonObject): Finding {
  const words = {
    title: t`These are not the bytes of this transaction`,
    cause: t`The SHA-256 of the bytes is not the txID ${txId}: who was asked told of another transaction, or changed this one.`,
    fix: t`Do not trust this gateway. Ask another one.`,
  };
  const details = { category: "validation", retry: verdictOf("not-known"), decoded: askedFields(json) } as const;
  return plainFinding("TRANSACTION_ALTERED", words, details);
}

function explainWhole(whole: Whole, context: ExplainContext): Finding {
  const { json, txId, raw, info } = whole;
  const value = contractValue(raw);
  const call = callIn(value, context);
  const end = info === undefined ? pending() : explainEnd(info, runsCode(contractType(raw)), context);
  const what = call?.text ?? unnamedCall(value) ?? contractType(raw);
  const isCalm = end.category === "none";
  return {
    ...end,
    title: isCalm && info !== undefined ? t`${end.title}: ${what}` : end.title,
    cause: [locationText(whole), isCalm ? "" : end.cause, energyWords(whole)].filter((it) => it !== "").join(" "),
    decoded: [
      ...field("txID", txId, "tx-id"),
      ...(isCalm ? [] : group(t`reason`, end.title, end.decoded)),
      ...(call === undefined ? [] : callFieldsOf(call)),
      ...transactionFields(raw, context),
      ...(info === undefined ? [] : endFields(info, call, context)),
      ...askedFields(json),
    ],
    sources: [
      t`The transaction: its bytes, whose SHA-256 is the txID`,
      ...(info === undefined ? [] : [t`How it ended: ${askedText(json)}, whose word it is`]),
      ...(call === undefined ? [] : [t`Names of the call: ${call.candidate.origin}`]),
      ...end.sources,
    ],
  };
}

function pending(): Finding {
  const words = {
    title: t`In no block yet`,
    cause: "",
    fix: t`Follow the txID: it ends in a block, or its time runs out.`,
  };
  return plainFinding("PENDING", words, { retry: verdictOf("trial") });
}

/** Returns the location of the transaction on the chain, and the source that reports it. */
function locationText({ json, info, raw }: Whole): string {
  const what = describeContract(raw, {}).what;
  if (info === undefined) return t`${what}. ${askedText(json)} knows its bytes and names no block.`;
  const height = grouped(numberIn(info.blockNumber));
  const isSolid = json.view === "solid";
  const standing = isSolid ? t`which is solidified` : t`which may still change`;
  return t`${what}, in block ${height}, ${standing}, as ${askedText(json)} says.`;
}

function askedText({ endpoint }: JsonObject): string {
  return visibleLine(textOf(endpoint) ?? t`who was asked`, 120);
}

function contractType(raw: JsonObject): string {
  return clip(textOf(objectOf(listOf(raw.contract)[0]).type) ?? t`a contract of unknown type`, 60);
}

function unnamedCall({ data }: JsonObject): string | undefined {
  const selector = textOf(data)?.slice(0, 8);
  return selector?.length === 8 ? t`the function 0x${selector}, which no ABI here names` : undefined;
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

/** Events that no ABI names are counted, and stay in the raw text. */
function eventList(info: JsonObject, context: ExplainContext): readonly DecodedField[] {
  const all = listOf(info.log).length;
  const named = eventFields(info, context);
  const left = all - named.length;
  const unnamed = left === 0 ? "" : t`, ${left} of them without a name: no ABI here has it`;
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
    ...figure(t`of it penalty of a busy contract`, amount("energy_penalty_total")),
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
function energyWords(whole: Whole): string {
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
  return `${t`It ran ${visibleLine(reason.text)}.`} ${reason.detail ?? ""} ${simulationWords(whole, energy)}`.trim();
}

/** Without the price of one energy, which coins alone tell, there is no fee limit to name. */
function simulationWords({ json }: Whole, { used, staked, owner, fee }: EnergyBill): string {
  const { reverted, energy_used: energy } = objectOf(json.simulation);
  const takes = integerIn(energy);
  if (takes <= 0n) return "";
  if (reverted === true) return t`Simulated on the newest state, the same call reverts: energy alone does not help.`;
  const price = priceOf({ used, staked, owner, fee });
  const limit =
    price === undefined ? "" : t`: fee_limit ${coinsText(sun(takes * BigInt(price)))} pays for it at ${price} sun`;
  return t`Simulated on the newest state, the same call takes ${grouped(takes)} energy${limit}.`;
}

function askedFields({ network, endpoint, view }: JsonObject): readonly DecodedField[] {
  const data = view === "solid" ? t`solidified data` : t`newest data, which may still change`;
  return group(t`asked`, textOf(endpoint) ?? "", [
    ...field(t`network`, textOf(network)),
    ...field(t`endpoint`, textOf(endpoint)),
    ...field(t`view`, view === undefined ? undefined : data),
  ]);
}

/** A part of the tree, where it has anything. */
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
