import type { Address, Hex, Json, JsonObject } from "@finality/tron/primitives";
import {
  type AccountState,
  eachStack,
  energyBefore,
  type Trace,
  type TraceAccount,
  type TraceFrame,
  type TraceLog,
} from "@finality/tron/traces";
import { revertReason } from "./call-methods.ts";

/** Options of `callTracer`. */
export interface CallTracerOptions {
  readonly withLog: boolean;
  readonly onlyTopCall: boolean;
}

const TYPES: { readonly [kind in TraceFrame["kind"]]: string } = {
  call: "CALL",
  static: "STATICCALL",
  delegate: "DELEGATECALL",
  callcode: "CALLCODE",
  create: "CREATE",
  create2: "CREATE2",
};

/** Errors of other nodes for the results of this one. */
const ERRORS: { readonly [result: string]: string } = {
  REVERT: "execution reverted",
  OUT_OF_ENERGY: "out of gas",
  BAD_JUMP_DESTINATION: "invalid jump destination",
  STACK_TOO_SMALL: "stack underflow",
  STACK_TOO_LARGE: "stack limit reached 1024",
  ILLEGAL_OPERATION: "invalid opcode",
};

/** Most nested calls of the chain. */
const MOST_NESTED = 64;

/** Prints the calls as `callTracer` does. Energy is gas, and amounts are in sun. */
export function callTree(trace: Trace, options: CallTracerOptions): JsonObject {
  return printFrame(new FrameIndex(trace), 0, options);
}

/** Entries of a trace by frame. */
class FrameIndex {
  readonly trace: Trace;
  /** Frames, and the beneficiaries of contracts that ended, by calling frame. */
  readonly children = new Map<number, { readonly order: number; print(options: CallTracerOptions): JsonObject }[]>();
  readonly logs = new Map<number, TraceLog[]>();

  constructor(trace: Trace) {
    this.trace = trace;
    for (const [index, { parent, start }] of trace.frames.entries()) {
      if (parent === undefined) continue;
      this.#add(parent, { order: start, print: (options) => printFrame(this, index, options) });
    }
    for (const internal of trace.internals) {
      if (internal.note !== "suicide") continue;
      const { from, to = from, value, frame, order } = internal;
      const printed = { type: "SELFDESTRUCT", from: short(from), to: short(to), value: quantity(value) };
      this.#add(frame, { order, print: () => ({ ...printed, gas: "0x0", gasUsed: "0x0", input: "0x" }) });
    }
    for (const list of this.children.values()) list.sort((a, b) => a.order - b.order);
    for (const log of trace.logs) this.logs.set(log.frame, [...(this.logs.get(log.frame) ?? []), log]);
  }

  #add(frame: number, child: { readonly order: number; print(options: CallTracerOptions): JsonObject }): void {
    const list = this.children.get(frame);
    if (list === undefined) this.children.set(frame, [child]);
    else list.push(child);
  }

  /** Returns whether a frame and all that called it returned. */
  isKept(index: number): boolean {
    const frame = this.trace.frames[index];
    if (frame === undefined || frame.outcome !== "returned") return false;
    return frame.parent === undefined || this.isKept(frame.parent);
  }
}

function printFrame(index: FrameIndex, at: number, options: CallTracerOptions): JsonObject {
  const frame = index.trace.frames[at];
  if (frame === undefined) return {};
  const { kind, value, tokenId, tokenValue, parent } = frame;
  const children = index.children.get(at) ?? [];
  const logs = options.withLog && index.isKept(at) ? (index.logs.get(at) ?? []) : [];
  return {
    from: short(kind === "delegate" ? (index.trace.frames[parent ?? 0]?.to ?? frame.from) : frame.from),
    gas: quantity(frame.energyGiven),
    gasUsed: quantity(frame.energyUsed),
    to: short(kind === "callcode" ? frame.codeAddress : kind === "delegate" ? frame.codeAddress : frame.to),
    input: dataOf(inputOf(index.trace, frame)),
    ...(frame.output !== "" && { output: dataOf(frame.output) }),
    ...errorOf(frame),
    ...(!options.onlyTopCall && children.length > 0 && { calls: children.map((it) => it.print(options)) }),
    ...(logs.length > 0 && { logs: logs.map((log) => printLog(index.trace, log, children)) }),
    ...(kind !== "static" && { value: quantity(value) }),
    ...(tokenId !== undefined && { tokenId, tokenValue: quantity(tokenValue ?? 0n) }),
    type: TYPES[kind],
  };
}

function inputOf({ codes }: Trace, { kind, code, input }: TraceFrame): Hex {
  return kind === "create" || kind === "create2" ? (codes[code ?? -1]?.bytes ?? input) : input;
}

