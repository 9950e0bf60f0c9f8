/** The path of who does not want to know where something does not fit: to build paths costs more than to read. */
export const NO_PATH = "";

/** Reads one value of parsed JSON, or throws a `ShapeError` that names the path. */
export type Reader = (value: unknown, path: string) => unknown;

/** The fields an object must have; `optional` marks those it may lack. */
export interface Shape {
  readonly [field: string]: Reader;
}

/** A value that does not fit. Whoever reads turns it into a value of his own: it goes no further. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";
}

export const text: Reader = (value, path) => (typeof value === "string" ? value : unfit(path, "text"));
export const number: Reader = (value, path) => (Number.isSafeInteger(value) ? value : unfit(path, "a whole number"));
export const hex = matching(/^(?:[0-9a-f]{2})*$/, "hex");
export const address = matching(/^41[0-9a-f]{40}$/, "an address");
export const hash = matching(/^[0-9a-f]{64}$/, "64 hex digits");

/** A mark that is there or not. */
export const mark: Reader = (value, path) => (value === true ? value : unfit(path, "true"));

/** A bigint, which JSON carries as decimal text. */
export const integer: Reader = (value, path) =>
  typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : unfit(path, "a decimal integer");

/** One of these words. */
export function oneOf(...words: readonly string[]): Reader {
  return (value, path) => (words.includes(value as string) ? value : unfit(path, words.join(" or ")));
}

const optionals = new WeakSet<Reader>();

/** A field that may be left out. */
export function optional(reader: Reader): Reader {
  const marked: Reader = (value, path) => reader(value, path);
  optionals.add(marked);
  return marked;
}

/** A list whose items are all of one kind. */
export function listOf(reader: Reader): Reader {
  return (value, path) =>
    Array.isArray(value) ? value.map((it, index) => reader(it, `${path}[${index}]`)) : unfit(path, "a list");
}

/** The fields of the shape and nothing else. */
export function object(shape: Shape): Reader {
  const readers = Object.entries(shape);
  return (value, path) => {
    const fields = record(value, path);
    const read: Record<string, unknown> = {};
    for (const [name, reader] of readers) {
      const field = fields[name];
      if (field === undefined && optionals.has(reader)) continue;
      read[name] = reader(field, path === NO_PATH ? NO_PATH : `${path}.${name}`);
    }
    return read;
  };
}

/** One of several shapes, told apart by the text in `kind`, which is kept. */
export function byKind(shapes: { readonly [kind: string]: Shape }): Reader {
  const readers = new Map(Object.entries(shapes).map(([kind, shape]) => [kind, object({ kind: text, ...shape })]));
  return (value, path) => {
    const { kind } = record(value, path);
    const reader = typeof kind === "string" ? readers.get(kind) : undefined;
    return reader === undefined ? unfit(`${path}.kind`, "a known kind") : reader(value, path);
  };
}

/** Any object, its fields unread. @throws {ShapeError} */
export function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return unfit(path, "an object");
  return value as Record<string, unknown>;
}

function matching(pattern: RegExp, name: string): Reader {
  return (value, path) => (typeof value === "string" && pattern.test(value) ? value : unfit(path, name));
}

function unfit(path: string, expected: string): never {
  throw new ShapeError(`${path} is not ${expected}`);
}
