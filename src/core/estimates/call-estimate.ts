import type { AnyChainError } from "../errors/chain-error.ts";
import type { Sun } from "../primitives/amount.ts";
import type { Hex } from "../primitives/bytes.ts";
import type { CallCost } from "../resources/call-cost.ts";
import type { Intent } from "../transaction/intent.ts";

/** A call of a contract or a deployment, before anybody built it. */
export type CodeIntent = Extract<Intent, { readonly kind: "contract-call" | "contract-creation" }>;

/** The run ended well: what it takes, and who pays. */
export interface EstimatedCall {
  readonly kind: "estimated";
  /** `energy_used` of the constant call, penalty included. For ordinary code it is what the receipt will say. */
  readonly energy: bigint;
  readonly penalty: bigint;
  /** `energy_required` of `estimateenergy`; absent where the node does not offer it. */
  readonly sufficient: bigint | undefined;
  /**
   * The code passes a part of its energy on, or looks at what is left: both figures differ beyond their rounding.
   * `cost` needs the larger one and bills the smaller one.
   */
  readonly dependsOnGas: boolean;
  /** Sun for one energy. */
  readonly price: bigint;
  /** The largest `fee_limit` that nodes take; absent where the chain does not say. */
  readonly maxFeeLimit?: Sun;
  /** The caller's bill for the `fee_limit` of the intent. */
  readonly cost: CallCost;
  /** The node does not tell the owner's share: the caller pays this at most. */
  readonly isUpperBound: boolean;
  /** The contract is not in solidified data yet. */
  readonly isYoung: boolean;
  /** What the call gives back, or the code of a deployment. */
  readonly returned: Hex;
  /** The head when it was asked. */
  readonly height: number;
}

/** What the chain says of a call that was not sent. There is never a figure of a run that failed. */
export type CallEstimate =
  | EstimatedCall
  | { readonly kind: "reverted"; readonly data: Hex; readonly height: number }
  /** The machine stopped the run: `exception` is the node's name for it, such as `OutOfTimeException`. */
  | { readonly kind: "halted"; readonly exception: string; readonly message: string; readonly height: number }
  | { readonly kind: "unavailable"; readonly reason: Unavailability; readonly error: AnyChainError };

/**
 * Why there is no figure: this node runs no constant calls, there is no such contract (yet), the caller has not what
 * the call sends along, or the gateway did not give an answer that can be used.
 */
export type Unavailability = "constant-calls-off" | "contract-absent" | "balance" | "gateway";