/** Returns the error of a failed frame, and the reason of `Error(string)`. */
function errorOf({ outcome, result, reason, output, depth }: TraceFrame): JsonObject {
  if (outcome === "returned") return {};
  if (outcome === "cancelled")
    return { error: depth > MOST_NESTED ? "max call depth exceeded" : "insufficient balance for transfer" };
  const text = outcome === "reverted" ? revertReason(Buffer.from(output, "hex")) : undefined;
  return { error: ERRORS[result ?? ""] ?? reason ?? result ?? "execution failed", ...(text && { revertReason: text }) };
}

function printLog({ logs }: Trace, log: TraceLog, children: readonly { readonly order: number }[]): JsonObject {
  return {
    address: short(log.address),
    topics: log.topics.map(dataOf),
    data: dataOf(log.data),
    index: quantity(logs.indexOf(log)),
    position: quantity(children.filter(({ order }) => order < log.order).length),
  };
}

/** Prints the state that a run read: as `prestateTracer` does. */
export function stateBefore({ accounts, slots }: Trace): JsonObject {
  return Object.fromEntries(
    accounts.map(({ address, before }) => {
      const own = slots.filter((it) => it.address === address);
      const storage = Object.fromEntries(own.map((it) => [dataOf(it.slot), dataOf(it.before)]));
      return [short(address), { ...printState(before), ...(own.length > 0 && { storage }) }];
    }),
  );
}

function printState(state: AccountState | undefined): JsonObject {
  if (state === undefined) return { balance: "0x0" };
  return { balance: quantity(state.balance), ...(state.code !== "" && { code: dataOf(state.code) }) };
}

/** Prints the changed state before and after a run: as `prestateTracer` does in `diffMode`. */
export function stateChanges({ accounts, slots }: Trace): JsonObject {
  const pre: { [address: string]: Json } = {};
  const post: { [address: string]: Json } = {};
  for (const account of accounts) {
    const own = slots.filter((it) => it.address === account.address && it.before !== it.after);
    const change = changeOf(account, own);
    if (change === undefined) continue;
    if (account.before !== undefined) pre[short(account.address)] = change.pre;
    if (account.after !== undefined) post[short(account.address)] = change.post;
  }
  return { pre, post };
}

const ZERO = "0".repeat(64);

function changeOf(
  { before, after }: TraceAccount,
  slots: Trace["slots"],
): { readonly pre: JsonObject; readonly post: JsonObject } | undefined {
  const isSame = before?.balance === after?.balance && before?.code === after?.code;
  if (isSame && slots.length === 0) return undefined;
  const words = (side: "before" | "after"): JsonObject => {
    const entries = slots.filter((it) => it[side] !== ZERO).map((it) => [dataOf(it.slot), dataOf(it[side])]);
    return entries.length === 0 ? {} : { storage: Object.fromEntries(entries) as JsonObject };
  };
  const changed = {
    ...(after && before?.balance !== after.balance && { balance: quantity(after.balance) }),
    ...(after && (before?.code ?? "") !== after.code && { code: dataOf(after.code) }),
  };
  return { pre: { ...printState(before), ...words("before") }, post: { ...changed, ...words("after") } };
}

/** Options of struct logs. */
export interface StructLogOptions {
  readonly stack: boolean;
  readonly memory: boolean;
  readonly storage: boolean;
}

/** Names of opcodes that other nodes call differently. */
const NAMES: { readonly [name: string]: string } = { SHA3: "KECCAK256", SUICIDE: "SELFDESTRUCT" };

/** Prints the instructions as struct logs. */
export function structLogs(trace: Trace, options: StructLogOptions): JsonObject {
  const [outermost] = trace.frames;
  const failed = trace.result !== "SUCCESS";
  const logs: JsonObject[] = [];
  const storage = new Map<Address, { [slot: string]: string }>();
  eachStep(trace, ({ frame, stack, memory, isLast, ...step }) => {
    const { depth, outcome } = frame;
    const words = options.storage ? touchedWords(storage, { ...step, frame, stack, memory, isLast }) : undefined;
    logs.push({
      pc: step.pc,
      op: step.op,
      gas: step.gas,
      gasCost: step.gasCost,
      depth: depth + 1,
      ...(options.stack && { stack: stack.map((it) => `0x${it}`) }),
      ...(options.memory && { memory: chunksOf(memory) }),
      ...(words && { storage: words }),
      ...(isLast && outcome === "halted" && errorOf(frame)),
    });
  });
  return {
    gas: trace.energy,
    failed,
    returnValue: dataOf(outermost?.output ?? ""),
    structLogs: logs,
  };
}

