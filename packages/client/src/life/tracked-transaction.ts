import type { Hex, TxId } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import type { ChainId } from "../gateway/network.ts";
import type { AbsenceEvidence, NoProof } from "../proof/evidence.ts";
import type { RecordedOutcome } from "./journal-entry.ts";
import type { ExecutionOutcome, TrackingState } from "./tracking-state.ts";

/** One time that the signed bytes were handed to a gateway. Without an outcome, nobody knows what became of it. */
export interface Attempt {
  readonly number: number;
  readonly endpoint: string;
  /** Local clock, Unix ms. */
  readonly startedAt: number;
  readonly answeredAt?: number;
  readonly outcome?: RecordedOutcome;
}

/** The signed bytes of a transaction of our own and what was known before they were signed. */
export interface SignedPart {
  readonly intent: Intent;
  readonly rawDataHex: Hex;
  readonly signatures: readonly Hex[];
  /** `raw_data.expiration`, chain time in ms. */
  readonly expiration: number;
  readonly solidHeight: number;
  /** Energy that the contract call was estimated to need when it was signed. */
  readonly estimatedEnergy?: number;
  /** Weight of the signatures and the threshold of their permission; absent where the journal does not say. */
  readonly quorum?: { readonly weight: bigint; readonly threshold: bigint };
  /** Whether it left as a file, or came as one: others may sign and send it. */
  readonly shared?: true;
  /** Whether it was signed once more after the last answer refused it. */
  readonly renewed?: true;
}

export interface ProvenAbsence extends AbsenceEvidence {
  readonly provenAt: number;
}

/** Why the search for a proof stopped. */
export type StopReason =
  | NoProof
  | { readonly kind: "by-hand" }
  /** The block that it refers to is not on this chain. */
  | { readonly kind: "on-another-chain" }
  /** What the gateway said, or did not say. */
  | { readonly kind: "failed"; readonly message: string };

/** The blocks read so far and about how many it will be, or why the search stopped. */
export type Proving =
  | { readonly kind: "scanning"; readonly read: number; readonly total: number }
  | { readonly kind: "stopped"; readonly reason: StopReason };

/** Everything that the journal says about one txID. */
export interface TrackedTransaction {
  readonly txId: TxId;
  readonly network: string;
  /**
   * Its chain, where it was known when it was signed or adopted: the name of a network may change, and mean another
   * chain later.
   */
  readonly chain?: ChainId;
  readonly label?: string;
  readonly state: TrackingState;
  /** Absent for a transaction that was adopted by its txID. */
  readonly signed?: SignedPart;
  readonly attempts: readonly Attempt[];
  /** The proof that no block holds it, and when it was given, local clock, Unix ms. */
  readonly absence?: ProvenAbsence;
  /** What another URL says of how it ended, where its gateway says that it failed. */
  readonly secondWord?: { readonly endpoint: string; readonly outcome: ExecutionOutcome };
  /** Refused, and still not found when solidified time, ms, had reached its expiration. */
  readonly notFoundAt?: number;
  /** The newest chain time, ms, that was read because of a refusal. */
  readonly chainTime?: number;
  /** The transaction that this one takes the place of. */
  readonly replaces?: TxId;
  /** The transaction that takes the place of this one. */
  readonly replacedBy?: TxId;
  /** How far the search for a proof of absence is in this window; absent when there is none. */
  readonly proving?: Proving;
  /** When it was signed or adopted, local clock, Unix ms. */
  readonly createdAt: number;
  /** When its state changed last, local clock, Unix ms. */
  readonly changedAt: number;
  readonly hidden: boolean;
}

/** Returns whether the signatures reach the threshold, as far as the journal says. */
export function hasEnoughSignatures({ quorum }: Pick<SignedPart, "quorum">): boolean {
  return quorum !== undefined && quorum.weight >= quorum.threshold;
}

/** How a transaction that is in a block failed. */
export type Failure = Extract<ExecutionOutcome, { kind: "failed" }>;

/** The failure of a transaction that is in a block, as its gateway says; undefined for every other one. */
export function failureOf({ state }: Pick<TrackedTransaction, "state">): Failure | undefined {
  if (state.kind !== "included" && state.kind !== "solidified") return undefined;
  return state.outcome?.kind === "failed" ? state.outcome : undefined;
}
