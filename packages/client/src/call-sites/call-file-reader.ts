import type { InputValue } from "@finality/tron/abi";
import { wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Node } from "jsonc-parser";
import type { SourceValue, TextRange } from "./call-site.ts";

/** Problem in a call file: its location and the fix. */
export interface CallFileProblem {
  readonly range: TextRange;
  readonly message: string;
}

/** Text of a call file, and the problems found in it so far. */
export interface CallFileReader {
  readonly text: string;
  readonly problems: CallFileProblem[];
}

/** Values of an object by their names. */
export type Fields = ReadonlyMap<string, Node>;

/**
 * Reads the known fields of an object. Reports unknown and repeated ones.
 *
 * @param what - Name of the object for messages, such as `A call`.
 */
export function readFields(reader: CallFileReader, node: Node, names: readonly string[], what: string): Fields {
  const fields = new Map<string, Node>();
  if (node.type !== "object") refuse(reader, node, t`${what} must be an object with ${names.join(", ")}.`);
  for (const { children: [key, value] = [] } of node.type === "object" ? (node.children ?? []) : []) {
    const name: unknown = key?.value;
    if (key === undefined || typeof name !== "string") continue;
    if (!names.includes(name)) refuse(reader, key, t`${what} has no "${name}". Allowed: ${names.join(", ")}.`);
    else if (value !== undefined) {
      if (fields.has(name)) refuse(reader, key, duplicateMessage(name));
      fields.set(name, value);
    }
  }
  return fields;
}

function duplicateMessage(name: string): string {
  return t`"${name}" occurs twice here. Remove one.`;
}

/** Reads a string that is not blank. */
export function readName(
  reader: CallFileReader,
  node: Node | undefined,
): (SourceValue & { readonly value: string }) | undefined {
  if (node === undefined) return undefined;
  const value: unknown = node.value;
  if (typeof value === "string" && value.trim() !== "") return { range: rangeOf(node), value };
  refuse(reader, node, t`Write a string in quotes here.`);
  return undefined;
}

/**
 * Reads digits, quoted or not.
 *
 * @param form - sentence that explains the accepted form
 */
export function readAmount(reader: CallFileReader, node: Node | undefined, form: string): SourceValue | undefined {
  if (node === undefined) return undefined;
  const written =
    node.type === "string" ? String(node.value) : reader.text.slice(node.offset, node.offset + node.length);
  const value = /^\d{1,19}$/.test(written) ? wholeNumberIn(written) : undefined;
  if (value === undefined) refuse(reader, node, form);
  return { range: rangeOf(node), value };
}

/** Reads a value with all digits of its numbers; undefined if it has a fraction or is `null`. */
export function readJsonValue(reader: CallFileReader, node: Node): InputValue | undefined {
  const value: unknown = node.value;
  if (node.type === "string" && typeof value === "string") return value;
  if (node.type === "boolean" && typeof value === "boolean") return value;
  if (node.type === "number") return integer(reader.text.slice(node.offset, node.offset + node.length));
  if (node.type === "array") return whole((node.children ?? []).map((item) => readJsonValue(reader, item)));
  return node.type === "object" ? readTuple(reader, node) : undefined;
}

function readTuple(reader: CallFileReader, node: Node): InputValue | undefined {
  const entries: [string, InputValue][] = [];
  for (const { children: [key, item] = [] } of node.children ?? []) {
    const value = item === undefined ? undefined : readJsonValue(reader, item);
    if (key === undefined || value === undefined) return undefined;
    const name = String(key.value);
    if (entries.some(([known]) => known === name)) refuse(reader, key, duplicateMessage(name));
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

function integer(written: string): bigint | undefined {
  const [, sign, digits] = /^(-?)(\d{1,100})$/.exec(written) ?? [];
  const value = digits === undefined ? undefined : wholeNumberIn(digits);
  return value !== undefined && sign === "-" ? -value : value;
}

function whole(items: readonly (InputValue | undefined)[]): readonly InputValue[] | undefined {
  const known = items.filter((item) => item !== undefined);
  return known.length === items.length ? known : undefined;
}

/** Returns the range of a node. */
export function rangeOf({ offset, length }: Node): TextRange {
  return { start: offset, end: offset + length };
}

/** Reports a problem at a node. */
export function refuse({ problems }: CallFileReader, node: Node, message: string): void {
  problems.push({ range: rangeOf(node), message });
}
