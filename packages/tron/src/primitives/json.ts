import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import { shorten } from "./bytes.ts";

/** JSON of the chain: integers up to int64 are preserved, so a value may contain bigints. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json | undefined };

/** ECMAScript's source text access, which the library types of this TypeScript do not list yet. */
interface SourceText {
  readonly parse: (text: string, reviver: (key: string, value: Json, context: { source?: string }) => Json) => Json;
  readonly rawJSON: (text: string) => unknown;
}
const sourceText = JSON as unknown as SourceText;

const LARGE_INTEGER = /(?:^|[:,[])\s*-?\d{16}/;
const INTEGER = /^-?\d+$/;

/**
 * Parses JSON without losing a digit: an integer beyond 2^53 becomes a bigint, every other value is what JSON.parse
 * gives.
 *
 * @throws {SyntaxError} not JSON
 */
export function parseJson(text: string): Json {
  if (!LARGE_INTEGER.test(text)) return JSON.parse(text) as Json;
  return sourceText.parse(text, (_key, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && INTEGER.test(source)
      ? BigInt(source)
      : value,
  );
}

/** Prints JSON with bigints as bare integers. */
export function printJson(value: Json, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, it: unknown) => (typeof it === "bigint" ? sourceText.rawJSON(it.toString()) : it),
    indent,
  );
}

/** Returns true for a JSON object: not a list, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Converts an int64 for JSON: a number if that is exact, else a bigint. */
export function jsonInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A double preserves up to 15 digits of any decimal number. */
const CERTAIN_DIGITS = 15;

/**
 * Returns a number as it was written, or undefined if digits may have been lost when it was parsed: above 15 digits, or
 * if printing needs an exponent.
 */
export function exactNumberText(value: number): string | undefined {
  const written = String(value);
  if (!/^-?\d+(?:\.\d+)?$/.test(written)) return undefined;
  const digits = written.replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.length <= CERTAIN_DIGITS ? written : undefined;
}

/** @throws {ChainError} `TRANSACTION_JSON_MALFORMED` if it is no JSON integer within int64 */
export function integerFromJson(value: Json | undefined, path: string): bigint {
  if (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))) {
    const integer = BigInt(value);
    if (BigInt.asIntN(64, integer) === integer) return integer;
  }
  throw new ChainError("TRANSACTION_JSON_MALFORMED", { path, reason: t`${quoteJson(value)} is not an integer` });
}

/** Formats any JSON value as a short text for a message. `String(value)` would call a `toString` of untrusted data. */
export function quoteJson(value: Json | undefined): string {
  return value === undefined ? t`nothing` : shorten(printJson(value));
}
