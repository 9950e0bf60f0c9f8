import type { Hex } from "@finality/tron/primitives";
import type { AssetIssueContract } from "@finality/tron/schema";
import type { Usage } from "./stake.ts";

/** The number of a TRC-10 token as decimal digits, from 1000001 on: what transactions name it by. */
export type TokenId = string;

/** A TRC-10 token as the chain keeps it. Never changed: every change makes a new value. */
export interface Token {
  readonly id: TokenId;
  /** As it was issued, with later changes of its texts and limits. */
  readonly definition: AssetIssueContract;
  /** What all holders together have used of the bandwidth that its issuer gives them. */
  readonly publicUse: Usage;
}

/** What an account has of each token, in the token's smallest unit. */
export type TokenBalances = ReadonlyMap<TokenId, bigint>;

/** What an account has used of the bandwidth that issuers give to the holders of their tokens. */
export type TokenUse = ReadonlyMap<TokenId, Usage>;

/** What an account has to do with the one token that it may issue. */
export interface Issue {
  /** The token's name as bytes; empty when it has issued none. */
  readonly name: Hex;
  readonly id: TokenId;
  /** What of the supply is not in its balance yet. */
  readonly frozen: readonly FrozenSupplyPart[];
}

export interface FrozenSupplyPart {
  readonly amount: bigint;
  /** Chain time in ms. */
  readonly due: bigint;
}

export const NO_TOKENS: TokenBalances = new Map();
export const NO_TOKEN_USE: TokenUse = new Map();
export const NOTHING_ISSUED: Issue = { name: "" as Hex, id: "", frozen: [] };

/** The number before that of the first token. */
export const NO_TOKEN_ID = 1_000_000;

/** What the bytes of a contract name a token by: its number, as text. */
export function tokenIdIn(bytes: Uint8Array): TokenId {
  return Buffer.from(bytes).toString("utf8");
}

export function sumOfTokens(tokens: TokenBalances, others: TokenBalances): TokenBalances {
  if (others.size === 0) return tokens;
  const sum = new Map(tokens);
  for (const [id, amount] of others) sum.set(id, (sum.get(id) ?? 0n) + amount);
  return sum;
}
