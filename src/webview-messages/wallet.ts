/** What the page in the browser has to do. */
export type WalletTask =
  /** Ask the wallet for its account. */
  | { readonly kind: "connect" }
  /** Let the wallet sign what is shown. */
  | {
      readonly kind: "sign";
      readonly title: string;
      /** Several lines. */
      readonly detail: string;
      /** Whose signature is wanted, as T… */
      readonly signer: string;
      /** The permission for which the signature is one of others; null where the account signs for itself. */
      readonly permissionId: number | null;
    };

/** What the wallet did. */
export type WalletAnswer =
  | { readonly kind: "connected"; readonly account: string }
  | { readonly kind: "signed"; readonly signature: string; readonly txId: string }
  /** In the words of the wallet, or of the page where the wallet said nothing. */
  | { readonly kind: "refused"; readonly message: string };

/** What the page posts, by path; each but the first with the token that the first one gives. */
export interface WalletPosts {
  readonly "/open": { readonly secret: string };
  readonly "/bytes": { readonly token: string; readonly account: string };
  readonly "/answer": { readonly token: string; readonly answer: WalletAnswer };
  readonly "/wait": { readonly token: string };
}

/** What is answered; everything else is a refusal: `{ sentence }` with another status. */
export interface WalletReplies {
  readonly "/open": { readonly token: string; readonly task: WalletTask };
  /** The transaction as JSON in a text, as wallets take it. */
  readonly "/bytes": { readonly transaction: string };
  readonly "/answer": { readonly sentence: string };
  /** Null while it goes on: ask again. */
  readonly "/wait": { readonly sentence: string | null };
}
