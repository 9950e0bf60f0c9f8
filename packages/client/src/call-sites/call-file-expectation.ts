import { t } from "@vscode/l10n";
import type { Node } from "jsonc-parser";
import {
  type CallFileReader,
  rangeOf,
  readAmount,
  readFields,
  readJsonValue,
  readName,
  refuse,
} from "./call-file-reader.ts";
import type { SourceValue, TextRange } from "./call-site.ts";

/** Expected outcome of a call. A call without `revert` has to succeed. */
export interface CallExpectation {
  readonly range: TextRange;
  readonly result: ExpectedValues | undefined;
  readonly revert: ExpectedRevert | undefined;
  /** In the order of the run; other events may be between them. An empty list: no event at all. */
  readonly events: { readonly range: TextRange; readonly items: readonly ExpectedEvent[] } | undefined;
  /** Energy. */
  readonly energyAtMost: (SourceValue & { readonly value: bigint }) | undefined;
}

/** Expected values: all of them in order, some of them by their names, or the only one. */
export interface ExpectedValues {
  readonly range: TextRange;
  readonly form: "list" | "named" | "single";
  readonly items: readonly (SourceValue & { readonly name: string | undefined })[];
}

/** Expected revert: any one, one with a text, or an error of the contract. */
export type ExpectedRevert =
  | { readonly kind: "any"; readonly range: TextRange }
  | { readonly kind: "text"; readonly range: TextRange; readonly text: string }
  | {
      readonly kind: "error";
      readonly range: TextRange;
      /** Name of the error. `Error` and `Panic` are those of Solidity. */
      readonly name: string;
      readonly arguments: ExpectedValues | undefined;
    };

/** Expected event. */
export interface ExpectedEvent {
  readonly range: TextRange;
  readonly name: string;
  /** Contract that emits it, by its name or address; undefined for any. */
  readonly contract: (SourceValue & { readonly value: string }) | undefined;
  readonly arguments: ExpectedValues | undefined;
}

const FIELDS = ["result", "revert", "events", "energyAtMost"];
const REVERT_FIELDS = ["error", "arguments"];
const EVENT_FIELDS = ["event", "contract", "arguments"];

/** Names of the fields of an expectation and its parts. */
export const EXPECTATION_KEYS: readonly string[] = [...FIELDS, ...REVERT_FIELDS, ...EVENT_FIELDS];

/** Reads the field `expect` of a call. Reports what cannot be read or contradicts itself. */
export function readExpectation(reader: CallFileReader, node: Node | undefined): CallExpectation | undefined {
  if (node === undefined) return undefined;
  const fields = readFields(reader, node, FIELDS, t`An expectation`);
  const revert = fields.get("revert");
  for (const name of ["result", "events"]) {
    const other = fields.get(name);
    if (revert !== undefined && other !== undefined)
      refuse(reader, other, t`A call that reverts has no ${name}. Remove "revert" or "${name}".`);
  }
  return {
    range: rangeOf(node),
    result: readValues(reader, fields.get("result")),
    revert: readRevert(reader, revert),
    events: readEvents(reader, fields.get("events")),
    energyAtMost: readEnergy(reader, fields.get("energyAtMost")),
  };
}

function readEnergy(reader: CallFileReader, node: Node | undefined): CallExpectation["energyAtMost"] {
  const amount = readAmount(reader, node, t`Write energyAtMost as a whole number, such as 30000.`);
  return typeof amount?.value === "bigint" ? { range: amount.range, value: amount.value } : undefined;
}

function readRevert(reader: CallFileReader, node: Node | undefined): ExpectedRevert | undefined {
  if (node === undefined) return undefined;
  const range = rangeOf(node);
  if (node.value === true) return { kind: "any", range };
  if (typeof node.value === "string") return { kind: "text", range, text: node.value };
  if (node.type !== "object") {
    refuse(reader, node, t`Write true, the text of the revert, or { "error": …, "arguments": … }.`);
    return undefined;
  }
  const fields = readFields(reader, node, REVERT_FIELDS, t`An expected revert`);
  const name = readName(reader, fields.get("error"))?.value;
  if (name === undefined) refuse(reader, node, t`This revert needs "error", the name of an error.`);
  const expected = readValues(reader, fields.get("arguments"));
  return name === undefined ? undefined : { kind: "error", range, name, arguments: expected };
}

function readEvents(reader: CallFileReader, node: Node | undefined): CallExpectation["events"] {
  if (node === undefined) return undefined;
  if (node.type !== "array") refuse(reader, node, t`"events" must be a list: [ { "event": …, "arguments": … } ].`);
  const items = node.type === "array" ? (node.children ?? []) : [];
  return { range: rangeOf(node), items: items.flatMap((item) => readEvent(reader, item) ?? []) };
}

function readEvent(reader: CallFileReader, node: Node): ExpectedEvent | undefined {
  const fields = readFields(reader, node, EVENT_FIELDS, t`An expected event`);
  if (node.type !== "object") return undefined;
  const name = readName(reader, fields.get("event"))?.value;
  if (name === undefined) {
    refuse(reader, node, t`This event needs "event", the name of an event.`);
    return undefined;
  }
  return {
    range: rangeOf(node),
    name,
    contract: readName(reader, fields.get("contract")),
    arguments: readValues(reader, fields.get("arguments")),
  };
}

function readValues(reader: CallFileReader, node: Node | undefined): ExpectedValues | undefined {
  if (node === undefined) return undefined;
  const range = rangeOf(node);
  const read = (item: Node, name?: string): ExpectedValues["items"][number] => {
    const value = readJsonValue(reader, item);
    if (value === undefined)
      refuse(reader, item, t`A value must be a whole number, a string, true, false, a list or an object.`);
    return { range: rangeOf(item), value, name };
  };
  if (node.type === "array") return { range, form: "list", items: (node.children ?? []).map((item) => read(item)) };
  if (node.type !== "object") return { range, form: "single", items: [read(node)] };
  const items = (node.children ?? []).flatMap(({ children: [key, item] = [] }) =>
    key === undefined || item === undefined ? [] : [read(item, String(key.value))],
  );
  return { range, form: "named", items };
}
