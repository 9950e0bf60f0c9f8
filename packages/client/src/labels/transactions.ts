import { type NameOf, shortTxId, timeLeft } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { coinSymbolOf } from "../gateway/chain-identity.ts";
import type { RecordedOutcome } from "../transaction-state/journal-entry.ts";
import type { SignedPart, TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import { describeIntent } from "./intents.ts";

/** Describes a transaction: the label first. */
export function transactionLabel(tracked: TrackedTransaction, nameOf: NameOf): string {
  const { label, signed, txId } = tracked;
  const what = signed === undefined ? shortTxId(txId) : describeIntent(signed.intent, nameOf, symbolOf(tracked));
  return label === undefined ? what : `${label} · ${what}`;
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
