/** What typing led to so far: a value to go on with, or what is wrong with it. Both are said below the input. */
export type Checked<T> =
  | { readonly kind: "good"; readonly value: T; readonly message?: string }
  | { readonly kind: "wrong"; readonly message: string }
  /** Nothing typed yet: no reason to complain. */
  | { readonly kind: "empty" };
