import { t } from "@vscode/l10n";
import type { Address } from "./address.ts";
import type { Hex, TxId } from "./bytes.ts";

/**
 * Reads an untrusted value of a file, a setting, a page or a caller. Returns a typed value or throws `ReadError`.
 * Readers can be combined, and `ReadOf<typeof reader>` is the type of the value.
 */
export type Read<T> = (value: unknown) => T;

/** Type of the value that a reader returns. */
export type ReadOf<R> = R extends Read<infer T> ? T : never;

/**
 * Value that does not match its reader. The message contains the location and the expected form, never the value, which
 * may be a secret.
 */
export class ReadError extends Error {
  override readonly name = "ReadError";
  readonly expected: string;
  /** Path from the root value to the mismatch, such as `.votes[1].count`; empty for the root value. */
  readonly path: string;

  constructor(expected: string, path = "") {
    super(path === "" ? t`it is not ${expected}` : t`${path} is not ${expected}`);
    this.expected = expected;
    this.path = path;
  }
}

export const text: Read<string> = (value) => (typeof value === "string" ? value : unfit(t`text`));
export const flag: Read<boolean> = (value) => (typeof value === "boolean" ? value : unfit(t`true or false`));
/** Reads a flag. */
export const mark: Read<true> = (value) => (value === true ? value : unfit("true"));
export const wholeNumber: Read<number> = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : unfit(t`a whole number`);
/** Reads a bigint, which JSON carries as decimal text. */
export const integerText: Read<bigint> = (value) =>
  typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : unfit(t`a decimal integer`);
export const hex = matching<Hex>(/^(?:[0-9a-f]{2})*$/, t`hex`);
export const address = matching<Address>(/^41[0-9a-f]{40}$/, t`an address`);
export const txId = hashOf<TxId>();

/** Reads 64 hex digits of a named type. */
export function hashOf<H extends Hex>(): Read<H> {
  return matching<H>(/^[0-9a-f]{64}$/, t`64 hex digits`);
}

/** Reads text that matches a pattern. */
export function matching<T extends string>(pattern: RegExp, expected: string): Read<T> {
  return (value) => (typeof value === "string" && pattern.test(value) ? (value as T) : unfit(expected));
}

/** Reads one of these words. */
export function oneOf<const T extends string>(...texts: readonly T[]): Read<T> {
  return (value) => texts.find((word) => word === value) ?? unfit(texts.join(t` or `));
}

/** Reads one of the names of this table. */
export function keyOf<T extends object>(table: T): Read<keyof T & string> {
  const names = Object.keys(table);
  return (value) => (names.includes(value as string) ? (value as keyof T & string) : unfit(names.join(t` or `)));
}

/** Reads a list whose items have one reader. */
export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return unfit(t`a list`);
    return value.map((item: unknown, index) => readAt(index, read, item));
  };
}

/** Readers by field name. */
export type Fields = { readonly [name: string]: Read<unknown> };

type Flat<T> = { readonly [K in keyof T]: T[K] };
type NoFields = Readonly<Record<never, never>>;

/** Value of `object`: all required fields, and the optional ones that are present. */
export type ObjectOf<R extends Fields, O extends Fields> = Flat<
  { readonly [K in keyof R]: ReadOf<R[K]> } & { readonly [K in keyof O]?: ReadOf<O[K]> }
>;

/** Reads an object with these required and optional fields. Other fields are ignored. */
export function object<R extends Fields, O extends Fields = NoFields>(required: R, optional?: O): Read<ObjectOf<R, O>> {
  const needed = Object.entries(required);
  const further = Object.entries(optional ?? {});
  return (value) => {
    const source = record(value);
    const fields: Record<string, unknown> = {};
    for (const [name, read] of needed) fields[name] = readAt(name, read, source[name]);
    for (const [name, read] of further) {
      if (source[name] !== undefined) fields[name] = readAt(name, read, source[name]);
    }
    return fields as ObjectOf<R, O>;
  };
}

type Kinds = { readonly [kind: string]: Read<object> };

/** Value of `byKind`: one of the objects, with its kind. */
export type ByKind<M extends Kinds> = {
  readonly [K in keyof M]: Flat<{ readonly kind: K } & ReadOf<M[K]>>;
}[keyof M];

/** Reads one of several objects, distinguished by the text in `kind`, which is preserved. */
export function byKind<M extends Kinds>(kinds: M): Read<ByKind<M>> {
  const readers = new Map(Object.entries(kinds));
  return (value) => {
    const { kind } = record(value);
    const read = typeof kind === "string" ? readers.get(kind) : undefined;
    if (read === undefined) throw new ReadError(t`a known kind`, ".kind");
    return { kind, ...read(value) } as ByKind<M>;
  };
}

/** Reads any object without its fields. */
export const record: Read<Readonly<Record<string, unknown>>> = (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return unfit(t`an object`);
  return value as Readonly<Record<string, unknown>>;
};

/** Returns the value, or undefined if it does not match. */
export function tryRead<T>(read: Read<T>, value: unknown): T | undefined {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof ReadError) return undefined;
    throw error;
  }
}

/** Reads a JSON text; undefined if it is malformed or does not match. */
export function tryReadJson<T>(read: Read<T>, json: string): T | undefined {
  try {
    return tryRead(read, JSON.parse(json));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Builds the path only after a failure: building it for every value would cost more than reading. */
function readAt<T>(step: string | number, read: Read<T>, value: unknown): T {
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw new ReadError(error.expected, (typeof step === "number" ? `[${step}]` : `.${step}`) + error.path);
  }
}

function unfit(expected: string): never {
  throw new ReadError(expected);
}
