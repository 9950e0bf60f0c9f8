import type { HttpResponse } from "./message.ts";

/** What the server does with a request. */
export type Answer =
  | { readonly kind: "answer"; readonly response: HttpResponse }
  /** Ends the connection without a byte. */
  | { readonly kind: "drop" }
  /** Ends it as a crash does: the other side sees a reset. */
  | { readonly kind: "reset" }
  /** Sends the headers and half of the body, then ends the connection. */
  | { readonly kind: "cut"; readonly response: HttpResponse }
  /** Says nothing and keeps the connection open. */
  | { readonly kind: "hang" };

export function answered(response: HttpResponse): Answer {
  return { kind: "answer", response };
}
