import type { Account } from "./account.ts";
import { addTokens, type Ledger, tokenBalance } from "./ledger.ts";
import type { TokenId } from "./token.ts";

/** What is exchanged and sold: a token by its number, or the chain's own coin. */
export type Asset = TokenId | typeof COIN;

export const COIN = "_";

/** The asset that a contract's bytes name, or a text that is none. */
export function assetOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** Whether a text can name an asset; whether there is such a token is another question. */
export function isAsset(text: string): boolean {
  return text === COIN || /^(?:0|[1-9]\d*)$/.test(text);
}

/** In sun, or in the token's smallest unit. */
export function holding(account: Account, asset: Asset): bigint {
  return asset === COIN ? account.balance : tokenBalance(account, asset);
}

/** @param delta - negative to take away; the caller has checked that it is there */
export function addAsset(ledger: Ledger, account: Account, asset: Asset, delta: bigint): Account {
  if (asset !== COIN) return addTokens(ledger, account, asset, delta);
  const changed = { ...account, balance: account.balance + delta };
  ledger.put(changed);
  return changed;
}
