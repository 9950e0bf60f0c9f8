import type { ChainId } from "../chain/chain-id.ts";
import type { BroadcastOutcome } from "../gateway/broadcast-outcome.ts";
import type { BlockReference } from "../primitives/block.ts";
import type { Hex } from "../primitives/bytes.ts";
import type { TxId } from "../primitives/hash.ts";
import type { AbsenceEvidence } from "../proof/evidence.ts";
import type { Intent } from "../transaction/intent.ts";
import type { ExecutionOutcome, SeenBlock } from "./tracking-state.ts";

/** An outcome as the journal keeps it: without the error object, whose sentence is kept instead. */
export type RecordedOutcome =
  | Exclude<BroadcastOutcome, { kind: "unknown" }>
  | { readonly kind: "unknown"; readonly code: string; readonly message: string; readonly turnedAway?: true };

/** What is on every line: which transaction, and when by the local clock (Unix ms), which orders and proves nothing. */
interface Line {
  readonly txId: TxId;
  readonly at: number;
}

/** One fact, written once and never changed. The state of a transaction is the replay of its facts. */
export type JournalEntry = Line &
  (
    | {
        /** The signed bytes are safe. Written and synced before the first byte of them leaves. */
        readonly kind: "signed";
        readonly network: string;
        /** The genesis block of the network when it was signed; absent where nobody knew, and on lines of earlier versions. */
        readonly chain?: ChainId;
        readonly intent: Intent;
        readonly rawDataHex: Hex;
        readonly signatures: readonly Hex[];
        /** `raw_data.expiration`, chain time in ms. */
        readonly expiration: number;
        /** The solidified height before any signature was made: the transaction cannot be in an earlier block. */
        readonly solidHeight: number;
        readonly label?: string;
        /** The transaction that this one takes the place of, which is proven never to execute. */
        readonly replaces?: TxId;
      }
    /** A transaction of somebody else, followed by its txID alone. */
    | { readonly kind: "adopted"; readonly network: string; readonly chain?: ChainId; readonly label?: string }
    /** Bytes may leave from here on. Without its answer, the outcome of this attempt is unknown. */
    | { readonly kind: "broadcast-started"; readonly attempt: number; readonly endpoint: string }
    | {
        readonly kind: "broadcast-answered";
        readonly attempt: number;
        readonly endpoint: string;
        readonly outcome: RecordedOutcome;
        readonly answeredTxId?: string;
        readonly raw?: string;
      }
    /** Chain time of the head (ms) after a refusal as expired: it tells an expiration that is over from one too far ahead. */
    | { readonly kind: "head-time"; readonly time: number }
    | { readonly kind: "seen-in-pool" }
    | { readonly kind: "seen-in-head"; readonly block: SeenBlock; readonly outcome?: ExecutionOutcome }
    /** A head block held it before and the chain does not any more. */
    | { readonly kind: "lost-from-head" }
    | { readonly kind: "solidified"; readonly block: BlockReference; readonly outcome: ExecutionOutcome }
    /** What another URL of its network says of a transaction that failed, as its gateway says: a receipt is in no hash of a block. */
    | { readonly kind: "outcome-told"; readonly endpoint: string; readonly outcome: ExecutionOutcome }
    /** Refused, and looked for by its txID once solidified time (ms) had reached its expiration: nothing showed it. */
    | { readonly kind: "not-found"; readonly time: number }
    /** Every solidified block that could have held it was read, and none does. */
    | ({ readonly kind: "proven-absent" } & AbsenceEvidence)
    /** Another transaction takes its place. Written and synced before the first byte of that one leaves. */
    | { readonly kind: "replaced"; readonly by: TxId }
    /** The person does not want to see it any more. Its facts stay. */
    | { readonly kind: "hidden" }
  );
