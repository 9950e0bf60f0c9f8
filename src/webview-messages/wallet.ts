/** Task of the page in the browser. */
export type WalletTask =
  /** Request the wallet's account. */
  | { readonly kind: "connect" }
  /** Request a signature of the shown transaction. */
  | {
      readonly kind: "sign";
      readonly title: string;
      /** May have several lines. */
      readonly detail: string;
      /** Address of the signer in base58. */
      readonly signer: string;
      /** Permission of which this signature is one of several; null if the account signs alone. */
      readonly permissionId: number | null;
    };

/** Response of the wallet. */
export type WalletAnswer =
  | { readonly kind: "connected"; readonly account: string }
  | { readonly kind: "signed"; readonly signature: string; readonly txId: string }
  /** Message of the wallet, or of the page if the wallet gave none. */
  | { readonly kind: "refused"; readonly message: string };

/** Requests of the page by path. Each but the first carries the token that the first one returned. */
export interface WalletPosts {
  readonly "/open": { readonly secret: string };
  readonly "/bytes": { readonly token: string; readonly account: string };
  readonly "/answer": { readonly token: string; readonly answer: WalletAnswer };
  readonly "/wait": { readonly token: string };
}

/** Successful responses. Any other status has `{ sentence }`. */
export interface WalletReplies {
  readonly "/open": { readonly token: string; readonly task: WalletTask };
  /** Transaction as JSON text, as wallets accept it. */
  readonly "/bytes": { readonly transaction: string };
  readonly "/answer": { readonly sentence: string };
  /** Null while the session continues: poll again. */
  readonly "/wait": { readonly sentence: string | null };
}
