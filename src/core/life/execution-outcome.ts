import type { BlockTransaction, TransactionInfo } from "../gateway/gateway.ts";
import { type Hex, hex } from "../primitives/bytes.ts";
import type { EnergyBill, ExecutionOutcome } from "./tracking-state.ts";

const CONTRACT_TYPES = new Set(["TriggerSmartContract", "CreateSmartContract"]);

/** Whether a transaction of this type runs code: then its receipt has a result, and without one it did not end well. */
export function runsCode(contractType: string): boolean {
  return CONTRACT_TYPES.has(contractType);
}

/**
 * Whether the outcome stands in the transaction info only: calls and creations of contracts (gateway document,
 * Endpoints rule 1).
 */
export function needsInfo({ contractType, contractResult }: BlockTransaction): boolean {
  return runsCode(contractType) || contractResult === undefined;
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
  const { failed, receiptResult } = info;
  if (failed) return failure(info, failureName(receiptResult));
  if (receiptResult === "SUCCESS") return { kind: "success" };
  if (receiptResult !== undefined) return failure(info, receiptResult);
  if (contractType === undefined) return undefined;
  return runsCode(contractType) ? failure(info, "DEFAULT") : { kind: "success" };
}

/** FAILED stands above everything, also above a receipt that contradicts it. */
function failureName(receiptResult: string | undefined): string {
  return receiptResult === undefined || receiptResult === "SUCCESS" ? "FAILED" : receiptResult;
}

/** Bytes of a contract that the journal keeps: every error of a compiler is shorter, and anybody's contract writes them. */
const KEPT_DATA = 4_096;

function failure(info: TransactionInfo, result: string): ExecutionOutcome {
  const { message } = info;
  if (result === "OUT_OF_ENERGY") return { kind: "failed", result, message, ...energyOf(info) };
  if (result === "REVERT") return { kind: "failed", result, message, ...dataOf(info) };
  return { kind: "failed", result, message };
}

/** That there is nothing is a reason too, and not the same as a line of an earlier version, which kept none. */
function dataOf({ contractResult }: TransactionInfo): { readonly data: Hex; readonly dataLength?: number } {
  const length = contractResult.length / 2;
  if (length <= KEPT_DATA) return { data: contractResult };
  return { data: hex(contractResult.slice(0, 2 * KEPT_DATA)), dataLength: length };
}

/** Figures beyond all sense are no figures. */
function energyOf({ energyUsed, energyStaked, energyOfOwner, energyFee }: TransactionInfo): {
  readonly energy?: EnergyBill;
} {
  const energy = {
    used: Number(energyUsed),
    staked: Number(energyStaked),
    owner: Number(energyOfOwner),
    fee: Number(energyFee),
  };
  return Object.values(energy).every((it) => Number.isSafeInteger(it) && it >= 0) ? { energy } : {};
}
