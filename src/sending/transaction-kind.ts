import type { CodeIntent } from "@finality/client/estimates";
import type { Account, Block, Clock, Gateway, NetworkProfile, NetworkRef } from "@finality/client/gateway";
import type { Permission } from "@finality/client/permissions";
import type { Since, TrackingState } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import type { Address, TxId } from "@finality/tron/primitives";
import type { BuiltTransaction, Intent, SignedTransaction, VerifiedTransaction } from "@finality/tron/transaction";
import type { FailureRecordsOnDemand } from "../host/local-chain/lazy-failure-records.ts";
import type { SigningKeys } from "../host/secrets/signing-keys.ts";
import type { Consent, Review } from "./consent.ts";
import type { CoSigning } from "./signer.ts";
import type { TransactionService } from "./transaction-service.ts";

/** Options of an export to a file. */
export interface ExportOptions {
  /** Exports without a signature. */
  readonly unsigned?: boolean | undefined;
  /** Path that a program chose. */
  readonly file?: string | undefined;
}

/** A transaction to send, complete except for the signing keys and the review. */
export interface SendRequest<I extends Intent = Intent> {
  readonly network: NetworkProfile;
  readonly gateway: Gateway;
  /** Names the permission that signs, if the user chose one. */
  readonly intent: I;
  readonly nameOf: NameOf;
  readonly label?: string | undefined;
  /** Equal transactions that the sender knows of and accepts. */
  readonly acknowledgeUnknown?: readonly TxId[] | undefined;
  /** A program passed all arguments: the review is the only dialog, and the local chain shows none. */
  readonly unattended: boolean;
  /** The transaction that this one replaces. */
  readonly replaces?: TxId | undefined;
  /** Time of the replaced transaction: equal payments that were executed after it count too. */
  readonly since?: Since | undefined;
  /** Set to export the transaction to a file in place of broadcasting it. */
  readonly exportOptions?: ExportOptions | undefined;
  /** Proposal of an agent that becomes this transaction. */
  readonly proposal?: ProposalClaim | undefined;
  /** Called after the consent, before a key is used. An error stops the transaction. */
  readonly beforeSigning?: (() => Promise<void>) | undefined;
  /** TxID of existing bytes. They may be tracked, and then update that entry. */
  readonly txId?: TxId | undefined;
}

/** Proposal of an agent under review. It becomes at most one transaction. */
export interface ProposalClaim {
  /** Stored in the journal with the signed bytes. */
  readonly id: string;
  /** Last line of the review: the claim of the agent. */
  readonly remark: string;
  /** Called after the consent, before a key is used. @throws {ChainError} `PROPOSAL_REFUSED` */
  claim(intent: Intent): Promise<void>;
  /** Called if nothing was signed. */
  release(): Promise<void>;
}

/** A request whose bytes are not built yet. */
export interface NewTransactionRequest<I extends Intent = Intent> extends SendRequest<I> {
  /** Chain time from the newest block to the expiration, ms. */
  readonly expiresInMs: number;
}

/** Keys that sign a transaction, and their permission. */
export interface SigningChoice {
  readonly permission: Permission;
  /** In signing order: as few as reach the threshold. */
  readonly signers: readonly Address[];
  /** Path that the gateway does not serve, if the permission is assumed because of it. */
  readonly missingPath?: string | undefined;
}

/** A verified transaction that is not signed yet. */
export interface Draft {
  readonly plan: SigningChoice;
  readonly verified: VerifiedTransaction;
  /** Solidified height before anything was signed: no earlier block can contain the transaction. */
  readonly solidHeight: number;
  /** Chain time from the newest block to the expiration, ms. */
  readonly lifetimeMs: number;
  /** Energy that the contract call needs by its estimate. */
  readonly estimatedEnergy?: number | undefined;
  /** Signature of the called function, if its ABI is known. */
  readonly functionSignature?: string | undefined;
}

/** Services that the steps of a transaction kind use. */
export interface StepServices {
  readonly keys: SigningKeys;
  readonly transactions: TransactionService;
  readonly clock: Clock;
  /** Records in the background what a call reads, so that its failure can be replayed. */
  readonly recordCall?: FailureRecordsOnDemand["record"];
}

/** Input of each step of a transaction kind. */
export interface StepContext<R> {
  readonly services: StepServices;
  readonly request: R;
}

/** State of the chain that the choice of the signing keys depends on. */
export interface OwnerState {
  /** Absent if the account is not activated. */
  readonly account: Account | undefined;
}

/**
 * The steps of one kind of transaction, in the order in which the pipeline calls them. A signal ends the requests to
 * the gateway; steps without one may prompt.
 */
