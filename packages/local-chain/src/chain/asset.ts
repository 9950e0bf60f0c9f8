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
