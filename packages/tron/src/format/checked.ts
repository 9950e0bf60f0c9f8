/** Result of validating an input: a value, or the problem to show below the input. */
export type Checked<T> =
  | { readonly kind: "good"; readonly value: T; readonly message?: string }
  | { readonly kind: "wrong"; readonly message: string }
  /** Nothing typed yet, so there is no message. */
  | { readonly kind: "empty" };
