import type { DecodedField } from "@finality/client/explain";
import { counted, type NameOf } from "@finality/tron/format";
import { addressIn, bytesToHex, isHexPairs, stripHexPrefix, visibleLine, visibleText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { DecoderFact, DecoderField, DecoderRaw, DecoderSpan } from "../../webview-messages/decoder.ts";

const MAX_FIELDS = 1_000;
const MAX_VALUE = 2_000;

/**
 * Describes the decoded values with their positions in the tree and in the text. Long lists are truncated with a note.
 */
export function describeFields(
  decoded: readonly DecodedField[],
  nameOf: NameOf,
  spanOf: FindSpan,
): readonly DecoderField[] {
  let left = MAX_FIELDS;
  const describe = (fields: readonly DecodedField[], path: string): readonly DecoderField[] => {
    const shown = fields.slice(0, left);
    left -= shown.length;
    const described = shown.map((field, index): DecoderField => {
      const id = `${path}${index}`;
      const { name, value, kind, type = null, children = [] } = field;
      return {
        id,
        kind,
        type: type === null ? null : visibleLine(type),
        name: visibleLine(name, 200),
        value: visibleText(value, MAX_VALUE),
        note: noteOn(field, nameOf),
        at: spanOf(field),
        children: describe(children, `${id}.`),
      };
    });
    return shown.length === fields.length
      ? described
      : [...described, restOf(fields.length - shown.length, `${path}rest`)];
  };
  return describe(decoded, "");
}

const MAX_FACTS = 6;
const SHORT = 70;
const SHORT_HEX = 42;

/** Returns the short values first, to read at a glance, named by their path in the structure. */
export function describeFacts(fields: readonly DecoderField[], code: string): readonly DecoderFact[] {
  const leaves = (some: readonly DecoderField[], path: string): readonly DecoderFact[] =>
    some.flatMap(({ name, value, note, kind, children }) => {
      if (kind === "list") return leaves(children, `${path}${name}.`);
      const shown = note === null ? value : `${value} · ${note}`;
      const isShort = shown.length <= (kind === "hex" ? SHORT_HEX : SHORT);
      const isFact = value !== "" && value !== code && isShort;
      return isFact ? [{ name: `${path}${name}`.replaceAll(".[", "["), value: shown, exact: kind !== "text" }] : [];
    });
  return leaves(fields, "").slice(0, MAX_FACTS);
}

/** Returns the whole value at a position of the tree. */
export function valueAt(decoded: readonly DecodedField[], id: string): string | undefined {
  let fields = decoded;
  let found: DecodedField | undefined;
  for (const index of id.split(".")) {
    found = fields[Number(index)];
    fields = found?.children ?? [];
  }
  return found?.value;
}

function restOf(count: number, id: string): DecoderField {
  const value = t`${count} more in the copied report and the raw text`;
  return { id, name: "…", value, kind: "text", type: null, note: null, at: null, children: [] };
}

function noteOn({ kind, value }: DecodedField, nameOf: NameOf): string | null {
  if (kind === "time" && /^\d{12,14}$/.test(value)) return new Date(Number(value)).toISOString().replace("T", " ");
  if (kind !== "address") return null;
  const address = addressIn(value);
  return (address && nameOf(address)) ?? null;
}

/** Maximum length of a text that is searched for values. */
const LONGEST = 100_000;
const LONGEST_NEEDLE = 20_000;
/** Shorter values would match anywhere. */
const SHORTEST = 3;

/** Finds the position of a decoded value in a text: as is, as hex, or as a word of encoded data. */
type FindSpan = (field: DecodedField) => DecoderSpan | null;

/** Values are searched in order, so that the second of two equal ones is found behind the first. */
export function spanFinder(text: string): FindSpan {
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

/** Finds a word with no word character beside it. */
export function spansOfWord(text: string, word: string): readonly DecoderSpan[] {
  const start = text.length > LONGEST || word.length < SHORTEST ? -1 : text.indexOf(word);
  return start < 0 ? [] : [{ start, end: start + word.length }];
}

/** Sorts spans and joins those that touch. */
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

/** Returns the base58 form, the hex form with prefix 41, and the 20 bytes that encoded data contains. */
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

/** Matches ASCII letters only, because case conversion can change the length of others. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const MAX_TEXT = 50_000;
const MAX_WORDS = 256;
/** Marks that change the direction of text, join or hide letters, and characters that control a terminal. */
const UNSEEN = /[^\P{Cc}\n\r\t]|\p{Cf}/gu;

/** Renders invisible characters as their code points and splits encoded data into words. */
export function describeRaw(text: string): DecoderRaw {
  const digits = stripHexPrefix(text.trim());
  const words = wordsOf(digits);
  const lines = text.split("\n").length;
  const size =
    words.length > 0
      ? counted(digits.length / 2, t`byte of data`, t`bytes of data`)
      : counted(new TextEncoder().encode(text).length, t`byte`, t`bytes`);
  return {
    facts: [counted(text.length, t`character`, t`characters`), size, ...(lines > 1 ? [t`${lines} lines`] : [])],
    text: visibleText(text, MAX_TEXT),
    words,
  };
}

/** Warns of characters that can mislead a reader. */
export function describeWarnings(text: string): readonly string[] {
  const unseen = text.match(UNSEEN) ?? [];
  if (unseen.length === 0) return [];
  const numbers = [...new Set(unseen.map((it) => visibleText(it).slice(1, -1)))].slice(0, 4).join(", ");
  const many = counted(unseen.length, t`character`, t`characters`);
  return [t`The text contains invisible characters (${numbers}): ${many}. The explanation shows them as numbers.`];
}

function wordsOf(digits: string): DecoderRaw["words"] {
  if (!isHexPairs(digits) || digits.length < 64) return [];
  const head = digits.length % 64 === 8 ? 8 : 0;
  const words = digits.slice(head, head + 64 * MAX_WORDS).match(/.{1,64}/g) ?? [];
  return [
    ...(head === 0 ? [] : [{ name: "selector", value: digits.slice(0, head) }]),
    ...words.map((value, index) => ({ name: `0x${(index * 32).toString(16).padStart(2, "0")}`, value })),
  ];
}
