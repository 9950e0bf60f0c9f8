import { type AbiCandidate, type AbiIndex, type AbiParameter, type AbiValue, tryDecode } from "@finality/tron/abi";
import { coinsText, grouped, type NameOf, namesIn, shortAddress } from "@finality/tron/format";
import { type Address, type Hex, hexToBytes, sun, toBase58, visibleLine } from "@finality/tron/primitives";
import type { Trace, TraceFrame, TraceInternal, TraceLog, TraceWrite } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import { argumentList, readEvent } from "../explain/fields.ts";
import { revertTexts } from "../explain/messages/failures.ts";
import { movesValue, type TraceNode } from "./trace-tree.ts";

/** Names that a trace is shown with. */
export interface TraceNames {
  readonly nameOf: NameOf;
  /** Names of the functions, events and errors of the contract whose code runs at an address. */
  readonly abiOf: (address: Address) => AbiIndex;
  /** Name of that contract, such as `Leaf`, from its artifact. */
  readonly contractNameOf: (address: Address) => string | undefined;
  /** Variable of a storage slot, such as `balanceOf[Alice]`, and its values; undefined if it is not known. */
  readonly variableOf: (write: TraceWrite) => TraceVariable | undefined;
  /** Symbol of the coin of the network. */
  readonly symbol?: string | undefined;
}

