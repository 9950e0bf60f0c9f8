import { type BlockReference, blockId, type TxId } from "@finality/tron/primitives";
import { byKind, hex, object, type ReadOf, text, wholeNumber } from "@finality/tron/read";

/** What to do after a rejection. */
export type Retry =
  | "same-bytes-after-funding"
  | "same-bytes-when-head-advances"
  | "same-bytes-later"
  | "sign-again"
  | "rebuild"
  | "another-node"
  | "fix-request";

/** Energy of a run, by who paid for it; `fee`, in sun, is for what is left of `used`. As the receipt tells. */
const energyBill = object({ used: wholeNumber, staked: wholeNumber, owner: wholeNumber, fee: wholeNumber });

/** Who paid for the energy of a run. */
export type EnergyBill = ReadOf<typeof energyBill>;

/** Reads how an included transaction ended. */
export const executionOutcome = byKind({
  success: object({}),
  failed: object(
    { result: text, message: text },
    {
      /** What the contract gave back of why it reverted, which may be nothing: the first 4 KiB of it. */
      data: hex,
      /** How many bytes that were, where `data` is not all of them. */
      dataLength: wholeNumber,
      /** Of a run that had too little energy. */
      energy: energyBill,
    },
  ),
});

/** How an included transaction ended; `result` is the name of the receipt, such as REVERT. */
export type ExecutionOutcome = ReadOf<typeof executionOutcome>;

/** Reads a block of the head view. */
export const seenBlock = object({ number: wholeNumber, timestamp: wholeNumber }, { id: blockId });

/**
 * A block of the head view. A look-up by txID names its height and time only; the id is there when the block itself was
 * read.
 */
export type SeenBlock = ReadOf<typeof seenBlock>;

/**
 * Where a transaction stands, by what is proven (design, Words and states).
 *
 * Only `solidified`, `rejected`, `proven-absent` and `replaced` are ends; a reorganisation may take `included` back.
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

export type TrackingStateKind = TrackingState["kind"];
