import type { Json } from "@finality/tron/primitives";
import { parseLoosely } from "../decode/loose-json.ts";

/** A part of a text. */
export interface Span {
  readonly start: number;
  /** The offset after it. */
  readonly end: number;
}

/** An object in a text, as JSON or as a console prints it. */
export interface FoundObject extends Span {
  readonly json: Json;
  /** True if the text ended before the object did. */
  readonly cut: boolean;
}

/** A brace with a name and a colon behind it, after a comment at most. */
const OBJECT =
  /\{\s{0,80}(?:(?:\/\*[^*]{0,200}\*\/|\/\/[^\n]{0,200}\n)\s{0,80})?(?:"[^"]{0,80}"|'[^']{0,80}'|[A-Za-z_$][\w$.-]{0,80})\s{0,8}:/g;

/** Returns the offsets at which objects may begin in a text, including nested ones, in order. */
export function* objectStarts(text: string): Generator<number> {
  for (const { index } of text.matchAll(OBJECT)) yield index;
}

/**
 * The object that begins at an offset; undefined when what stands there is none. One that is cut off ends with the
 * text.
 */
export function objectAt(text: string, start: number): FoundObject | undefined {
  const read = parseLoosely(text, start);
  return read && { start, end: read.end, json: read.value, cut: read.cut };
}
