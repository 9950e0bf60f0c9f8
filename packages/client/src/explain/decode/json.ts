import {
  hexToBytes,
  isHexPairs,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  stripHexPrefix,
} from "@finality/tron/primitives";
import { parseLoosely } from "./loose-json.ts";

/** The value if it is text. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value if it is an object, or an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value if it is a list, or an empty one. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The fields of the one contract of a `raw_data`, or none. */
export function contractValue(rawData: Json | undefined): JsonObject {
  const contract = objectOf(listOf(objectOf(rawData).contract)[0]);
  return objectOf(objectOf(contract.parameter).value);
}

/** Hex with or without 0x as bytes; undefined when it is none. */
export function bytesOf(value: Json | undefined): Uint8Array | undefined {
  if (typeof value !== "string") return undefined;
  const digits = stripHexPrefix(value);
  return digits === "" || isHexPairs(digits) ? hexToBytes(digits) : undefined;
}

/** Result of reading a whole text as JSON. */
export interface JsonText {
  readonly json: Json;
  /** True if the text ended before the JSON did. */
  readonly cut: boolean;
  /** True if it is strict JSON, as an HTTP client needs it. */
  readonly isStrict: boolean;
}

/**
 * Reads a text that is an object or a list and nothing else: as JSON, or what is not quite that. Undefined for other
 * texts.
 */
export function readJsonText(text: string): JsonText | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    if (!HUGE_NUMBER.test(text)) return { json: parseJson(text), cut: false, isStrict: true };
  } catch {
    // The loose reader takes what is not quite JSON.
  }
  const loose = parseLoosely(text);
  const whole = loose !== undefined && loose.end >= text.length;
  return whole ? { json: loose.value, cut: loose.cut, isStrict: isJson(text) } : undefined;
}

/** Returns whether a text is strict JSON. The values of its numbers are not checked. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Making a bigint of very many digits takes time that grows with their square. */
const HUGE_NUMBER = /\d{100}/;
