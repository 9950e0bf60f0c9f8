import { getLocation } from "jsonc-parser";
import type { TextRange } from "./call-site.ts";

/** Where in a call file somebody types a value. */
export interface CallFilePlace {
  /** Such as `["calls", 2, "function"]`. */
  readonly path: readonly (string | number)[];
  /** The text in quotes that is typed over; `undefined` when there is none yet. */
  readonly replaced: TextRange | undefined;
}

/** The place of a value at an offset; `undefined` where a name of a field stands. Total: half-typed files have places too. */
export function callFilePlace(text: string, offset: number): CallFilePlace | undefined {
  const { path, isAtPropertyKey, previousNode: node } = getLocation(text, offset);
  if (isAtPropertyKey) return undefined;
  const isTyped = node?.type === "string" && node.offset + node.length >= offset;
  return { path, replaced: isTyped ? { start: node.offset, end: node.offset + node.length } : undefined };
}
