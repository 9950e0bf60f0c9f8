import type { InputValue } from "@finality/tron/abi";
import { DEEPEST_JSON, jsonDepth, wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import {
  findNodeAtLocation,
  findNodeAtOffset,
  getLocation,
  getNodePath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { SourceValue, TextRange } from "./call-site.ts";

/** File suffix of call files. */
export const CALL_FILE_SUFFIX = ".finality.jsonc";

/**
 * One call of a call file. Missing fields are prompted for, or come from the file's network and the selected account.
 */
export interface CallFileCall {
  /** The whole entry. */
  readonly range: TextRange;
  readonly label: string | undefined;
  /** Address, or name of a contract in the workspace. */
  readonly contract: SourceValue & { readonly value: string };
  /** Name, or a signature if the name alone is ambiguous. */
  readonly method: SourceValue & { readonly value: string };
  readonly arguments: readonly SourceValue[];
  /** Name of the account: a call file never contains a key. */
  readonly caller: string | undefined;
  /** In sun. */
  readonly feeLimit: SourceValue | undefined;
  readonly callValue: SourceValue | undefined;
  readonly tokenId: SourceValue | undefined;
  readonly tokenValue: SourceValue | undefined;
  /** First value in the call or in the file's common fields that cannot be used. The call must not be made then. */
  readonly problem: string | undefined;
}

/** Problem in a call file: its location and the fix. */
interface CallFileProblem {
  readonly range: TextRange;
  readonly message: string;
}

export interface CallFile {
  /** Name of the network; `undefined` for the active one. */
  readonly network: (SourceValue & { readonly value: string }) | undefined;
  readonly calls: readonly CallFileCall[];
  readonly problems: readonly CallFileProblem[];
}

const FILE_KEYS = ["$schema", "network", "calls"];
const CALL_KEYS = [
  "label",
  "contract",
  "function",
  "arguments",
  "caller",
  "feeLimit",
  "callValue",
  "tokenId",
  "tokenValue",
];

/**
 * Reads a call file, `*.finality.jsonc`. Total: an incomplete file gives its complete calls and the problems of the
 * rest. An unreadable field is a problem of its call, never absent.
 */
export function readCallFile(text: string): CallFile {
  if (jsonDepth(text) > DEEPEST_JSON) return tooDeep(text);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const syntax = errors.map(syntaxProblem);
  if (root === undefined) return { network: undefined, calls: [], problems: syntax };
  const reader: CallFileReader = { text, problems: [] };
  const fields = readFields(reader, root, FILE_KEYS, t`A call file`);
  const network = readName(reader, fields.get("network"));
  const [ofFile] = reader.problems;
  const calls = readCalls(reader, fields.get("calls"));
  const problems = [...syntax, ...reader.problems];
  return {
    network,
    calls: calls.map((call) => ({ ...call, problem: (ofFile ?? problemWithin(call.range, problems))?.message })),
    problems,
  };
}

function syntaxProblem({ error, offset, length }: ParseError): CallFileProblem {
  const message = t`This is not JSON with comments: ${textOf(printParseErrorCode(error))}.`;
  return { range: { start: offset, end: offset + length }, message };
}

function problemWithin({ start, end }: TextRange, problems: readonly CallFileProblem[]): CallFileProblem | undefined {
  return problems.find(({ range }) => range.start >= start && range.start < end);
}

/** The parser is recursive, so files that are nested too deeply are refused before they are parsed. */
function tooDeep(text: string): CallFile {
  const range = { start: 0, end: Math.min(text.length, 1) };
  return { network: undefined, calls: [], problems: [{ range, message: nestedTooDeep() }] };
}

function nestedTooDeep(): string {
  return t`Brackets are nested more than ${DEEPEST_JSON} levels deep here, so the file was not read. Reduce the nesting.`;
}

interface CallFileReader {
  readonly text: string;
  readonly problems: CallFileProblem[];
}

type Fields = ReadonlyMap<string, Node>;

function readFields(reader: CallFileReader, node: Node, names: readonly string[], what: string): Fields {
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

/** Inputs of a call, without its target. */
export type SampleCall = Pick<CallFileCall, "arguments" | "caller" | "feeLimit" | "callValue" | "problem">;

const SAMPLE_KEYS = ["arguments", "caller", "feeLimit", "callValue"];

/** Parses the same fields from one object, as in a `@custom:estimate` tag. */
export function readSampleCall(text: string): SampleCall {
  if (jsonDepth(text) > DEEPEST_JSON) return noSample(nestedTooDeep());
  const errors: ParseError[] = [];
  const root = parseTree(text, errors);
  const [syntax] = errors.map(syntaxProblem);
  if (root === undefined || syntax !== undefined)
    return noSample(syntax?.message ?? t`A sample must be an object with ${SAMPLE_KEYS.join(", ")}.`);
  const reader: CallFileReader = { text, problems: [] };
  const sample = readSample(reader, readFields(reader, root, SAMPLE_KEYS, t`A sample`));
  return { ...sample, problem: reader.problems[0]?.message };
}

function noSample(problem: string): SampleCall {
  return { arguments: [], caller: undefined, feeLimit: undefined, callValue: undefined, problem };
}

function readSample(reader: CallFileReader, fields: Fields): Omit<SampleCall, "problem"> {
  return {
    arguments: readArguments(reader, fields.get("arguments")),
    caller: readName(reader, fields.get("caller"))?.value,
    feeLimit: readAmount(reader, fields.get("feeLimit"), inSun("feeLimit")),
    callValue: readAmount(reader, fields.get("callValue"), inSun("callValue")),
  };
}

type ReadCall = Omit<CallFileCall, "problem">;

function readCalls(reader: CallFileReader, node: Node | undefined): readonly ReadCall[] {
  if (node === undefined) return [];
  if (node.type !== "array") refuse(reader, node, t`"calls" must be a list: [ { "contract": …, "function": … } ].`);
  const items = node.type === "array" ? (node.children ?? []) : [];
  return items.map((item) => readCall(reader, item)).filter((call) => call !== undefined);
}

function readCall(reader: CallFileReader, node: Node): ReadCall | undefined {
  const fields = readFields(reader, node, CALL_KEYS, t`A call`);
  if (node.type !== "object") return undefined;
  const contract = readName(reader, fields.get("contract"));
  const method = readName(reader, fields.get("function"));
  if (contract === undefined || method === undefined) {
    const missing = contract === undefined ? t`"contract", an address or a name` : t`"function", a name or a signature`;
    refuse(reader, node, t`This call needs ${missing}.`);
    return undefined;
  }
  return {
    range: rangeOf(node),
    label: readName(reader, fields.get("label"))?.value,
    contract,
    method,
    ...readSample(reader, fields),
    tokenId: readAmount(reader, fields.get("tokenId"), t`Write tokenId as a whole number, such as 1000001.`),
    tokenValue: readAmount(
      reader,
      fields.get("tokenValue"),
      t`Write tokenValue as a whole number of the smallest units of the token.`,
    ),
  };
}

function readName(
  reader: CallFileReader,
  node: Node | undefined,
): (SourceValue & { readonly value: string }) | undefined {
  if (node === undefined) return undefined;
  const value: unknown = node.value;
  if (typeof value === "string" && value.trim() !== "") return { range: rangeOf(node), value };
  refuse(reader, node, t`Write a string in quotes here.`);
  return undefined;
}

function readArguments(reader: CallFileReader, node: Node | undefined): readonly SourceValue[] {
  if (node === undefined) return [];
  if (node.type !== "array")
    refuse(reader, node, t`"arguments" must be a list, in the order of the function's parameters.`);
  return (node.type === "array" ? (node.children ?? []) : []).map((item) => {
    const value = readJsonValue(reader, item);
    if (value === undefined)
      refuse(reader, item, t`An argument must be a whole number, a string, true, false, a list or an object.`);
    return { range: rangeOf(item), value };
  });
}

function inSun(name: string): string {
  return t`Write ${name} as a whole number of sun, such as 1500000 for 1.5 coins.`;
}

/**
 * Reads digits, quoted or not.
 *
 * @param form - sentence that explains the accepted form
 */
function readAmount(reader: CallFileReader, node: Node | undefined, form: string): SourceValue | undefined {
  if (node === undefined) return undefined;
  const written =
    node.type === "string" ? String(node.value) : reader.text.slice(node.offset, node.offset + node.length);
  const value = /^\d{1,19}$/.test(written) ? wholeNumberIn(written) : undefined;
  if (value === undefined) refuse(reader, node, form);
  return { range: rangeOf(node), value };
}

function readJsonValue(reader: CallFileReader, node: Node): InputValue | undefined {
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

function rangeOf({ offset, length }: Node): TextRange {
  return { start: offset, end: offset + length };
}

function refuse({ problems }: CallFileReader, node: Node, message: string): void {
  problems.push({ range: rangeOf(node), message });
}

/** `CommaExpected` as "comma expected". */
function textOf(code: string): string {
  return code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** Such as `["calls", 2, "function"]`. */
export type CallFilePath = readonly (string | number)[];

/** Location of a value in a call file. */
export interface CallFileLocation {
  readonly path: CallFilePath;
  /** Quoted text that typing replaces; `undefined` if there is none yet. */
  readonly replaced: TextRange | undefined;
}

/**
 * Returns the location of the value at an offset; `undefined` in a field name. Total: incomplete files have locations
 * too.
 */
export function callFileLocation(text: string, offset: number): CallFileLocation | undefined {
  const { path, isAtPropertyKey, previousNode: node } = getLocation(text, offset);
  if (isAtPropertyKey) return undefined;
  const isTyped = node?.type === "string" && node.offset + node.length >= offset;
  return { path, replaced: isTyped ? { start: node.offset, end: node.offset + node.length } : undefined };
}

/** Text, number or flag in a call file. */
export interface CallFileValue {
  readonly path: CallFilePath;
  readonly range: TextRange;
  readonly value: unknown;
}

/** Returns the value at an offset; `undefined` at field names, lists and objects. Total. */
export function callFileValueAt(text: string, offset: number): CallFileValue | undefined {
  const root = parseTree(text);
  const node = root && findNodeAtOffset(root, offset);
  if (node === undefined || node.type === "object" || node.type === "array" || node.type === "property")
    return undefined;
  if (node.parent?.type === "property" && node.parent.children?.[0] === node) return undefined;
  return { path: getNodePath(node), range: { start: node.offset, end: node.offset + node.length }, value: node.value };
}

/**
 * Returns the text at a path of a call file, even if the rest of the file is invalid; `undefined` if there is none.
 * Total.
 */
export function callFileTextAt(text: string, path: CallFilePath): string | undefined {
  const root = parseTree(text);
  const value: unknown = root && findNodeAtLocation(root, [...path])?.value;
  return typeof value === "string" ? value : undefined;
}
