import { selectorOf } from "@finality/tron/abi";
import { type NameOf, shortTxId, timeLeft } from "@finality/tron/format";
import { foreignText, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { coinSymbolOf } from "../gateway/chain-identity.ts";
import type { RecordedOutcome } from "../transaction-state/journal-entry.ts";
import type { SignedPart, TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import { describeIntent, type FunctionName, isStandardCall } from "./intents.ts";

/** Returns the function that a transaction calls, if an ABI names it. */
export type FunctionNameOf = (tracked: TrackedTransaction) => FunctionName | undefined;

/** Describes a transaction: the label first. @param functionOf - Names calls whose function is not in the journal. */
export function transactionLabel(tracked: TrackedTransaction, nameOf: NameOf, functionOf?: FunctionNameOf): string {
  const { label } = tracked;
  const what = operationLabel(tracked, nameOf, functionOf);
  return label === undefined ? what : `${label} · ${what}`;
}

/** Describes what a transaction does, without its label. */
export function operationLabel(tracked: TrackedTransaction, nameOf: NameOf, functionOf?: FunctionNameOf): string {
  const { signed, txId } = tracked;
  if (signed === undefined) return shortTxId(txId);
  const needsName = signed.intent.kind === "contract-call" && !isStandardCall(signed.intent.data);
  const called = needsName ? (storedFunction(signed) ?? functionOf?.(tracked)) : undefined;
  return describeIntent(signed.intent, nameOf, symbolOf(tracked), called);
}

function storedFunction(signed: SignedPart): FunctionName | undefined {
  const signature = storedSignature(signed);
  return signature === undefined
    ? undefined
    : { name: foreignText(signature.slice(0, signature.indexOf("("))), isClaim: false };
}

/** Returns the signature that a call was built with, unless the signed bytes have another selector. */
export function storedSignature({ intent, functionSignature: signature }: SignedPart): string | undefined {
  const isCall = signature !== undefined && intent.kind === "contract-call";
  return isCall && intent.data.startsWith(selectorOf(signature)) ? signature : undefined;
}

/** Names the action of sending a transaction: for the first time, or again. */
export function sendTitle({ state }: TrackedTransaction): string {
  return state.kind === "signed" ? t`Send` : t`Send Same Bytes Again`;
}

/** Describes the number of signatures, or their weight if known. */
export function signaturesText({ quorum, signatures }: SignedPart): string {
  if (signatures.length === 0) return t`none yet`;
  if (quorum === undefined) return t`${signatures.length} so far`;
  return t`${String(quorum.weight)} of ${String(quorum.threshold)}`;
}

/** Returns the symbol of the coin that a transaction moves, as configured for its network. */
export function symbolOf({ attempts }: TrackedTransaction): string | undefined {
  return coinSymbolOf(attempts[0]?.endpoint);
}

const LONG = 2_000;

/** Describes the gateway's answer to one attempt, in full. */
export function describeAnswer(outcome: RecordedOutcome | undefined): string {
  switch (outcome?.kind) {
    case undefined:
      return t`no answer known`;
    case "accepted":
      return t`accepted`;
    case "already-known":
      return visibleLine(t`already known: ${outcome.message}`, LONG);
    case "rejected":
      return visibleLine(outcome.message === "" ? outcome.code : `${outcome.code}: ${outcome.message}`, LONG);
    case "unknown":
      return visibleLine(
        outcome.turnedAway ? t`refused before the node: ${outcome.message}` : t`no valid response: ${outcome.message}`,
        LONG,
      );
  }
}

/** Returns a node's reason without its prefix. */
export function shortReason(code: string, message: string): string {
  const reason = message.replace(/^(contract )?validate error\s*:\s*/i, "").replace(/^validate [\w ]+ error,\s*/i, "");
  return visibleLine(reason === "" ? code : reason).replace(/\.$/, "");
}

/** Describes both results. @param failure - Failure as reported by the gateway. */
export function describeDispute(
  { outcomeElsewhere: otherOutcome }: Pick<TrackedTransaction, "outcomeElsewhere">,
  failure: string,
): string {
  return t`Its gateway reports that it failed (${failure}), ${visibleLine(otherOutcome?.endpoint ?? t`another URL`)} that it was executed`;
}

/**
 * Describes how long signed bytes remain valid; undefined if unknown.
 *
 * @param chainTime - Estimated current chain time, ms.
 */
export function describeValidity({ signed }: TrackedTransaction, chainTime: number | undefined): string | undefined {
  if (signed === undefined || chainTime === undefined) return undefined;
  const left = signed.expiration - chainTime;
  return left >= 1_000
    ? t`valid for ${timeLeft(left)} more`
    : t`it has expired by chain time: nodes no longer accept it`;
}
