import type { BlockReference, Hex, TxId } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import type { ChainId } from "../gateway/network.ts";
import type { AbsenceEvidence, NoProof } from "../proof/evidence.ts";
import type { ExecutionOutcome, SeenBlock } from "./execution-outcome.ts";
import type { RecordedOutcome } from "./journal-entry.ts";

/** Action to take after a rejection. */
export type Retry =
  | "same-bytes-after-funding"
  | "same-bytes-when-head-advances"
  | "same-bytes-later"
  | "sign-again"
  | "rebuild"
  | "another-node"
  | "fix-request";

/**
 * State of a transaction, by what is proven (design, Words and states). Only `solidified`, `rejected`, `proven-absent`
 * and `replaced` are final; a reorganisation may revert `included`.
 */
export type TrackingState =
  | { readonly kind: "signed" }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "pending" }
  | { readonly kind: "included"; readonly block: SeenBlock; readonly outcome?: ExecutionOutcome }
  | { readonly kind: "solidified"; readonly block: BlockReference; readonly outcome: ExecutionOutcome }
  | { readonly kind: "rejected"; readonly code: string; readonly message: string; readonly retry: Retry }
  | { readonly kind: "proven-absent"; readonly from: number; readonly to: number }
  | { readonly kind: "replaced"; readonly by: TxId };

/** Names of the states for programs. */
export const stateNames = {
  signed: "signed",
  unknown: "unknown",
  pending: "pending",
  included: "included",
  solidified: "solidified",
  rejected: "rejected",
  "proven-absent": "provenAbsent",
  replaced: "replaced",
} as const satisfies { readonly [K in TrackingState["kind"]]: string };

/** One submission of the signed bytes to a gateway. Without an outcome, its result is unknown. */
export interface Attempt {
  readonly number: number;
  readonly endpoint: string;
  /** Local clock, Unix ms. */
  readonly startedAt: number;
  readonly answeredAt?: number;
  readonly outcome?: RecordedOutcome;
}

/** Signed bytes of an own transaction, and what was known before they were signed. */
export interface SignedPart {
  readonly intent: Intent;
  readonly rawDataHex: Hex;
  readonly signatures: readonly Hex[];
  /** `raw_data.expiration`, chain time in ms. */
  readonly expiration: number;
  readonly solidHeight: number;
  /** Estimated energy of the contract call at signing time. */
  readonly estimatedEnergy?: number;
  /** Signature of the called function, from the ABI that the call was built with. */
  readonly functionSignature?: string;
  /** Id of the proposal of an agent that it was. */
  readonly proposal?: string;
  /** Row of a run whose attempt it is. */
  readonly run?: { readonly id: string; readonly row: number };
  /** Weight of the signatures and the threshold of their permission; undefined if not in the journal. */
  readonly quorum?: { readonly weight: bigint; readonly threshold: bigint };
  /** True if it was exported to a file or imported from one: others may sign and send it. */
  readonly shared?: true;
  /** True if it was signed again after the last answer refused it. */
  readonly renewed?: true;
}

export interface ProvenAbsence extends AbsenceEvidence {
  readonly provenAt: number;
}

/** Reason why the search for a proof stopped. */
export type StopReason =
  | NoProof
  | { readonly kind: "by-hand" }
  /** The block that it refers to is not on this chain. */
  | { readonly kind: "on-another-chain" }
  /** Message of the gateway, or the lack of one. */
  | { readonly kind: "failed"; readonly message: string };

/** Number of blocks read and the estimated total, or the reason why the search stopped. */
export type ProofProgress =
  | { readonly kind: "scanning"; readonly read: number; readonly total: number }
  | { readonly kind: "stopped"; readonly reason: StopReason };

/** Everything that the journal contains about one txID. */
export interface TrackedTransaction {
  readonly txId: TxId;
  readonly network: string;
  /**
   * Its chain, if known when it was signed or imported: the name of a network may change, or mean another chain later.
   */
  readonly chain?: ChainId;
  readonly label?: string;
  readonly state: TrackingState;
  /** Undefined for a transaction that is tracked by its txID alone. */
  readonly signed?: SignedPart;
  readonly attempts: readonly Attempt[];
  /** Proof that no block contains it, and its time; local clock, Unix ms. */
  readonly absence?: ProvenAbsence;
  /** Outcome that another URL reports, if the transaction's gateway reports a failure. */
  readonly outcomeElsewhere?: { readonly endpoint: string; readonly outcome: ExecutionOutcome };
  /** Refused, and not found after solidified time, ms, had reached its expiration. */
  readonly notFoundAt?: number;
  /** Newest chain time, ms, that was read because of a refusal. */
  readonly chainTime?: number;
  /** Transaction that this one replaces. */
  readonly replaces?: TxId;
  /** Transaction that replaces this one. */
  readonly replacedBy?: TxId;
  /** Progress of the search for a proof of absence in this window; absent if there is none. */
  readonly proving?: ProofProgress;
  /** Time of its signature or adoption: local clock, Unix ms. */
  readonly createdAt: number;
  /** Time of the last change of its state: local clock, Unix ms. */
  readonly changedAt: number;
  readonly hidden: boolean;
}

/** Returns whether the signatures reach the threshold, according to the journal. */
export function hasEnoughSignatures({ quorum }: Pick<SignedPart, "quorum">): boolean {
  return quorum !== undefined && quorum.weight >= quorum.threshold;
}

/** Failure of a transaction in a block. */
export type Failure = Extract<ExecutionOutcome, { kind: "failed" }>;

/** Returns the failure of a transaction in a block, as its gateway reports it; undefined for any other transaction. */
export function failureOf({ state }: TrackedTransaction): Failure | undefined {
  if (state.kind !== "included" && state.kind !== "solidified") return undefined;
  return state.outcome?.kind === "failed" ? state.outcome : undefined;
}

/**
 * Returns true if an answer is still pending: the last attempt began in this session and has none yet. An attempt that
 * began earlier was interrupted, and its outcome is unknown.
 *
 * @param sessionStart - Start of this window; local clock, Unix ms
 */
export function isSending({ state, signed, attempts, createdAt }: TrackedTransaction, sessionStart: number): boolean {
  const last = attempts.at(-1);
  if (state.kind === "signed") return signed !== undefined && signed.shared !== true && createdAt >= sessionStart;
  return state.kind === "unknown" && last !== undefined && last.outcome === undefined && last.startedAt >= sessionStart;
}
