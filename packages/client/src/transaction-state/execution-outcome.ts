import { endOfExecution } from "@finality/tron/node-messages";
import { blockId, type Hex, hex as parseHex } from "@finality/tron/primitives";
import { byKind, hex, object, type ReadOf, text, wholeNumber } from "@finality/tron/read";
import type { BlockTransaction, TransactionInfo } from "../gateway/gateway.ts";

/** Energy of a run, by who paid for it; `fee`, in sun, is for what is left of `used`. As the receipt tells. */
const energyBill = object({ used: wholeNumber, staked: wholeNumber, owner: wholeNumber, fee: wholeNumber });

/** Energy of an execution, by payer. */
export type EnergyBill = ReadOf<typeof energyBill>;

/** Reads how an included transaction ended. */
export const executionOutcome = byKind({
  success: object({}),
  failed: object(
    { result: text, message: text },
    {
      /** Revert data that the contract returned, which may be empty: the first 4 KiB of it. */
      data: hex,
      /** Length of the full revert data in bytes, if `data` is truncated. */
      dataLength: wholeNumber,
      /** Of a run that had too little energy. */
      energy: energyBill,
    },
  ),
});

/** Outcome of an included transaction. `result` is the name in the receipt, such as REVERT. */
export type ExecutionOutcome = ReadOf<typeof executionOutcome>;

/** Reads a block of the head view. */
export const seenBlock = object({ number: wholeNumber, timestamp: wholeNumber }, { id: blockId });

/**
 * A block of the head view. A look-up by txID names its height and time only; the id is there when the block itself was
 * read.
 */
export type SeenBlock = ReadOf<typeof seenBlock>;

const CONTRACT_TYPES = new Set(["TriggerSmartContract", "CreateSmartContract"]);

/** Returns whether a transaction of this type runs code: then its outcome is known only once its receipt has a result. */
export function runsCode(contractType: string): boolean {
  return CONTRACT_TYPES.has(contractType);
}

/** `DEFAULT` is the value before execution completes (gateway document, States): as little known as no result at all. */
function isReported(result: string | undefined): result is string {
  return result !== undefined && result !== "DEFAULT";
}

/** Returns false for the failure `DEFAULT` of journals of earlier versions, which is an outcome that is not reported. */
export function isReportedOutcome(outcome: ExecutionOutcome): boolean {
  return outcome.kind === "success" || isReported(outcome.result);
}

/**
 * Returns true if only the transaction info states the outcome: calls and creations of contracts (gateway document,
 * Endpoints rule 1).
 */
export function needsInfo({ contractType, contractResult }: BlockTransaction): boolean {
  return runsCode(contractType) || !isReported(contractResult);
}

/** Returns the outcome that a block notes beside a system transaction; undefined if its info has to be read. */
export function outcomeInBlock(transaction: BlockTransaction): ExecutionOutcome | undefined {
  const { contractResult } = transaction;
  if (needsInfo(transaction) || contractResult === undefined) return undefined;
  return contractResult === "SUCCESS" ? { kind: "success" } : { kind: "failed", result: contractResult, message: "" };
}

/**
 * Returns the outcome that an info reports: the top-level `result` first, then `receipt.result`. Undefined means not
 * reported yet: `DEFAULT`, no result of a contract, or no result where the type is not known.
 */
export function outcomeInInfo(info: TransactionInfo, contractType: string | undefined): ExecutionOutcome | undefined {
  const end = endOfExecution(info, contractType === undefined || runsCode(contractType));
  if (end.kind === "not-reported") return undefined;
  return end.kind === "success" ? end : failure(info, end.result);
}

/** Bytes of a contract that the journal keeps: every error of a compiler is shorter, and anybody's contract writes them. */
const KEPT_DATA = 4_096;

function failure(info: TransactionInfo, result: string): ExecutionOutcome {
  const { message } = info;
  if (result === "OUT_OF_ENERGY") return { kind: "failed", result, message, ...energyOf(info) };
  if (result === "REVERT") return { kind: "failed", result, message, ...dataOf(info) };
  return { kind: "failed", result, message };
}

/** Empty data is stored as well, because lines of earlier versions have no data. */
function dataOf({ contractResult }: TransactionInfo): { readonly data: Hex; readonly dataLength?: number } {
  const length = contractResult.length / 2;
  if (length <= KEPT_DATA) return { data: contractResult };
  return { data: parseHex(contractResult.slice(0, 2 * KEPT_DATA)), dataLength: length };
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
