import type { Gateway, SignedTransaction } from "../../core/gateway/gateway.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { Address } from "../../core/primitives/address.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { VerifiedTransaction } from "../../core/transaction/verify-against-intent.ts";

/** An account whose name is known here. */
export interface KnownAccount {
  readonly address: Address;
  readonly name: string;
  /** Whether its signing key is stored here. */
  readonly canSign: boolean;
}

/** A signed transaction on its way into the journal and then to the network. */
export interface Submission {
  readonly network: NetworkProfile;
  readonly verified: VerifiedTransaction;
  readonly signed: SignedTransaction;
  readonly solidHeight: number;
  readonly label?: string;
}

/** The journal, and what sending and following does with it. */
export interface TransactionDesk {
  /** Reads the journal and goes on watching, when that was not done yet. */
  ready(): Promise<void>;
  list(): readonly TrackedTransaction[];
  get(txId: TxId): TrackedTransaction | undefined;
  /** Writes the signed bytes down, then hands them to the gateway. */
  submit(submission: Submission): Promise<TrackedTransaction>;
  /** Hands the bytes of the journal to the gateway once more. */
  resend(txId: TxId): Promise<TrackedTransaction>;
  adopt(txId: TxId, network: string, label?: string): Promise<TrackedTransaction>;
  lookNow(txId: TxId): Promise<void>;
  hide(txId: TxId): Promise<void>;
}

/** What the commands of this feature need from the rest of the extension. */
export interface TransactionServices {
  /** The active network, or the one of this name. @throws {ChainError} when there is none */
  readonly network: (name?: string) => NetworkProfile;
  readonly gatewayOf: (network: NetworkProfile) => Promise<Gateway>;
  readonly accountsOf: (network: NetworkProfile) => Promise<readonly KnownAccount[]>;
  /** @throws {ChainError} `SIGNING_KEY_MISSING` */
  readonly sign: (network: NetworkProfile, verified: VerifiedTransaction) => Promise<SignedTransaction>;
  readonly desk: TransactionDesk;
}