/** State variable that a write changes. */
export interface TraceVariable {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Text of a node: what it does, and how it ended. */
export interface TraceLabel {
  readonly title: string;
  readonly result: string;
}

/** Call or result with the types of an ABI. */
export interface DecodedValues {
  readonly parameters: readonly AbiParameter[];
  readonly values: readonly AbiValue[];
}

const SELECTOR_DIGITS = 8;
/** Longest shown text of call data and of returned data. */
const LONG = 200;

/** Returns the label of a node. */
export function traceLabel(trace: Trace, node: TraceNode, names: TraceNames): TraceLabel {
  const { kind, index } = node;
  const { frames, logs, writes, internals } = trace;
  const [frame, log, write, internal] = [frames[index], logs[index], writes[index], internals[index]];
  if (kind === "frame" && frame !== undefined) return frameLabel(frame, names);
  if (kind === "event" && log !== undefined) return eventLabel(log, names);
  if (kind === "write" && write !== undefined) return writeLabel(write, names);
  if (kind === "transfer" && internal !== undefined) return transferLabel(internal, names);
  return { title: "", result: "" };
}

/** Returns the name of the contract whose code runs at an address. */
export function contractText(address: Address, { nameOf, contractNameOf }: TraceNames): string {
  const name = nameOf(address) ?? contractNameOf(address);
  return name === undefined ? shortAddress(address) : visibleLine(name, 60);
}

function frameLabel(frame: TraceFrame, names: TraceNames): TraceLabel {
  const value = valueText(frame, names);
  const sent = value === "" ? "" : ` {${value}}`;
  return { title: `${frameTitle(frame, names)}${sent}`, result: frameResult(frame, names) };
}

function frameTitle(frame: TraceFrame, names: TraceNames): string {
  const { kind, codeAddress, to, isPrecompile } = frame;
  if (kind === "create" || kind === "create2") return t`new ${contractText(to, names)}`;
  if (isPrecompile) return precompileName(codeAddress);
  const contract = contractText(codeAddress, names);
  return `${KINDS[kind]}${contract}.${functionText(frame, names)}`;
}

const KINDS: { readonly [K in Exclude<TraceFrame["kind"], "create" | "create2">]: string } = {
  call: "",
  static: "",
  delegate: "delegatecall ",
  callcode: "callcode ",
};

function functionText(frame: TraceFrame, { nameOf, abiOf }: TraceNames): string {
  const { input, codeAddress } = frame;
  const call = decodedCall(frame, abiOf(codeAddress));
  if (call !== undefined) return `${call.candidate.name}(${argumentList(call.parameters, call.values, nameOf)})`;
  if (frame.code === undefined) return t`(no code)`;
  if (input === "") return "receive()";
  if (input.length < SELECTOR_DIGITS) return `fallback(0x${input})`;
  const rest = input.slice(SELECTOR_DIGITS);
  return `0x${input.slice(0, SELECTOR_DIGITS)}(${shortHex(rest)})`;
}

/** Call data with the first function that fits it. */
export function decodedCall(
  { input, codeAddress }: TraceFrame,
  abi: AbiIndex,
): (DecodedValues & { readonly candidate: AbiCandidate }) | undefined {
  if (input.length < SELECTOR_DIGITS) return undefined;
  const bytes = hexToBytes(input).subarray(SELECTOR_DIGITS / 2);
  for (const candidate of abi.lookup(input.slice(0, SELECTOR_DIGITS), codeAddress)) {
    const values = candidate.kind === "function" ? tryDecode(candidate.parameters, bytes) : undefined;
    if (values !== undefined) return { candidate, parameters: candidate.parameters, values };
  }
  return undefined;
}

/** Returned data with the types of the function that was called. */
export function decodedResult({ input, output, codeAddress }: TraceFrame, abi: AbiIndex): DecodedValues | undefined {
  for (const { kind, outputs } of abi.lookup(input.slice(0, SELECTOR_DIGITS), codeAddress)) {
    const values = kind === "function" && outputs.length > 0 ? tryDecode(outputs, hexToBytes(output)) : undefined;
    if (values !== undefined) return { parameters: outputs, values };
  }
  return undefined;
}

function frameResult(frame: TraceFrame, names: TraceNames): string {
  const { outcome, kind, output, codeAddress, code } = frame;
  if (outcome === "returned") {
    if (kind === "create" || kind === "create2") return toBase58(frame.to);
    const returned = decodedResult(frame, names.abiOf(codeAddress));
    if (returned !== undefined) return argumentList(returned.parameters, returned.values, names.nameOf);
    return output === "" || code === undefined ? "" : shortHex(output);
  }
  return failureText(frame, names);
}

/** Returns why a frame failed: its error with arguments, or the result of the node. */
export function failureText(frame: TraceFrame, { abiOf, nameOf }: TraceNames): string {
  const { outcome, output, codeAddress, result = "", reason = "" } = frame;
  if (outcome === "reverted") {
    const { title } = revertTexts(hexToBytes(output), { abi: abiOf(codeAddress) }, codeAddress);
    return visibleLine(namesIn(title, nameOf), LONG);
  }
  const more = reason === "" || reason === result ? "" : `: ${visibleLine(reason, LONG)}`;
  return `${visibleLine(result, LONG)}${more}`;
}

/** Returns the coins and tokens that a frame sends; empty if it sends none. */
export function valueText(frame: TraceFrame, { symbol }: TraceNames): string {
  return movesValue(frame) ? amountsText(frame, symbol) : "";
}

type Amounts = Pick<TraceInternal, "value" | "tokenId" | "tokenValue">;

function amountsText({ value, tokenId = "", tokenValue = 0n }: Amounts, symbol: string | undefined): string {
  const coins = value > 0n ? [coinsText(sun(value), symbol)] : [];
  const tokens = tokenValue > 0n ? [t`${grouped(tokenValue)} units of token ${visibleLine(tokenId, 20)}`] : [];
  return [...coins, ...tokens].join(", ");
}

function eventLabel({ address, topics, data }: TraceLog, names: TraceNames): TraceLabel {
  const event = readEvent({ address, topics, data }, names.abiOf(address));
  const text =
    event === undefined
      ? t`event ${topics[0] === undefined ? t`without a name` : shortHex(topics[0])}`
      : `${event.name}(${argumentList(event.parameters, event.values, names.nameOf)})`;
  return { title: text, result: contractText(address, names) };
}

function writeLabel(write: TraceWrite, names: TraceNames): TraceLabel {
  const { slot, before, after, isTransient } = write;
  const variable = names.variableOf(write);
  const kind = isTransient ? t`transient slot` : t`slot`;
  const title = variable?.name ?? `${kind} ${shortWord(slot)}`;
  return {
    title: visibleLine(title, LONG),
    result: `${visibleLine(variable?.before ?? wordText(before), LONG)} → ${visibleLine(variable?.after ?? wordText(after), LONG)}`,
  };
}

function transferLabel(internal: TraceInternal, names: TraceNames): TraceLabel {
  const { note, from, to, isRejected } = internal;
  const amounts = amountsText(internal, names.symbol);
  const parties =
    to === undefined ? contractText(from, names) : `${contractText(from, names)} → ${contractText(to, names)}`;
  const text = [amounts, parties].filter((it) => it !== "").join(" · ");
  return { title: visibleLine(note, 60), result: isRejected ? t`${text} (reverted)` : text };
}

/** Formats a word as a number if it is small, else as hex. */
export function wordText(word: Hex): string {
  const digits = word.replace(/^0+/, "");
  return digits.length <= 16 ? grouped(BigInt(`0x${digits === "" ? "0" : digits}`)) : `0x${digits}`;
}

function shortWord(word: Hex): string {
  const digits = word.replace(/^0+/, "");
  if (digits.length <= 16) return `0x${digits === "" ? "0" : digits}`;
  return `0x${word.slice(0, 8)}…${word.slice(-8)}`;
}

function shortHex(data: string): string {
  if (data === "") return "";
  return data.length <= 64 ? `0x${data}` : `0x${data.slice(0, 32)}… (${grouped(data.length / 2)} B)`;
}

/** Precompiled contracts of the virtual machine, by the number in their address. */
const PRECOMPILES: { readonly [number: string]: string } = {
  "1": "ecrecover",
  "2": "sha256",
  "3": "ripemd160",
  "4": "identity",
  "5": "modexp",
  "6": "ecAdd",
  "7": "ecMul",
  "8": "ecPairing",
  "9": "batchvalidatesign",
  a: "validatemultisign",
};

function precompileName(address: Address): string {
  const number = address.slice(2).replace(/^0+/, "");
  return PRECOMPILES[number] ?? t`precompiled contract 0x${number}`;
}
