/**
 * Returns the fields that are not undefined, for spreads into objects with optional fields: under
 * `exactOptionalPropertyTypes` an optional field is absent, never undefined.
 */
export function defined<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
