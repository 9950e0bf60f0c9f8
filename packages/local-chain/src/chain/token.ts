import type { Hex } from "@finality/tron/primitives";
import type { AssetIssueContract } from "@finality/tron/schema";
import type { Usage } from "./stake.ts";

/** Id of a TRC-10 token: decimal digits from 1000001 on. */
export type TokenId = string;

/** A TRC-10 token. Immutable: each change creates a new value. */
export interface Token {
  readonly id: TokenId;
  /** Definition as issued, with later updates. */
  readonly definition: AssetIssueContract;
  /** Issuer bandwidth used by all holders. */
  readonly publicUse: Usage;
}

/** Token balances of an account in smallest units. */
export type TokenBalances = ReadonlyMap<TokenId, bigint>;

/** Issuer bandwidth used by an account, by token. */
export type TokenUse = ReadonlyMap<TokenId, Usage>;

/** The token that an account has issued. */
export interface Issue {
  /** Name as hex, empty without an issued token. */
  readonly name: Hex;
  readonly id: TokenId;
  /** Frozen parts of the supply. */
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

/** Number before the first token id. */
export const NO_TOKEN_ID = 1_000_000;

/** Decodes a token id. */
export function tokenIdIn(bytes: Uint8Array): TokenId {
  return Buffer.from(bytes).toString("utf8");
}

export function sumOfTokens(tokens: TokenBalances, others: TokenBalances): TokenBalances {
  if (others.size === 0) return tokens;
  const sum = new Map(tokens);
  for (const [id, amount] of others) sum.set(id, (sum.get(id) ?? 0n) + amount);
  return sum;
}
