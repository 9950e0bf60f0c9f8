import { endOfExecution } from "@finality/tron/node-messages";
import { blockId, type Hex, hex as parseHex } from "@finality/tron/primitives";
import { byKind, hex, object, type ReadOf, text, wholeNumber } from "@finality/tron/read";
import type { BlockTransaction, TransactionInfo } from "../gateway/gateway.ts";

/** Energy of a run, by payer; `fee`, in sun, pays for the rest of `used`. As in the receipt. */
const energyBill = object({ used: wholeNumber, staked: wholeNumber, owner: wholeNumber, fee: wholeNumber });

/** Energy of an execution, by payer. */
export type EnergyBill = ReadOf<typeof energyBill>;

/** Parses how an included transaction ended. */
export const executionOutcome = byKind({
  success: object({}),
  failed: object(
    { result: text, message: text },
    {
      /** Revert data of the contract, which may be empty: its first 4 KiB. */
      data: hex,
      /** Length of the full revert data in bytes, if `data` is truncated. */
      dataLength: wholeNumber,
      /** For a run that had too little energy. */
      energy: energyBill,
    },
  ),
});

/** Outcome of an included transaction. `result` is the name in the receipt, such as REVERT. */
export type ExecutionOutcome = ReadOf<typeof executionOutcome>;

/** Parses a block of the head view. */
export const seenBlock = object({ number: wholeNumber, timestamp: wholeNumber }, { id: blockId });

/**
 * Block of the head view. A query by txID returns its height and time only; the ID is known after the block itself was
 * read.
 */
export type SeenBlock = ReadOf<typeof seenBlock>;

const CONTRACT_TYPES = new Set(["TriggerSmartContract", "CreateSmartContract"]);

/** Returns whether a transaction of this type runs code: then its outcome is known only once its receipt has a result. */
export function runsCode(contractType: string): boolean {
  return CONTRACT_TYPES.has(contractType);
}

/** `DEFAULT` is the value before execution completes (gateway document, States), so it counts as no result. */
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

/** Returns the outcome that a block contains for a system transaction; undefined if its info has to be read. */
export function outcomeInBlock(transaction: BlockTransaction): ExecutionOutcome | undefined {
  const { contractResult } = transaction;
  if (needsInfo(transaction) || contractResult === undefined) return undefined;
  return contractResult === "SUCCESS" ? { kind: "success" } : { kind: "failed", result: contractResult, message: "" };
}

/**
 * Returns the outcome in an info: the top-level `result` first, then `receipt.result`. Undefined means not reported
 * yet: `DEFAULT`, no result of a contract, or no result for an unknown type.
 */
export function outcomeInInfo(info: TransactionInfo, contractType: string | undefined): ExecutionOutcome | undefined {
  const end = endOfExecution(info, contractType === undefined || runsCode(contractType));
  if (end.kind === "not-reported") return undefined;
  return end.kind === "success" ? end : failure(info, end.result);
}

/**
 * Maximum length of contract data in the journal: compiler-made errors are shorter, and anyone's contract can return
 * data.
 */
const MAX_DATA = 4_096;

function failure(info: TransactionInfo, result: string): ExecutionOutcome {
  const { message } = info;
  if (result === "OUT_OF_ENERGY") return { kind: "failed", result, message, ...energyOf(info) };
  if (result === "REVERT") return { kind: "failed", result, message, ...dataOf(info) };
  return { kind: "failed", result, message };
}

/** Empty data is stored as well, because lines of earlier versions have no data. */
function dataOf({ contractResult }: TransactionInfo): { readonly data: Hex; readonly dataLength?: number } {
  const length = contractResult.length / 2;
  if (length <= MAX_DATA) return { data: contractResult };
  return { data: parseHex(contractResult.slice(0, 2 * MAX_DATA)), dataLength: length };
}

/** Implausible numbers are ignored. */
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
