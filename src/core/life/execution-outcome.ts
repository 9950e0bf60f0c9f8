import type { BlockTransaction, TransactionInfo } from "../gateway/gateway.ts";
import type { ExecutionOutcome } from "./tracking-state.ts";

const CONTRACT_TYPES = new Set(["TriggerSmartContract", "CreateSmartContract"]);

/**
 * Whether the outcome stands in the transaction info only: calls and creations of contracts (gateway document,
 * Endpoints rule 1).
 */
export function needsInfo({ contractType, contractResult }: BlockTransaction): boolean {
  return CONTRACT_TYPES.has(contractType) || contractResult === undefined;
}

/** The outcome that a block notes beside a transaction of the system, such as a transfer. */
export function outcomeInBlock({ contractResult = "DEFAULT" }: BlockTransaction): ExecutionOutcome {
  return contractResult === "SUCCESS" ? { kind: "success" } : { kind: "failed", result: contractResult, message: "" };
}

/**
 * The outcome by the info: the top-level `result` first, then `receipt.result`, which transactions of the system do not
 * have.
 *
 * @param contractType - undefined when it is not known; then nothing is said without a receipt
 */
export function outcomeInInfo(info: TransactionInfo, contractType: string): ExecutionOutcome;
export function outcomeInInfo(info: TransactionInfo, contractType: string | undefined): ExecutionOutcome | undefined;
export function outcomeInInfo(info: TransactionInfo, contractType: string | undefined): ExecutionOutcome | undefined {
  const { failed, receiptResult, message } = info;
  if (failed) return { kind: "failed", result: failureName(receiptResult), message };
  if (receiptResult === "SUCCESS") return { kind: "success" };
  if (receiptResult !== undefined) return { kind: "failed", result: receiptResult, message };
  if (contractType === undefined) return undefined;
  return CONTRACT_TYPES.has(contractType) ? { kind: "failed", result: "DEFAULT", message } : { kind: "success" };
}

/** FAILED stands above everything, also above a receipt that contradicts it. */
function failureName(receiptResult: string | undefined): string {
  return receiptResult === undefined || receiptResult === "SUCCESS" ? "FAILED" : receiptResult;
}
