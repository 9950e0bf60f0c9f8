import { parseTxId } from "../primitives/bytes.ts";
import { defined } from "../primitives/defined.ts";
import type { Json, JsonObject } from "../primitives/json.ts";
import { contractResultName } from "../transaction/contract-types.ts";
import { failureInJson, type HttpFailure } from "./http-failure.ts";
import {
  BROADCAST_CODES,
  classifyBroadcastCode,
  decodeNodeMessage,
  hasFaultClass,
  isBrokenNode,
  parseNodeFault,
} from "./node-message.ts";

/** Refusal with its code, or the class of its error, and its decoded message. */
interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Meaning of the body of a broadcast answer (protocol reference §7.4), before the txID is compared. */
export type BroadcastMeaning =
  | { readonly kind: "accepted" }
  | ({ readonly kind: "already-known" } & Refusal)
  /** The node did not store these bytes. */
  | ({ readonly kind: "rejected" } & Refusal)
  /** Code or node error that does not tell whether the node stored them. */
  | ({ readonly kind: "unknown" } & Refusal)
  /** Neither `result: true` nor a failure code: no success (gateway document, Broadcast response). */
  | { readonly kind: "no-success"; readonly message: string }
  /** `result: true` beside a failure code. */
  | ({ readonly kind: "contradiction" } & Refusal)
  /** The gateway refused the request; nothing shows that the node has seen it. */
  | ({ readonly kind: "turned-away" } & Refusal)
  | { readonly kind: "http"; readonly failure: HttpFailure };

/** Returns what the body of an answer to a broadcast means. Explanations and the gateway client both read it here. */
export function readBroadcastAnswer(json: JsonObject): BroadcastMeaning {
  const failure = failureInJson(json);
  if (failure !== undefined) return { kind: "http", failure };
  if (typeof json.Error === "string") return meaningOfFault(json.Error);
  const code = broadcastCodeOf(json);
  const message = decodeNodeMessage(typeof json.message === "string" ? json.message : "");
  const isFailure = code !== undefined && code !== "SUCCESS";
  if (json.result === true) return isFailure ? { kind: "contradiction", code, message } : { kind: "accepted" };
  if (!isFailure) return { kind: "no-success", message };
  const verdict = classifyBroadcastCode(code, message);
  return { kind: verdict === "not-pooled" ? "rejected" : verdict, code, message };
}

/** An `Error` body with a class comes from the node: it refused the request unread, unless its Java runtime failed. */
function meaningOfFault(text: string): BroadcastMeaning {
  const { code, message } = parseNodeFault(text);
  if (isBrokenNode(code)) return { kind: "unknown", code, message };
  return { kind: hasFaultClass(text) ? "rejected" : "turned-away", code, message };
}

/**
 * Returns the name of an answer's code. A number is a protocol code only beside a txID, because other programs have
 * their own codes.
 */
export function broadcastCodeOf({ code, txid, txID }: JsonObject): string | undefined {
  if (typeof code === "string") return code === "" ? undefined : code;
  if (typeof code !== "number") return undefined;
  const id = txid ?? txID;
  if (typeof id !== "string" || parseTxId(id) === undefined) return `${code}`;
  return Object.entries(BROADCAST_CODES).find(([, number]) => number === code)?.[0] ?? `${code}`;
}

/** Execution fields of a transaction info. */
export interface ExecutionReport {
  /** Top-level `result`, which takes precedence (gateway document, Transaction info). */
  readonly failed: boolean;
  /** Name of `receipt.result`; system contracts have none. */
  readonly receiptResult?: string;
}

/** Result of an execution. */
export type ExecutionEnd =
  | { readonly kind: "success" }
  | { readonly kind: "failed"; readonly result: string }
  /** No result yet: `DEFAULT`, or a receipt without one. */
  | { readonly kind: "not-reported" };

/** Reads the results of an info. gRPC libraries return numbers, as text or not. */
export function readExecution(result: Json | undefined, receiptResult: Json | undefined): ExecutionReport {
  const name = resultNameOf(receiptResult);
  return {
    failed: nameOf(result, (number) => TOP_LEVEL[number]) === "FAILED",
    ...defined({ receiptResult: name }),
  };
}

/** Returns the name of a contract's result, which may be its number: in receipts, and as `contractRet` in blocks. */
export function resultNameOf(value: Json | undefined): string | undefined {
  return nameOf(value, contractResultName);
}

/** Reads the same of an info with unchecked fields. */
export function executionIn(info: JsonObject): ExecutionReport {
  const { receipt } = info;
  const isObject = typeof receipt === "object" && receipt !== null && !Array.isArray(receipt);
  return readExecution(info.result, isObject ? (receipt as JsonObject).result : undefined);
}

/** `TransactionInfo.code` of the protocol, which spells its first name so. */
const TOP_LEVEL = ["SUCESS", "FAILED"];

/** Returns a protocol name from the name or its number, ignoring case. Undefined for none. */
function nameOf(value: Json | undefined, byNumber: (number: number) => string | undefined): string | undefined {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") return undefined;
  const text = String(value).trim();
  if (/^\d{1,3}$/.test(text)) return byNumber(Number(text)) ?? text;
  return text === "" ? undefined : text.toUpperCase();
}

/**
 * Returns how an execution ended: `FAILED` takes precedence over the receipt.
 *
 * @param runsCode - Whether the transaction runs a contract, whose receipt has a result after the run.
 */
export function endOfExecution({ failed, receiptResult }: ExecutionReport, runsCode: boolean): ExecutionEnd {
  const isReported = receiptResult !== undefined && receiptResult !== "DEFAULT";
  if (failed) return { kind: "failed", result: isReported && receiptResult !== "SUCCESS" ? receiptResult : "FAILED" };
  if (receiptResult === "SUCCESS") return { kind: "success" };
  if (isReported) return { kind: "failed", result: receiptResult };
  return { kind: receiptResult === undefined && !runsCode ? "success" : "not-reported" };
}
