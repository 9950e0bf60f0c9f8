import { type AbiParameter, constructorOf, functionsOf, selectorOf, tryDecode } from "@finality/tron/abi";
import { type Address, hexToBytes, rawText } from "@finality/tron/primitives";
import { energyBefore, type Trace, type TraceFrame } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import { abiValues } from "./abi-values.ts";
import { constantValues } from "./constant-values.ts";
import { type DebugFrame, type DebugScope, type DebugValue, missingValue } from "./debug-value.ts";
import { localValues } from "./local-values.ts";
import { runIndex } from "./run-index.ts";
import type { SolidityType } from "./solidity-type.ts";
import { stateValues } from "./state-values.ts";
import { bytesValue, packedValue, wordValue } from "./word-value.ts";

const SELECTOR_DIGITS = 8;
const BYTES = { kind: "bytes", label: "bytes" } as const;
const ADDRESS = { kind: "address", label: "address" } as const;

/**
 * Returns the variables that a frame has before an instruction.
 *
 * @param step - Number of the instruction in the trace. For a function that called another one, its jump or call.
 */
export function scopesAt(frame: DebugFrame, step: number): readonly DebugScope[] {
  return [
    scope("locals", t`Locals`, () => localValues(frame, step)),
    scope("state", t`State`, () => [...stateValues(frame, step), ...constantValues(frame)]),
    scope("call-data", t`Call Data`, () => callDataValues(frame)),
    scope("return-data", t`Return Data`, () => returnDataValues(frame, step)),
    scope("global", t`Global`, () => globalValues(frame, step)),
  ];
}

function scope(kind: DebugScope["kind"], name: string, read: () => readonly DebugValue[]): DebugScope {
  let values: readonly DebugValue[] | undefined;
  return {
    kind,
    name,
    variables: () => {
      values ??= read();
      return values;
    },
  };
}

function callDataValues({ trace, frame, code }: DebugFrame): readonly DebugValue[] {
  const called = trace.frames[frame];
  if (called === undefined) return [];
  if (called.kind.startsWith("create"))
    return code === undefined ? [] : constructorValues(trace, called, code.compiled);
  const { input } = called;
  const data = bytesEntry("msg.data", BYTES, input);
  if (code === undefined || input.length < SELECTOR_DIGITS) return [data];
  const found = functionsOf(code.compiled.abi).find(
    ({ signature }) => selectorOf(signature) === input.slice(0, SELECTOR_DIGITS),
  );
  return found === undefined ? [data] : decoded(found.parameters, input.slice(SELECTOR_DIGITS));
}

/** Arguments of a constructor are behind the code. */
function constructorValues(
  { codes }: Trace,
  { code = -1 }: TraceFrame,
  compiled: NonNullable<DebugFrame["code"]>["compiled"],
): readonly DebugValue[] {
  const bytes = codes[code]?.bytes ?? "";
  return decoded(constructorOf(compiled.abi).parameters, bytes.slice(compiled.code.length));
}

function decoded(parameters: readonly AbiParameter[], digits: string): readonly DebugValue[] {
  const values = tryDecode(parameters, hexToBytes(digits));
  if (values !== undefined) return abiValues(parameters, values);
  const reason = t`the data do not fit the types`;
  return parameters.map(({ name, type }, at) => missingValue(rawText(name) || `[${at}]`, type.text, reason));
}

/** The data that the newest call of the frame returned. */
function returnDataValues({ trace, frame }: DebugFrame, step: number): readonly DebugValue[] {
  const last = trace.frames.findLast(({ parent, callStep = step }) => parent === frame && callStep < step);
  return last === undefined ? [] : [bytesEntry("returndata", BYTES, last.output)];
}

function globalValues({ trace, frame }: DebugFrame, step: number): readonly DebugValue[] {
  const { frames, blockNumber, blockTime } = trace;
  const [called, outermost] = [frames[frame], frames[0]];
  if (called === undefined || outermost === undefined) return [];
  const isCreation = called.kind.startsWith("create");
  const left = energyAt(trace, step);
  return [
    bytesEntry("msg.sender", ADDRESS, called.from.slice(2)),
    numberEntry("msg.value", called.value),
    ...(isCreation ? [] : [bytesEntry("msg.data", BYTES, called.input), selectorValue(called)]),
    numberEntry("msg.tokenid", BigInt(called.tokenId ?? 0)),
    numberEntry("msg.tokenvalue", called.tokenValue ?? 0n),
    bytesEntry("tx.origin", ADDRESS, outermost.from.slice(2)),
    numberEntry("block.number", BigInt(blockNumber)),
    numberEntry("block.timestamp", BigInt(Math.floor(blockTime / 1_000))),
    thisValue(trace, called.to),
    ...(left === undefined
      ? []
      : [numberEntry("energy.left", BigInt(left)), numberEntry("energy.used", BigInt(called.energyGiven - left))]),
  ];
}

function selectorValue({ input }: TraceFrame): DebugValue {
  const selector = { kind: "fixed-bytes", size: SELECTOR_DIGITS / 2, label: "bytes4" } as const;
  return bytesEntry("msg.sig", selector, input.slice(0, SELECTOR_DIGITS).padEnd(SELECTOR_DIGITS, "0"));
}

/** The contract; its balance is known if the run moved no coins. */
function thisValue({ frames, internals, accounts }: Trace, address: Address): DebugValue {
  const moved = [...frames, ...internals].some(({ value }) => value !== 0n);
  const balance = moved ? undefined : accounts.find((it) => it.address === address)?.before?.balance;
  const members = balance === undefined ? [] : [{ ...numberEntry("balance", balance), evaluateName: "this.balance" }];
  return { ...bytesEntry("this", ADDRESS, address.slice(2)), ...(members.length > 0 && { children: () => members }) };
}

const columns = new WeakMap<Trace, Float64Array>();

function energyAt(trace: Trace, step: number): number | undefined {
  const column = columns.get(trace) ?? energyBefore(trace);
  columns.set(trace, column);
  return column[step];
}

function bytesEntry(name: string, type: SolidityType, digits: string): DebugValue {
  const shown = packedValue(type, digits) ?? bytesValue(type, hexToBytes(digits));
  return { name, type: type.label, evaluateName: name, ...shown };
}

function numberEntry(name: string, value: bigint): DebugValue {
  const type = { kind: "uint", bits: 256, label: "uint256" } as const;
  return { name, type: type.label, evaluateName: name, ...(wordValue(type, value) ?? { text: `${value}` }) };
}

/** Makes the index of a run, which the first values would otherwise wait for. */
export function prepareValues(trace: Trace): void {
  const index = runIndex(trace);
  index.stack(0);
  index.memory(0);
  index.hashedBy("");
  energyAt(trace, 0);
}
