import type { DecodedField } from "@finality/client/explain";
import { addressIn, bytesToHex, stripHexPrefix } from "@finality/tron/primitives";
import type { DecoderSpan } from "../../webview-messages/decoder.ts";

/** Longer texts are not searched: nobody reads marks in them. */
const LONGEST = 100_000;
const LONGEST_NEEDLE = 20_000;
/** Shorter values would be found anywhere. */
const SHORTEST = 3;

/** Finds where in a text a decoded value stands: as it is, as hex of its letters, or as a word of encoded data. */
export type FindPlace = (field: DecodedField) => DecoderSpan | null;

/**
 * Values are looked for in the order in which they are asked for: the second of two equal ones is found behind the
 * first.
 */
export function placesIn(text: string): FindPlace {
  if (text.length > LONGEST) return () => null;
  const lower = lowerCase(text);
  let behind = 0;
  return (field) => {
    for (const needle of needlesOf(field)) {
      const start = find(lower, needle, behind);
      if (start < 0) continue;
      behind = start + needle.length;
      return { start, end: behind };
    }
    return null;
  };
}

/** Where a word such as a code stands by itself. */
export function placeOfWord(text: string, word: string): readonly DecoderSpan[] {
  const start = text.length > LONGEST || word.length < SHORTEST ? -1 : text.indexOf(word);
  return start < 0 ? [] : [{ start, end: start + word.length }];
}

/** Spans in order, those that touch as one. */
export function mergeSpans(spans: readonly DecoderSpan[]): readonly DecoderSpan[] {
  const merged: DecoderSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start > last.end) merged.push(span);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return merged;
}

function find(lower: string, needle: string, from: number): number {
  const next = lower.indexOf(needle, from);
  return next >= 0 ? next : lower.indexOf(needle);
}

function needlesOf({ kind, value, type }: DecodedField): readonly string[] {
  if (value.length > LONGEST_NEEDLE) return [];
  const needles = kind === "list" ? [] : kind === "address" ? addressForms(value) : [value, ...encoded(value, type)];
  return needles.map((needle) => lowerCase(stripHexPrefix(needle))).filter(({ length }) => length >= SHORTEST);
}

/** Base58, hex with its 41, and the 20 bytes that encoded data hold. */
function addressForms(value: string): readonly string[] {
  const hex: string | undefined = addressIn(value);
  return hex === undefined ? [value] : [value, hex, hex.slice(2)];
}

function encoded(value: string, type: string | undefined): readonly string[] {
  if (type?.startsWith("uint") === true && /^\d{1,78}$/.test(value))
    return [BigInt(value).toString(16).padStart(64, "0")];
  if (type?.startsWith("int") === true && /^-?\d{1,78}$/.test(value))
    return [BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0")];
  if (type === "bool") return [(value === "true" ? "1" : "0").padStart(64, "0")];
  return value.startsWith("0x")
    ? []
    : [JSON.stringify(value).slice(1, -1), bytesToHex(new TextEncoder().encode(value))];
}

/** Only letters of ASCII: others may change their length. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
