import type { Address, ForeignText, Sun } from "@finality/tron/primitives";
import type { IntentOf, Resource, SignedTransaction } from "@finality/tron/transaction";
import type { SignWeight } from "../permissions/permissions.ts";

/** With whom an account shares resources of stakes. */
export interface Loans {
  /** To whom it lends. */
  readonly borrowers: readonly Address[];
  /** Who lends to it. */
  readonly lenders: readonly Address[];
}

/** What one account lends to another of one resource. */
export interface Loan {
  readonly from: Address;
  readonly to: Address;
  readonly resource: Resource;
  /** What is staked for it. */
  readonly amount: Sun;
  /** Chain time in ms before which it cannot be taken back; 0 where it can be at any time. */
  readonly lockedUntil: number;
}

/** A TRC-10 token as its issuer described it: its number is a fact, everything else a claim. */
export interface Trc10Token {
  readonly id: string;
  readonly name: ForeignText;
  readonly symbol: ForeignText;
  /** What the issuer counts in a whole token; nobody holds anybody to it. */
  readonly decimals: number;
  readonly issuer: Address;
}

/** Somebody who makes blocks, or would like to. */
export interface Witness {
  readonly address: Address;
  /** What it says of itself: the address of a page, which nobody has checked. */
  readonly url: ForeignText;
  /** As the chain counted them last: whole coins. */
  readonly votes: bigint;
  readonly makesBlocks: boolean;
}

export type LoanParties = Pick<Loan, "from" | "to">;

/** What a chain can be asked about accounts besides. Methods reject as those of `Gateway` do. */
export interface AccountGateway {
  /** All that can be voted for, in no order. */
  witnesses(signal?: AbortSignal): Promise<readonly Witness[]>;
  /** What a witness keeps of the rewards that its votes bring, in percent; the rest is shared by its voters. */
  brokerage(witness: Address, signal?: AbortSignal): Promise<bigint>;
  /** What votes have earned and nobody has withdrawn, in sun. */
  reward(address: Address, signal?: AbortSignal): Promise<Sun>;
  loans(address: Address, signal?: AbortSignal): Promise<Loans>;
  /** What one lends to the other, one for each resource and lock. */
  loansBetween(parties: LoanParties, signal?: AbortSignal): Promise<readonly Loan[]>;
  trc10Token(id: string, signal?: AbortSignal): Promise<Trc10Token | undefined>;
  /** Lets the node count signatures. It gets the signed bytes: whoever asks has written them down before. */
  signWeight(transaction: SignedTransaction, signal?: AbortSignal): Promise<SignWeight>;
  /**
   * Lets the node build a change of permissions, for what it has against it: nothing of what it builds is used.
   *
   * @throws {ChainError} `NODE_REFUSED` with its reason
   */
  checkPermissionUpdate(intent: IntentOf<"permission-update">, signal?: AbortSignal): Promise<void>;
}
