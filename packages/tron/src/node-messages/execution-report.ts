import type { Json, JsonObject } from "../primitives/json.ts";
import { contractResultName } from "../transaction/contract-result.ts";

/** Execution fields of a transaction info. */
export interface ExecutionReport {
  /** The top-level `result`, which counts first (gateway document, Transaction info). */
  readonly failed: boolean;
  /** The name of `receipt.result`; system contracts have none. */
  readonly receiptResult?: string;
}

/** End of an execution. */
export type ExecutionEnd =
  | { readonly kind: "success" }
  | { readonly kind: "failed"; readonly result: string }
  /** No result yet: `DEFAULT`, or a receipt without one. */
  | { readonly kind: "not-reported" };

/** Reads the results of an info. Libraries over gRPC give their numbers, as a text or not. */
export function readExecution(result: Json | undefined, receiptResult: Json | undefined): ExecutionReport {
  const name = resultNameOf(receiptResult);
  return {
    failed: nameOf(result, (number) => TOP_LEVEL[number]) === "FAILED",
    ...(name === undefined ? {} : { receiptResult: name }),
  };
}

/** Returns the name of a contract's result, which may be its number: in receipts, and as `contractRet` in blocks. */
export function resultNameOf(value: Json | undefined): string | undefined {
  return nameOf(value, contractResultName);
}

/** The same of an info whose fields may be anything. */
export function executionIn(info: JsonObject): ExecutionReport {
  const { receipt } = info;
  const isObject = typeof receipt === "object" && receipt !== null && !Array.isArray(receipt);
  return readExecution(info.result, isObject ? (receipt as JsonObject).result : undefined);
}

/** `TransactionInfo.code` of the protocol, which spells its first name so. */
const TOP_LEVEL = ["SUCESS", "FAILED"];

/** A name of the protocol by itself or by its number; case is not compared. Undefined for none. */
function nameOf(value: Json | undefined, byNumber: (number: number) => string | undefined): string | undefined {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") return undefined;
  const text = String(value).trim();
  if (/^\d{1,3}$/.test(text)) return byNumber(Number(text)) ?? text;
  return text === "" ? undefined : text.toUpperCase();
}

/**
 * Returns how an execution ended: `FAILED` counts before the receipt, whatever that says.
 *
 * @param runsCode - whether the transaction runs a contract, whose receipt has a result once it ran
 */
export function endOfExecution({ failed, receiptResult }: ExecutionReport, runsCode: boolean): ExecutionEnd {
  const isReported = receiptResult !== undefined && receiptResult !== "DEFAULT";
  if (failed) return { kind: "failed", result: isReported && receiptResult !== "SUCCESS" ? receiptResult : "FAILED" };
  if (receiptResult === "SUCCESS") return { kind: "success" };
  if (isReported) return { kind: "failed", result: receiptResult };
  return { kind: receiptResult === undefined && !runsCode ? "success" : "not-reported" };
}
