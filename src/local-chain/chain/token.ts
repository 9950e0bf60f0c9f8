import type { AssetIssueContract } from "../../core/transaction/gen/transaction_pb.js";

/** The number of a TRC-10 token as decimal digits, from 1000001 on: what transactions name it by. */
export type TokenId = string;

/** A TRC-10 token as the chain keeps it. Never changed: every change makes a new value. */
export interface Token {
  readonly id: TokenId;
  /** As it was issued, with later changes of its texts and limits. */
  readonly definition: AssetIssueContract;
}

/** What an account has of each token, in the token's smallest unit. */
export type TokenBalances = ReadonlyMap<TokenId, bigint>;

export const NO_TOKENS: TokenBalances = new Map();
