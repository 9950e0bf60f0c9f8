import type { Gateway, SignedTransaction } from "../../core/gateway/gateway.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { Address } from "../../core/primitives/address.ts";
import type { VerifiedTransaction } from "../../core/transaction/verify-against-intent.ts";
import type { TransactionDesk } from "../../host/transaction-desk.ts";

/** An account whose name is known here. */
export interface KnownAccount {
  readonly address: Address;
  readonly name: string;
  /** Whether its signing key is stored here. */
  readonly canSign: boolean;
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
