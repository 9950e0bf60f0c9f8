import { type Json, parseJson } from "../../primitives/json.ts";
import { parseLoosely } from "./loose-json.ts";

/** What a whole text is as JSON. */
export interface JsonText {
  readonly json: Json;
  /** Whether the text ended before the JSON did. */
  readonly cut: boolean;
}

/** Reads a text that is an object or a list and nothing else: as JSON, or what is not quite that. Undefined for other texts. */
export function readJsonText(text: string): JsonText | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    if (!HUGE_NUMBER.test(text)) return { json: parseJson(text), cut: false };
  } catch {
    // The loose reader takes what is not quite JSON.
  }
  const loose = parseLoosely(text);
  const whole = loose !== undefined && loose.end >= text.length;
  return whole ? { json: loose.value, cut: loose.cut } : undefined;
}

/** Making a bigint of very many digits takes time that grows with their square. */
const HUGE_NUMBER = /\d{100}/;
