import { DEEPEST_JSON, jsonDepth } from "@finality/tron/primitives";
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
import { type CallExpectation, EXPECTATION_KEYS, readExpectation } from "./call-file-expectation.ts";
import {
  type CallFileProblem,
  type CallFileReader,
  type Fields,
  rangeOf,
  readAmount,
  readFields,
  readJsonValue,
  readName,
  refuse,
} from "./call-file-reader.ts";
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
  /** Expected outcome; a call that has one is a test. */
  readonly expect: CallExpectation | undefined;
  /** First value in the call or in the file's common fields that cannot be used. The call must not be made then. */
  readonly problem: string | undefined;
}

/** Deployment in the setup of a call file. */
export interface CallFileDeployment {
  readonly range: TextRange;
  /** Name of an artifact. */
  readonly deploy: SourceValue & { readonly value: string };
  /** Name of the deployed contract in the file; by default that of its artifact. */
  readonly name: string | undefined;
  readonly arguments: readonly SourceValue[];
  readonly caller: string | undefined;
  readonly feeLimit: SourceValue | undefined;
  readonly callValue: SourceValue | undefined;
  readonly problem: string | undefined;
}

export interface CallFile {
  /** Name of the network; `undefined` for the active one. */
  readonly network: (SourceValue & { readonly value: string }) | undefined;
  /** Deployments and calls that the embedded chain executes before the calls. */
  readonly setup: readonly (CallFileCall | CallFileDeployment)[];
  readonly calls: readonly CallFileCall[];
  readonly problems: readonly CallFileProblem[];
}

const FILE_KEYS = ["$schema", "network", "setup", "calls"];
const STEP_KEYS = ["contract", "function", "arguments", "caller", "feeLimit", "callValue", "tokenId", "tokenValue"];
const CALL_KEYS = ["label", ...STEP_KEYS, "expect"];
const DEPLOYMENT_KEYS = ["deploy", "name", "arguments", "caller", "feeLimit", "callValue"];

/** Names of all fields of a call file. */
export const CALL_FILE_KEYS: ReadonlySet<string> = new Set([
  ...FILE_KEYS,
  ...CALL_KEYS,
  ...DEPLOYMENT_KEYS,
  ...EXPECTATION_KEYS,
]);

/**
 * Reads a call file, `*.finality.jsonc`. Total: an incomplete file gives its complete calls and the problems of the
 * rest. An unreadable field is a problem of its call, never absent.
 */
export function readCallFile(text: string): CallFile {
  if (jsonDepth(text) > DEEPEST_JSON) return tooDeep(text);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const syntax = errors.map(syntaxProblem);
  if (root === undefined) return { network: undefined, setup: [], calls: [], problems: syntax };
  const reader: CallFileReader = { text, problems: [] };
  const fields = readFields(reader, root, FILE_KEYS, t`A call file`);
  const network = readName(reader, fields.get("network"));
  const [ofFile] = reader.problems;
  const setup = readSetup(reader, fields.get("setup"));
  const calls = readCalls(reader, fields.get("calls"));
  const problems = [...syntax, ...reader.problems];
  const withProblem = <T extends { readonly range: TextRange }>(call: T) => ({
    ...call,
    problem: (ofFile ?? problemWithin(call.range, problems))?.message,
  });
  return { network, setup: setup.map(withProblem), calls: calls.map(withProblem), problems };
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
  return { network: undefined, setup: [], calls: [], problems: [{ range, message: nestedTooDeep() }] };
}

function nestedTooDeep(): string {
  return t`Brackets are nested more than ${DEEPEST_JSON} levels deep here, so the file was not read. Reduce the nesting.`;
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
type ReadDeployment = Omit<CallFileDeployment, "problem">;

function readSetup(reader: CallFileReader, node: Node | undefined): readonly (ReadCall | ReadDeployment)[] {
  if (node === undefined) return [];
  if (node.type !== "array")
    refuse(reader, node, t`"setup" must be a list: [ { "deploy": … }, { "contract": …, "function": … } ].`);
  const items = node.type === "array" ? (node.children ?? []) : [];
  return items.flatMap((item) => {
    const isDeployment = findNodeAtLocation(item, ["deploy"]) !== undefined;
    return (isDeployment ? readDeployment(reader, item) : readCall(reader, item, STEP_KEYS)) ?? [];
  });
}

function readDeployment(reader: CallFileReader, node: Node): ReadDeployment | undefined {
  const fields = readFields(reader, node, DEPLOYMENT_KEYS, t`A deployment`);
  const deploy = readName(reader, fields.get("deploy"));
  if (deploy === undefined) return undefined;
  const name = readName(reader, fields.get("name"))?.value;
  return { range: rangeOf(node), deploy, name, ...readSample(reader, fields) };
}

function readCalls(reader: CallFileReader, node: Node | undefined): readonly ReadCall[] {
  if (node === undefined) return [];
  if (node.type !== "array") refuse(reader, node, t`"calls" must be a list: [ { "contract": …, "function": … } ].`);
  const items = node.type === "array" ? (node.children ?? []) : [];
  return items.map((item) => readCall(reader, item, CALL_KEYS)).filter((call) => call !== undefined);
}

function readCall(reader: CallFileReader, node: Node, keys: readonly string[]): ReadCall | undefined {
  const fields = readFields(reader, node, keys, t`A call`);
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
    expect: readExpectation(reader, fields.get("expect")),
  };
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