/** Prints the instructions in the lines of EIP-3155, as objects, and the summary. */
export function eip3155(trace: Trace): readonly JsonObject[] {
  const lines: JsonObject[] = [];
  eachStep(trace, ({ pc, opcode, op, gas, gasCost, stack, memory, frame, isLast }) => {
    lines.push({
      pc,
      op: opcode,
      gas: quantity(gas),
      gasCost: quantity(gasCost),
      memSize: memory.length,
      stack: stack.map((it) => `0x${it}`),
      depth: frame.depth + 1,
      refund: 0,
      opName: op,
      ...(isLast && frame.outcome === "halted" && errorOf(frame)),
    });
  });
  const [outermost] = trace.frames;
  const summary = { output: dataOf(outermost?.output ?? ""), gasUsed: quantity(trace.energy) };
  return [...lines, { ...summary, ...(outermost && errorOf(outermost)) }];
}

/** An instruction with the state before it. */
interface StepView {
  readonly pc: number;
  readonly opcode: number;
  readonly op: string;
  /** Energy left, and energy charged with that for a callee. */
  readonly gas: number;
  readonly gasCost: number;
  readonly frame: TraceFrame;
  readonly stack: readonly string[];
  readonly memory: Uint8Array;
  /** Word that an SLOAD pushed. */
  readonly stored: string | undefined;
  /** True for the last instruction of its frame. */
  readonly isLast: boolean;
}

const SLOAD = "SLOAD";

/** Visits the instructions of a trace with stack and memory. */
function eachStep(trace: Trace, visit: (step: StepView) => void): void {
  const { steps, frames, opcodes } = trace;
  if (steps === undefined) return;
  const left = energyBefore(trace);
  const memories = new MemoryViews(trace);
  const passed = new Map(frames.map((it) => [it.callStep, it.energyGiven - it.stipend]));
  const last = new Map<number, number>();
  for (const [step, frame] of steps.frame.entries()) last.set(frame, step);
  let nextWord = 0;
  eachStack(trace, (step, stack) => {
    const index = steps.frame[step] ?? 0;
    const frame = frames[index];
    if (frame === undefined) return;
    const opcode = steps.opcode[step] ?? 0;
    const name = opcodes[opcode] ?? "INVALID";
    visit({
      pc: steps.pc[step] ?? 0,
      opcode,
      op: NAMES[name] ?? name,
      gas: left[step] ?? 0,
      gasCost: (steps.cost[step] ?? 0) + (passed.get(step) ?? 0),
      frame,
      stack,
      memory: memories.before(step, index),
      stored: name === SLOAD ? steps.stack?.words[nextWord] : undefined,
      isLast: last.get(index) === step,
    });
    nextWord += steps.stack?.added[step] ?? 0;
  });
}

/** Memory of the frames while their instructions are visited in order. */
class MemoryViews {
  readonly #memories = new Map<number, Uint8Array>();
  readonly #changes: NonNullable<NonNullable<Trace["steps"]>["memory"]>;
  readonly #steps: Trace["steps"];
  #next = 0;

  constructor({ steps }: Trace) {
    this.#steps = steps;
    this.#changes = steps?.memory ?? [];
  }

  /** Returns the memory of a frame before a step. */
  before(step: number, frame: number): Uint8Array {
    for (let change = this.#changes[this.#next]; change !== undefined && change.step < step; ) {
      const owner = this.#steps?.frame[change.step] ?? 0;
      this.#memories.set(owner, changed(this.#memories.get(owner) ?? new Uint8Array(), change));
      this.#next += 1;
      change = this.#changes[this.#next];
    }
    return this.#memories.get(frame) ?? new Uint8Array();
  }
}

function changed(
  memory: Uint8Array,
  { size, offset, data }: { readonly size: number; readonly offset: number; readonly data: Hex },
): Uint8Array {
  const grown = memory.length >= size ? memory : Buffer.concat([memory, new Uint8Array(size - memory.length)]);
  grown.set(Buffer.from(data, "hex"), offset);
  return grown;
}

/** Returns the words of a contract that were read or written up to an SLOAD or SSTORE; undefined at other opcodes. */
function touchedWords(
  storage: Map<Address, { [slot: string]: string }>,
  { op, frame, stack, stored }: StepView,
): JsonObject | undefined {
  if (op !== SLOAD && op !== "SSTORE") return undefined;
  const words = storage.get(frame.to) ?? {};
  storage.set(frame.to, words);
  const value = op === SLOAD ? stored : stack.at(-2);
  words[word(stack.at(-1) ?? "0")] = word(value ?? "0");
  return { ...words };
}

function chunksOf(memory: Uint8Array): readonly string[] {
  const digits = Buffer.from(memory).toString("hex");
  return (digits.match(/.{64}/g) ?? []).map((it) => `0x${it}`);
}

function word(digits: string): string {
  return `0x${digits.padStart(64, "0")}`;
}

function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

function dataOf(digits: string): string {
  return `0x${digits}`;
}

/** Returns an address in 20 bytes without the prefix 41. */
function short(address: Address): string {
  return `0x${address.slice(2)}`;
}
