/*
 * As `packages/tron/src/primitives/read.ts`, of which a page can run nothing. The types of messages are written in
 * `src/webview-messages`; the compiler holds each reader to them.
 */

/** Reads a message field by field; what does not fit throws a TypeError, and nothing of it is used. */
export type Read<T> = (value: unknown) => T;

export const text: Read<string> = (value) => (typeof value === "string" ? value : unfit("text"));
export const flag: Read<boolean> = (value) => (typeof value === "boolean" ? value : unfit("a flag"));
export const count: Read<number> = (value) => (Number.isSafeInteger(value) ? Number(value) : unfit("a whole number"));

export function oneOf<const T extends string>(...texts: readonly T[]): Read<T> {
  return (value) => texts.find((word) => word === value) ?? unfit(texts.join(" or "));
}

export function orNull<T>(read: Read<T>): Read<T | null> {
  return (value) => (value === null ? null : read(value));
}

export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value) => (Array.isArray(value) ? value.map((it) => read(it)) : unfit("a list"));
}

/** The fields named and nothing else. */
export function object<T>(fields: { readonly [K in keyof T]-?: Read<T[K]> }): Read<T> {
  return (value) => {
    if (typeof value !== "object" || value === null) return unfit("an object");
    const values = new Map<string, unknown>(Object.entries(value));
    const read = Object.entries<Read<unknown>>(fields).map(([name, reader]) => [name, reader(values.get(name))]);
    return Object.fromEntries(read) as T;
  };
}

type Kinds<T extends { readonly kind: string }> = {
  readonly [K in T["kind"]]: Read<Omit<Extract<T, { readonly kind: K }>, "kind">>;
};

/** One of several messages, told apart by their kind. */
export function byKind<T extends { readonly kind: string }>(kinds: Kinds<T>): Read<T> {
  const readers = new Map(Object.entries<Read<object>>(kinds));
  const kindOf = object<{ readonly kind: string }>({ kind: text });
  return (value) => {
    const { kind } = kindOf(value);
    const read = readers.get(kind) ?? unfit("a known kind");
    return { ...read(value), kind } as T;
  };
}

function unfit(expected: string): never {
  throw new TypeError(`The message does not fit: ${expected} was expected.`);
}
