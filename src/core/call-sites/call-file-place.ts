import { findNodeAtLocation, findNodeAtOffset, getLocation, getNodePath, parseTree } from "jsonc-parser";
import type { TextRange } from "./call-site.ts";

/** Such as `["calls", 2, "function"]`. */
export type CallFilePath = readonly (string | number)[];

/** Where in a call file somebody types a value. */
export interface CallFilePlace {
  readonly path: CallFilePath;
  /** The text in quotes that is typed over; `undefined` when there is none yet. */
  readonly replaced: TextRange | undefined;
}

/**
 * The place of a value at an offset; `undefined` where a name of a field stands. Total: half-typed files have places
 * too.
 */
export function callFilePlace(text: string, offset: number): CallFilePlace | undefined {
  const { path, isAtPropertyKey, previousNode: node } = getLocation(text, offset);
  if (isAtPropertyKey) return undefined;
  const isTyped = node?.type === "string" && node.offset + node.length >= offset;
  return { path, replaced: isTyped ? { start: node.offset, end: node.offset + node.length } : undefined };
}

/** A text, a number or a flag that stands in a call file. */
export interface CallFileValue {
  readonly path: CallFilePath;
  readonly range: TextRange;
  readonly value: unknown;
}

/** The value around an offset; `undefined` over names of fields, lists and objects. Total. */
export function callFileValueAt(text: string, offset: number): CallFileValue | undefined {
  const root = parseTree(text);
  const node = root && findNodeAtOffset(root, offset);
  if (node === undefined || node.type === "object" || node.type === "array" || node.type === "property")
    return undefined;
  if (node.parent?.type === "property" && node.parent.children?.[0] === node) return undefined;
  return { path: getNodePath(node), range: { start: node.offset, end: node.offset + node.length }, value: node.value };
}

/** The text at a path of a call file, whatever else of the file can be used; `undefined` when there is none. Total. */
export function callFileTextAt(text: string, path: CallFilePath): string | undefined {
  const root = parseTree(text);
  const value: unknown = root && findNodeAtLocation(root, [...path])?.value;
  return typeof value === "string" ? value : undefined;
}
