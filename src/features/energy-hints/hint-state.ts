import type { Bound } from "../../core/call-sites/binding.ts";
import type { CallEstimate } from "../../core/estimates/call-estimate.ts";

/** What there is to say about one call. */
export type HintState =
  /** Nobody asked yet. */
  | { readonly kind: "idle" }
  | { readonly kind: "asking" }
  /** Somebody asked, and the source or the workspace does not say enough. */
  | { readonly kind: "unbound"; readonly reason: string }
  | KnownHint;

/** There is an answer, a figure or the reason why there is none. */
export interface KnownHint {
  readonly kind: "known";
  readonly bound: Bound;
  readonly estimate: CallEstimate;
  readonly ageInBlocks: number;
  readonly isOld: boolean;
  /** `undefined` when no snapshot of the costs has the call. */
  readonly change: CostDifference | undefined;
}

/** Energy more than in a snapshot, and which one that is. */
export interface CostDifference {
  readonly energy: bigint;
  readonly since: string;
}
