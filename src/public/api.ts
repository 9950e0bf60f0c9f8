/**
 * What other extensions get from `activate()`:
 *
 * ```ts
 * const finality = await vscode.extensions.getExtension<FinalityApi>("finality.finality")?.activate();
 * const transaction = await finality?.transactions.track("7f3a…");
 * ```
 *
 * This interface only grows within a version.
 * No key, token, signed byte or right to sign is reachable through it.
 */
import type * as vscode from "vscode";

export interface FinalityApi {
  readonly version: 1;
  readonly transactions: TransactionsApi;
  /**
   * Says what a text of the chain means: JSON, hex, a code, a txID, a line of a log. It never rejects because of the
   * text, and asks no network. Names of errors come from the artifacts of the workspace and from a dictionary;
   * `sources` says from where.
   */
  explain(input: string): Promise<Explanation>;
  /** Asks the chain what a call would take. Nothing is signed or sent. */
  estimateEnergy(call: ContractCall): Promise<EnergyEstimate>;
}

/**
 * What a text means, why it happened and what to do. Texts of the chain in it are plain text: escape them where markup
 * counts.
 */
export interface Explanation {
  /** Where a failure arose; `none` is no failure. */
  readonly category: "http" | "validation" | "execution" | "abi" | "none";
  readonly code: string;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  /** Whether the same signed bytes may be sent again, and on what condition. */
  readonly retry: { readonly sameBytes: "yes" | "no" | "after"; readonly when?: string };
  readonly decoded: readonly DecodedField[];
  /** Who says so: a place of the documentation (`errors#stakes`), an artifact, a dictionary. */
  readonly sources: readonly string[];
  /** The whole input. */
  readonly raw: string;
}

export interface DecodedField {
  readonly name: string;
  readonly value: string;
  readonly kind: "text" | "number" | "hex" | "address" | "tx-id" | "time" | "list";
  /** The type of the ABI, where there is one. */
  readonly type?: string;
  readonly children?: readonly DecodedField[];
}

/** A call of a contract. Amounts are sun: whole numbers, as texts where they are large. */
export interface ContractCall {
  /** The name of a network; absent is the active one. */
  readonly network?: string;
  /** An address, or the name of a contract that the workspace knows. */
  readonly contract: string;
  /** A name, or a signature where the name alone is not enough. */
  readonly function: string;
  /** Numbers also as texts, accounts by name, tuples as lists or objects. */
  readonly arguments?: readonly unknown[];
  /** The name or the address of an account; absent is the chosen one. */
  readonly caller?: string;
  readonly feeLimit?: string | number | bigint;
  readonly callValue?: string | number | bigint;
  readonly tokenId?: string | number | bigint;
  readonly tokenValue?: string | number | bigint;
}

/** What the chain says of a call that was not sent. There is never a figure of a run that fails. */
export type EnergyEstimate = EstimateWords &
  (
    | {
        readonly kind: "estimated";
        /** Penalty included. */
        readonly energy: number;
        readonly penalty: number;
        /** What the caller burns, in sun. */
        readonly fee: string;
        /** The smallest `fee_limit` that lets the call finish, in sun. */
        readonly neededFeeLimit: string;
        /** The newest block when it was asked. */
        readonly block: number;
      }
    /** It would revert, or the machine would stop it. */
    | { readonly kind: "fails" }
    | { readonly kind: "unavailable" }
  );

export interface EstimateWords {
  /** One line, as a lens shows it. */
  readonly text: string;
  /** What stands in the way, each with the next step. */
  readonly problems: readonly string[];
  /** What the call does not say and was taken for granted. */
  readonly assumptions: readonly string[];
  readonly label?: string;
  /** Where the call stands in its document; 0 for a call that stands nowhere. */
  readonly offset: number;
}

export interface TransactionsApi {
  /**
   * Everything that the journal holds and that was not removed from the list, newest first. Empty until it was read.
   */
  list(): readonly TrackedTransaction[];
  get(txId: string): TrackedTransaction | undefined;
  /**
   * Follows a transaction, whoever signed it, until it is solidified. Also reads the journal, so that `list` is
   * complete.
   *
   * @param options.network - the name of a network; absent is the active one
   */
  track(txId: string, options?: TrackOptions): Promise<TrackedTransaction>;
  /** The txIDs that changed. */
  readonly onDidChange: vscode.Event<readonly string[]>;
}

export interface TrackOptions {
  readonly network?: string;
  /** Shown before what the transaction does. */
  readonly label?: string;
}

/** Everything that is known about one txID. */
export interface TrackedTransaction {
  readonly txId: string;
  /** The name of the network. */
  readonly network: string;
  readonly label?: string;
  readonly state: TransactionState;
  /**
   * What our own transactions do; absent for one that is followed by its txID alone. Addresses are base58, amounts sun.
   */
  readonly intent?: { readonly kind: string; readonly owner: string; readonly to?: string; readonly amount?: string };
  /** Every time that the signed bytes were handed to a gateway, with the answer, the first one first. */
  readonly attempts: readonly TransactionAttempt[];
  /** When it was signed or adopted: local clock, Unix ms. */
  readonly createdAt: number;
  /** When its state changed last: local clock, Unix ms. */
  readonly changedAt: number;
}

/**
 * Where a transaction stands, by what is proven. Only `solidified`, `rejected`, `proven-absent` and `replaced` are
 * ends.
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

/** `timestamp` is chain time in ms. The id of a block that is not solidified may not be known. */
export interface TransactionBlock {
  readonly number: number;
  readonly timestamp: number;
  readonly id?: string;
}

export type TransactionOutcome =
  | { readonly kind: "success" }
  | {
      readonly kind: "failed";
      /** Of the receipt, such as REVERT. */
      readonly result: string;
      /** What the node says. */
      readonly message: string;
      /**
       * Why, in one line: the contract's error with its values, its text, or what the run lacked. A contract wrote it.
       * Absent until it was looked for, and where nothing says more than `result`.
       */
      readonly reason?: string;
      /** Where the error's name comes from: an artifact, the ABI on the chain, a dictionary. */
      readonly reasonSource?: string;
    };

export interface TransactionAttempt {
  readonly number: number;
  readonly endpoint: string;
  /** Local clock, Unix ms. */
  readonly startedAt: number;
  readonly answeredAt?: number;
  /** Absent when nobody knows what became of this attempt. */
  readonly answer?: {
    readonly kind: "accepted" | "already-known" | "rejected" | "unknown";
    readonly code?: string;
    readonly message?: string;
  };
}
