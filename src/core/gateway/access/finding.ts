/** One line of a connection test: what was looked at, how it stands, and what to do about it. */
export interface Finding {
  readonly check:
    | "gateway"
    | "chain"
    | "api-key"
    | "jwt-key"
    | "key-id"
    | "audience"
    | "public-key"
    | "token"
    | "clock"
    | "origin";
  readonly status: "ok" | "warning" | "failed";
  readonly sentence: string;
  readonly nextStep?: string;
}
