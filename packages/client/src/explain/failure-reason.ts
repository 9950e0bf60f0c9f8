import {
  type AbiIndex,
  type DecodedCandidate,
  ERROR_STRING,
  type MalformedText,
  panicCode,
  panicOf,
  type RevertMeaning,
  readReason,
  readRevertData,
  textOfBytes,
} from "@finality/tron/abi";
import { coinsText, counted, grouped, type NameOf } from "@finality/tron/format";
import {
  type Address,
  type ForeignText,
  foreignText,
  hexToBytes,
  isForeignText,
  rawText,
  type Sun,
  sun,
  visibleLine,
} from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { decideActions } from "../retry/permitted-actions.ts";
import type { EnergyBill } from "../transaction-state/execution-outcome.ts";
import type { Failure, TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import type { Explanation } from "./explanation.ts";
import { argumentList } from "./fields.ts";
import { mendingIn } from "./messages/failures.ts";

/** Reason of a failed transaction. Its texts come from a contract, or contain such texts. */
export interface FailureReason {
  /** Short reason: the contract's error with its values, its text, or the missing resource. */
  readonly text: ForeignText;
  /** Further known details, as sentences of the product. */
  readonly detail?: string;
  /** Origin of the error's name. */
  readonly source?: ForeignText;
}

/** Returns the reason of a failed transaction; undefined if it did not fail, or if only its result is known. */
export type ReasonOf = (tracked: TrackedTransaction) => FailureReason | undefined;

/** Names used in the text of reasons. */
export interface ReasonNames {
  /** Names of selectors, the best ones first. */
  readonly abi?: AbiIndex | undefined;
  /** Returns the user's name for an address. */
  readonly nameOf: NameOf;
}

/** Known data of the failed run. */
export interface FailedRun {
  readonly contract?: Address | undefined;
  readonly feeLimit?: Sun | undefined;
  /** Estimated energy of the run at signing time. */
  readonly estimatedEnergy?: number | undefined;
}

/** Returns the contract run that the intent of an own transaction requests. */
export function runOf(intent: Intent | undefined): FailedRun {
  switch (intent?.kind) {
    case "contract-call":
      return { contract: intent.contract, feeLimit: intent.feeLimit };
    case "contract-creation":
      return { feeLimit: intent.feeLimit };
    default:
      return {};
  }
}

/** Returns the reason of a failure if the chain reported more than the name of its result. Pure and total. */
export function failureReason(failure: Failure, run: FailedRun, names: ReasonNames): FailureReason | undefined {
  if (failure.result === "OUT_OF_ENERGY") return energyReason(failure, run);
  const meaning = meaningOf(failure, names.abi, run.contract);
  if (meaning?.kind === "unknown" && failure.dataLength !== undefined)
    return {
      text: foreignText(
        t`the error 0x${meaning.selector}, with ${counted(failure.dataLength, t`byte`, t`bytes`)} of data`,
      ),
    };
  return meaning && textsOf(meaning, names.nameOf);
}

/** Returns true if names of a workspace or a dictionary can add information. Errors built into Solidity need none. */
export function wantsNames(failure: Failure): boolean {
  const meaning = meaningOf(failure);
  return meaning?.kind === "unknown" || (meaning?.kind === "error-string" && mayHoldError(meaning.text));
}

/** Returns true if a text has the length of revert data: contracts also forward data that they received as a text. */
function mayHoldError(text: ForeignText | MalformedText): boolean {
  const bytes = isForeignText(text) ? Buffer.byteLength(rawText(text)) : text.bytes.length / 2;
  return bytes % 32 === 4;
}

/** Undefined for entries of earlier versions, which stored no data. */
function meaningOf(failure: Failure, abi?: AbiIndex, contract?: string): RevertMeaning | undefined {
  const { result, data, dataLength } = failure;
  if (result !== "REVERT" || data === undefined) return undefined;
  const bytes = hexToBytes(data);
  const isCutText = dataLength !== undefined && data.startsWith(ERROR_STRING);
  return isCutText ? readReason(textOfBytes(bytes.subarray(TEXT_AT)), abi) : readRevertData(bytes, abi, contract);
}

/** Offset of the text of `Error(string)`: after the selector, its offset and its length. */
const TEXT_AT = 4 + 32 + 32;

function textsOf(meaning: RevertMeaning, nameOf: NameOf): FailureReason {
  switch (meaning.kind) {
    case "empty":
      return { text: foreignText(t`reverted without a reason`) };
    case "error-string": {
      const text = visibleLine(isForeignText(meaning.text) ? meaning.text : meaning.text.text);
      return handedOn(
        { text: foreignText(text === "" ? t`reverted with an empty text` : `“${text}”`) },
        meaning,
        nameOf,
      );
    }
    case "panic": {
      const cause = panicOf(meaning.code)?.cause ?? t`a code that Solidity does not define`;
      return { text: foreignText(t`panic ${panicCode(meaning.code)}: ${cause}`) };
    }
    case "custom":
      return handedOn(errorTexts(meaning.matches, nameOf), meaning, nameOf);
    case "unknown":
      return { text: foreignText(t`the error 0x${meaning.selector}, which is in no ABI here`) };
    case "raw":
      return { text: foreignText(t`reverted with data that no compiler makes`) };
  }
}

function errorTexts(matches: readonly DecodedCandidate[], nameOf: NameOf): FailureReason {
  const [first] = matches;
  if (first === undefined) return { text: foreignText(t`reverted with an error of its own`) };
  const { candidate, values } = first;
  const text = `${candidate.name}(${argumentList(candidate.parameters, values, nameOf)})`;
  const texts = { text: foreignText(text), source: foreignText(candidate.origin) };
  const isOnly = matches.every((it) => it.candidate.signature === candidate.signature);
  return isOnly ? texts : { ...texts, detail: t`Other errors have the same selector: it may be one of them.` };
}

/** Revert data inside revert data: the inner failure is the cause. */
function handedOn(
  texts: FailureReason,
  { nested }: Extract<RevertMeaning, { nested?: RevertMeaning }>,
  nameOf: NameOf,
): FailureReason {
  if (nested === undefined) return texts;
  return { ...textsOf(nested, nameOf), detail: t`The contract forwarded this failure from another contract.` };
}

/**
 * Message of the virtual machine at the point of running out of energy: energy of the run, energy of its next step, and
 * energy used so far.
 */
const STOPPED_AT = /curInvokeEnergyLimit\[(\d{1,15})\], curOpEnergy\[(\d{1,15})\], usedEnergy\[(\d{1,15})\]/;

function energyReason({ message, energy }: Failure, run: FailedRun): FailureReason | undefined {
  if (energy === undefined) return undefined;
  const estimated =
    run.estimatedEnergy !== undefined && run.estimatedEnergy > energy.used ? run.estimatedEnergy : undefined;
  const needed = neededAtLeast(message, energy);
  const needs =
    estimated !== undefined
      ? t`, and needs about ${grouped(estimated)} (estimated when signed)`
      : needed === undefined
        ? ""
        : t`, and needs ${grouped(needed)} or more`;
  const price = priceOf(energy);
  const detail = [...limitTexts(energy, price, run), ...(estimated === undefined ? [needTexts(needed)] : [])].join(" ");
  return { text: foreignText(t`out of energy: stopped at ${grouped(energy.used)}${needs}`), detail };
}

function needTexts(needed: number | undefined): string {
  return needed === undefined
    ? t`The required amount is unknown: estimate the call before you send it again.`
    : t`${grouped(needed)} is the energy after its next step; an estimate shows the total.`;
}

/**
 * Returns the least energy that the run needs. Undefined unless the run itself was stopped: a call inside the run has
 * only a part of the energy.
 */
function neededAtLeast(message: string, { used }: EnergyBill): number | undefined {
  const [, limit, step, before] = (STOPPED_AT.exec(message) ?? []).map(Number);
  if (limit !== used || step === undefined || before === undefined) return undefined;
  return before + step > used ? before + step : undefined;
}

/** Price of one energy in sun at that time; unknown if no coins were burned. */
export function priceOf({ used, staked, owner, fee }: EnergyBill): number | undefined {
  const burned = used - staked - owner;
  return burned > 0 && fee > 0 && fee % burned === 0 ? fee / burned : undefined;
}

function limitTexts(energy: EnergyBill, price: number | undefined, { feeLimit }: FailedRun): readonly string[] {
  const { used, staked, owner, fee } = energy;
  const paid = [
    ...(used - staked - owner > 0
      ? [t`${grouped(used - staked - owner)} burned for ${coinsText(sun(BigInt(fee)))}`]
      : []),
    ...(staked > 0 ? [t`${grouped(staked)} staked`] : []),
    ...(owner > 0 ? [t`${grouped(owner)} of the contract's owner`] : []),
  ];
  const parts = paid.length === 0 ? [] : [t`Energy of the run: ${paid.join(", ")}.`];
  if (feeLimit === undefined) return parts;
  const limit = t`The fee limit of ${coinsText(feeLimit)}`;
  if (price === undefined) return [...parts, t`${limit} bounds staked energy too.`];
  const covers = Number(feeLimit / BigInt(price));
  const isLimit = covers <= used - owner;
  const what = t`${limit} paid for ${grouped(covers)} energy at ${price} sun`;
  return [...parts, isLimit ? t`${what}.` : t`${what}: the coins of the sender ended before it.`];
}

/**
 * Returns the remaining steps for an answer. For a tracked transaction, the retry policy decides. An old refusal must
 * not ask for bytes whose transaction is final by now, nor for a new transaction beside them. The fix for a cause or an
 * execution stays valid.
 *
 * @param tracked - Transaction that the answer names, if it is tracked.
 * @param chainTime - Estimated current chain time, ms.
 */
export function fixNow(
  { category, fix, retry }: Explanation,
  tracked: TrackedTransaction | undefined,
  chainTime?: number,
): string {
  if (tracked?.signed === undefined || category === "execution" || category === "abi") return fix;
  const { kind } = tracked.state;
  const isOpen = kind === "rejected" || kind === "signed" || kind === "unknown";
  const { sameBytes, advice } = decideActions(tracked, { chainTime });
  const { expiration } = tracked.signed;
  const isExpired = [chainTime, tracked.chainTime].some((it) => it !== undefined && it >= expiration);
  // The fix for a cause may ask for these same bytes, or for new signatures over them. It no longer applies once they
  // have expired.
  const isObsolete = kind === "rejected" && sameBytes === "no" && (retry.sameBytes !== "no" || isExpired);
  const mending = isOpen && !isObsolete ? mendingIn(fix) : "";
  return `${mending} ${advice ?? t`No action is needed.`}`.trimStart();
}

/**
 * Returns true if an answer reads like a refusal and proves none. A code that asks for the same bytes does not prove
 * that the node did not accept them.
 */
export function isOpenRefusal({ category, retry }: Pick<Explanation, "category" | "retry">): boolean {
  return category === "validation" && retry.sameBytes === "yes";
}

/** Returns true if an answer reports missing coins. Checks its entry, because its text is in the user's language. */
export function lacksCoins({ entry }: Pick<Explanation, "entry">): boolean {
  return OF_COINS.has(entry);
}

const OF_COINS: ReadonlySet<string> = new Set([
  "account-resource-insufficient",
  "balance-insufficient",
  "call-value-over-balance",
  "code-BANDWITH_ERROR",
  "execution-fee-insufficient",
  "fee-insufficient",
  "generic-BANDWITH_ERROR",
  "rule-fee",
  "stake-over-balance",
  "tool-funds",
  "topic-balance",
  "transfer-balance-insufficient",
  "witness-cost",
]);
