/**
 * API for other extensions, returned by `activate()`:
 *
 * ```ts
 * const finality = await vscode.extensions.getExtension<FinalityApi>("finality.finality")?.activate();
 * const transaction = await finality?.transactions.track("7f3a…");
 * ```
 *
 * It only grows within a version, and exposes no key, token, signed byte or signing capability.
 */
import type * as vscode from "vscode";

export interface FinalityApi {
  readonly version: 1;
  readonly transactions: TransactionsApi;
  /**
   * Explains a text of the chain: JSON, hex, a code, a txID, a log line. It never rejects because of the text and makes
   * no request. Error names come from the workspace's artifacts and a dictionary, as `sources` tells.
   */
  explain(input: string): Promise<Explanation>;
  /** Estimates the energy of a call on the chain. Nothing is signed or sent. */
  estimateEnergy(call: ContractCall): Promise<EnergyEstimate>;
}

/** Meaning of a text, its cause and the fix. Foreign text in it is plain text: escape it in markup. */
export interface Explanation {
  /** Category of the failure; `none` means no failure. */
  readonly category: "http" | "validation" | "execution" | "abi" | "none";
  readonly code: string;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  /** Tells whether the same signed bytes may be sent again, and under which condition. */
  readonly retry: { readonly sameBytes: "yes" | "no" | "after"; readonly when?: string };
  readonly decoded: readonly DecodedField[];
  /** Sources: a section of the documentation (`errors#stakes`), an artifact, a dictionary. */
  readonly sources: readonly string[];
  /** The complete input. */
  readonly raw: string;
}

export interface DecodedField {
  readonly name: string;
  readonly value: string;
  readonly kind: "text" | "number" | "hex" | "address" | "tx-id" | "time" | "list";
  /** ABI type, if known. */
  readonly type?: string;
  readonly children?: readonly DecodedField[];
}

/** A contract call. Amounts are in sun: integers, as text if they are large. */
export interface ContractCall {
  /** Name of a network; by default the active one. */
  readonly network?: string;
  /** An address, or the name of a contract in the workspace. */
  readonly contract: string;
  /** A name, or a signature if the name is ambiguous. */
  readonly function: string;
  /** Numbers may be text, accounts may be names, tuples are lists or objects. */
  readonly arguments?: readonly unknown[];
  /** Name or address of an account; by default the chosen caller. */
  readonly caller?: string;
  readonly feeLimit?: string | number | bigint;
  readonly callValue?: string | number | bigint;
  readonly tokenId?: string | number | bigint;
  readonly tokenValue?: string | number | bigint;
}

/** Result of a simulated call. A failing run never has a figure. */
export type EnergyEstimate = EstimateLabels &
  (
    | {
        readonly kind: "estimated";
        /** Includes the penalty. */
        readonly energy: number;
        readonly penalty: number;
        /** Coins that the caller burns, in sun. */
        readonly fee: string;
        /** Smallest `fee_limit` with which the call finishes, in sun. */
        readonly neededFeeLimit: string;
        /** Newest block at the time of the estimate. */
        readonly block: number;
      }
    /** It would revert or be stopped by the virtual machine. */
    | { readonly kind: "fails" }
    | { readonly kind: "unavailable" }
  );

export interface EstimateLabels {
  /** One line, as in a code lens. */
  readonly text: string;
  /** Obstacles, each with the next step. */
  readonly problems: readonly string[];
  /** Assumptions about values that the call does not specify. */
  readonly assumptions: readonly string[];
  readonly label?: string;
  /** Offset of the call in its document; 0 for a call without a document. */
  readonly offset: number;
}

export interface TransactionsApi {
  /**
   * Transactions in the journal that were not removed from the list, newest first. Empty until the journal is loaded.
   */
  list(): readonly TrackedTransaction[];
  get(txId: string): TrackedTransaction | undefined;
  /**
   * Tracks a transaction, of any signer, until it is solidified. Also reads the journal, so that `list` is complete.
   *
   * @param options.network - name of a network; by default the active one
   */
  track(txId: string, options?: TrackOptions): Promise<TrackedTransaction>;
  /** Fires with the txIDs that changed. */
  readonly onDidChange: vscode.Event<readonly string[]>;
}

export interface TrackOptions {
  readonly network?: string;
  /** Label shown before the action of the transaction. */
  readonly label?: string;
}

/** All known data of a txID. */
export interface TrackedTransaction {
  readonly txId: string;
  /** Name of the network. */
  readonly network: string;
  readonly label?: string;
  readonly state: TransactionState;
  /**
   * Action of a transaction that was created here; absent for one tracked by txID alone. Addresses are base58, amounts
   * sun.
   */
  readonly intent?: { readonly kind: string; readonly owner: string; readonly to?: string; readonly amount?: string };
  /** Submissions of the signed bytes with their responses, oldest first. */
  readonly attempts: readonly TransactionAttempt[];
  /** Time of signing or import: local clock, Unix ms. */
  readonly createdAt: number;
  /** Time of the last change of state: local clock, Unix ms. */
  readonly changedAt: number;
}

/**
 * State of a transaction, as far as it is proven. Only `solidified`, `rejected`, `proven-absent` and `replaced` are
 * final.
 */
export type TransactionState =
  | { readonly kind: "signed" }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "pending" }
  | { readonly kind: "included"; readonly block: TransactionBlock; readonly outcome?: TransactionOutcome }
  | { readonly kind: "solidified"; readonly block: TransactionBlock; readonly outcome: TransactionOutcome }
  | { readonly kind: "rejected"; readonly code: string; readonly message: string; readonly retry: string }
  | { readonly kind: "proven-absent"; readonly from: number; readonly to: number }
  | { readonly kind: "replaced"; readonly by: string };

/** `timestamp` is chain time in ms. The ID of a block that is not solidified may be unknown. */
export interface TransactionBlock {
  readonly number: number;
  readonly timestamp: number;
  readonly id?: string;
}

export type TransactionOutcome =
  | { readonly kind: "success" }
  | {
      readonly kind: "failed";
      /** Result in the receipt, such as REVERT. */
      readonly result: string;
      /** Message of the node. */
      readonly message: string;
      /**
       * Reason in one line: the contract's error with values, its text, or the missing resource. Untrusted text of the
       * contract. Absent before it is determined, or if it adds nothing to `result`.
       */
      readonly reason?: string;
      /** Source of the error's name: an artifact, the ABI on the chain, a dictionary. */
      readonly reasonSource?: string;
    };

export interface TransactionAttempt {
  readonly number: number;
  readonly endpoint: string;
  /** Local clock, Unix ms. */
  readonly startedAt: number;
  readonly answeredAt?: number;
  /** Absent if the outcome of this submission is unknown. */
  readonly answer?: {
    readonly kind: "accepted" | "already-known" | "rejected" | "unknown";
    readonly code?: string;
    readonly message?: string;
  };
}
