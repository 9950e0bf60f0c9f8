import { isFirstAndOnlyRejection } from "../tracking/possible-actions.ts";
import type { ProvenAbsence, TrackedTransaction } from "../tracking/tracked-transaction.ts";
import { whyNotAgain } from "../tracking/why-not-again.ts";
import { livingEquals } from "./living-equal.ts";

/** Whether another transaction may take the place of one, with the reason as a sentence where it may not. */
export type ReplacementVerdict =
  | { readonly kind: "yes"; readonly because: ReplacementReason }
  /** `when`: the chain time in ms that solidified blocks have to reach first. */
  | { readonly kind: "not-yet"; readonly why: string; readonly when: number }
  | { readonly kind: "no"; readonly why: string };

export type ReplacementReason =
  | { readonly kind: "proof"; readonly absence: ProvenAbsence }
  /** The first and only submission was refused in so many words: no node kept it. */
  | { readonly kind: "rejection"; readonly code: string; readonly message: string };

/**
 * Whether a transaction may be replaced (gateway document, Endpoints rule 3 and Errors 2, rule 2): only with a proof of absence, or after
 * an explicit rejection of the first and only submission. No clock, timeout, `{}` or later answer is a reason.
 */
export function mayReplace(tracked: TrackedTransaction): ReplacementVerdict {
  const { state, signed, absence } = tracked;
  if (signed === undefined) return no("Only its txID is known here, not what it does.");
  switch (state.kind) {
    case "proven-absent":
      return absence === undefined
        ? no("Its proof cannot be read.")
        : { kind: "yes", because: { kind: "proof", absence } };
    case "rejected": {
      const { code, message } = state;
      if (isFirstAndOnlyRejection(tracked)) return { kind: "yes", because: { kind: "rejection", code, message } };
      return notYet("It was handed to a gateway more than once, so a node may hold it.", signed.expiration);
    }
    case "unknown":
    case "pending":
      return notYet("It may still be executed.", signed.expiration);
    case "included":
      return notYet(
        `Block ${state.block.number} holds it, and only a reorganisation can take it back.`,
        signed.expiration,
      );
    case "signed":
      return no("It was not sent yet. Send it, or remove it.");
    case "solidified":
      return no(`It is final in block ${state.block.number}.`);
    case "replaced":
      return no(`It was replaced by ${state.by}.`);
  }
}

/** A payment that does the same as one that is about to be sent again. */
export interface ResendDanger {
  readonly txId: TrackedTransaction["txId"];
  readonly sentence: string;
}

/**
 * The equal transaction because of which sending the bytes of a rejected or unsent one would do the same thing twice: it may still be
 * executed, or was since this one was signed. Undefined when there is none, or when the bytes may be out anyway and sending them adds nothing.
 */
export function resendDanger(
  tracked: TrackedTransaction,
  all: readonly TrackedTransaction[],
): ResendDanger | undefined {
  const { signed, network, state } = tracked;
  if (signed === undefined || (state.kind !== "rejected" && state.kind !== "signed")) return undefined;
  const other = livingEquals(all, network, signed.intent, signed.solidHeight).find((it) => it.txId !== tracked.txId);
  if (other === undefined) return undefined;
  const done = other.state.kind === "solidified" ? "was executed meanwhile" : "may still be executed";
  return { txId: other.txId, sentence: `An equal transaction ${done}: ${other.txId}.` };
}

/**
 * Why the same bytes must not be sent again, everything considered: what `whyNotAgain` says of the transaction itself, then a newer
 * equal one that the caller did not acknowledge.
 */
export function whyNotResend(
  tracked: TrackedTransaction,
  all: readonly TrackedTransaction[],
  acknowledged: readonly string[],
): string | undefined {
  const own = whyNotAgain(tracked);
  if (own !== undefined) return own;
  const danger = resendDanger(tracked, all);
  return danger === undefined || acknowledged.includes(danger.txId)
    ? undefined
    : `${danger.sentence} Sending this one too would do the same thing twice.`;
}

function no(why: string): ReplacementVerdict {
  return { kind: "no", why };
}

function notYet(why: string, when: number): ReplacementVerdict {
  return {
    kind: "not-yet",
    why: `${why} It may be replaced when solidified blocks have reached its expiration and none of them holds it.`,
    when,
  };
}