export interface TransactionKind<R extends SendRequest, S, P extends SigningChoice, D extends Draft> {
  /** Returns the title of the progress notification. */
  progress(request: R): string;
  /** Reads the state that the choice of the signing keys depends on. */
  read(context: StepContext<R>, signal: AbortSignal): Promise<S>;
  /** Chooses the signing keys, and the permission in the intent. Returns undefined if the user cancels. */
  plan(context: StepContext<R>, state: S): Promise<(P & { readonly intent: Intent }) | undefined>;
  /** Builds the bytes, verifies them and estimates their cost. */
  build(context: StepContext<R>, state: S, plan: P, signal: AbortSignal): Promise<D>;
  /** Throws if a request of a program should not be signed: no one reads its review. */
  check?(context: StepContext<R>, draft: D): void;
  /** Prompts before the review. Returns false if the user cancels. */
  confirm?(context: StepContext<R>, draft: D): Promise<boolean>;
  /** Returns the text and buttons of the review. */
  review(context: StepContext<R>, draft: D): Review | Promise<Review>;
  /** Returns a changed request after a button that does not sign; undefined to end. */
  revise?(context: StepContext<R>, draft: D, button: string): Promise<R | undefined>;
  /** Replaces the broadcast. */
  readonly delivery?: Delivery<R, D>;
}

/** Delivery of signed bytes in place of a broadcast. They are in the journal before. */
export interface Delivery<R, D> {
  /** Adapts the review. */
  review?(review: Review, draft: D): Review;
  /** Returns which keys sign beside which signatures. The button is absent if there was no review. */
  coSigning(request: R, draft: D, button: string | undefined): CoSigning;
  deliver(context: StepContext<R>, draft: D, stored: StoredTransaction): Promise<DeliveredFile | undefined>;
}

/** Signed bytes in the journal. */
export interface StoredTransaction {
  readonly signed: SignedTransaction;
  readonly consent: Consent;
  /** Button of the review; absent if there was no review. */
  readonly button: string | undefined;
  /** Equal transactions that the sender knows of and accepts. */
  readonly acknowledged: readonly TxId[];
}

/** A transaction file: its path and its text. */
export interface DeliveredFile {
  readonly file?: string;
  readonly transaction?: string;
}

/** Result of sending: the transaction and its state, and its file if it was exported. */
export interface SentTransaction extends DeliveredFile {
  readonly txId: TxId;
  readonly state: TrackingState;
}

/** Rules of the chains that transactions are sent to. */
export interface ChainRules {
  /** Returns whether the running local chain created this account. */
  isOfChain(address: Address): boolean;
  /** @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`, `GATEWAY_UNREACHABLE` */
  prove(): Promise<void>;
  /** Returns whether a network uses real money, by its record or by its chain. */
  isRealMoney(network: NetworkProfile): boolean;
  /** @throws {ChainError} `CHAIN_CHANGED`, `CHAINS_DIFFER` */
  networkRefOf(network: NetworkProfile): Promise<NetworkRef>;
}

/** Blocks and bytes to verify. */
export interface BuildResult {
  readonly built: BuiltTransaction;
  /** Chain time of the newest block, ms. */
  readonly headTimestamp: number;
  readonly solid: Block;
}

/**
 * Compares built bytes with the intent.
 *
 * @throws {ChainError} `TRANSACTION_DIFFERS`: nothing may be signed
 */
export async function verifyBuilt(
  { built, headTimestamp }: Omit<BuildResult, "solid">,
  intent: Intent,
): Promise<VerifiedTransaction> {
  const { verifyAgainstIntent } = await import("../host/secrets/lazy-signing.ts");
  const verification = verifyAgainstIntent(built, intent, { headTimestamp });
  if (verification.kind === "same") return verification;
  throw new ChainError("TRANSACTION_DIFFERS", { differences: verification.differences });
}

/** A call or a deployment to send again: in place of one that can never be executed, or because it failed. */
export interface CodeReplacement {
  readonly network: string;
  readonly intent: CodeIntent;
  /** The transaction that this one replaces, and its time. */
  readonly replaces?: TxId | undefined;
  readonly since?: Since | undefined;
  readonly label?: string | undefined;
  /** Reason of the last failure. If set, a new simulation chooses the `fee_limit`, unless one is given. */
  readonly lastFailure?: string | undefined;
  readonly feeLimit?: string | undefined;
  readonly acknowledgeUnknown?: readonly TxId[] | undefined;
  /** Proposal of an agent that becomes this transaction. */
  readonly proposal?: ProposalClaim | undefined;
  /** A program accepts that the simulation fails. */
  readonly acknowledgeFailure: boolean;
  readonly expirySeconds?: string | undefined;
  /** A program passed all arguments: the review is the only dialog, and the local chain shows none. */
  readonly unattended: boolean;
}

/** Simulates and sends it like a new request. Returns undefined if the user cancels. */
export type ReplaceCode = (order: CodeReplacement) => Promise<SentTransaction | undefined>;
