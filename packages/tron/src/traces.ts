import type { Address } from "./primitives/address.ts";
import type { Hex, TxId } from "./primitives/bytes.ts";
import type { Json, JsonObject } from "./primitives/json.ts";
import {
  address,
  type Fields,
  flag,
  hashOf,
  hex,
  integerText,
  listOf,
  matching,
  object,
  oneOf,
  type Read,
  ReadError,
  text,
  txId,
  wholeNumber,
} from "./primitives/read.ts";

/** Version of the JSON form of a trace, raised for each incompatible change. */
export const TRACE_VERSION = 1;

/** A word of 32 bytes, as 64 hex digits. */
export type Word = Hex;

/** Kind of a frame. A call with tokens is a `call`. */
export type FrameKind = "call" | "static" | "delegate" | "callcode" | "create" | "create2";

/**
 * End of a frame. A `cancelled` frame did not start: the balance did not suffice, or calls were nested too deeply; its
 * energy went back to the caller.
 */
export type FrameOutcome = "returned" | "reverted" | "halted" | "cancelled";

/**
 * One call or creation. The energy that a frame used is the sum of `energyOwn`, `energyForCode`, `energyLost`, and for
 * each frame below it `energyUsed` less `stipend`.
 */
export interface TraceFrame {
  readonly kind: FrameKind;
  readonly outcome: FrameOutcome;
  /** True for a precompiled contract, which has no instructions. */
  readonly isPrecompile: boolean;
  /** Index of the calling frame; absent for the outermost one. */
  readonly parent?: number;
  /** 0 for the outermost frame. */
  readonly depth: number;
  /** Positions among all entries of the trace: frames, logs, storage changes, internal transactions. */
  readonly start: number;
  readonly end: number;
  readonly from: Address;
  /** Account whose balance and storage the frame uses. */
  readonly to: Address;
  /** Account whose code runs; differs from `to` for delegate calls. */
  readonly codeAddress: Address;
  /** Index in `codes`; absent if no code ran. */
  readonly code?: number;
  /** Sun that were sent; for a delegate call those of the calling frame. */
  readonly value: bigint;
  /** Sent tokens, in their smallest unit. */
  readonly tokenId?: string;
  readonly tokenValue?: bigint;
  /** Call data; empty for a creation, whose code is in `codes`. */
  readonly input: Hex;
  /** Returned data, data of a revert, or the code of a new contract. */
  readonly output: Hex;
  /** Energy available to the frame, including the stipend. */
  readonly energyGiven: number;
  /** Energy used with all frames below it. */
  readonly energyUsed: number;
  /** Part of the given energy that the caller did not pay. */
  readonly stipend: number;
  /** Energy of its own instructions, with the surcharge; for a precompiled contract its price. */
  readonly energyOwn: number;
  /** Surcharge for a heavily used contract in `energyOwn`. */
  readonly penalty: number;
  /** Energy for storing the code of a new contract. */
  readonly energyForCode: number;
  /** Energy lost by a forced end. Negative if a failed transfer gave back the unpaid stipend of its call. */
  readonly energyLost: number;
  /** Number of its own instructions. */
  readonly instructions: number;
  /** Program counter and number of the instruction that called it; absent for the outermost one. */
  readonly callPc?: number;
  readonly callStep?: number;
  /** Program counter of the last instruction: where the frame ended or failed. Absent if no instruction ran. */
  readonly lastPc?: number;
  /** The node's result, such as `OUT_OF_ENERGY`, and its message; absent for a frame that returned. */
  readonly result?: string;
  readonly reason?: string;
}

/** Location of an entry in a trace. */
interface TraceEntry {
  /** Index of the frame. */
  readonly frame: number;
  /** Position among all entries of the trace. */
  readonly order: number;
  /** Program counter of the instruction. */
  readonly pc: number;
  /** Number of the instruction among all of the trace, from 0. */
  readonly step: number;
}

/** An event. It is also listed if its frame failed afterwards. */
export interface TraceLog extends TraceEntry {
  readonly address: Address;
  readonly topics: readonly Word[];
  readonly data: Hex;
}

/** A written storage slot. It is also listed if its frame failed afterwards, or if the value stayed the same. */
export interface TraceWrite extends TraceEntry {
  readonly address: Address;
  /** True for transient storage. */
  readonly isTransient: boolean;
  readonly slot: Word;
  readonly before: Word;
  readonly after: Word;
}

/** An internal transaction, in the order of the receipt. */
export interface TraceInternal extends TraceEntry {
  readonly note: string;
  readonly from: Address;
  readonly to?: Address;
  /** Sun. */
  readonly value: bigint;
  readonly tokenId?: string;
  readonly tokenValue?: bigint;
  readonly isRejected: boolean;
  /** Index of the frame that it started. */
  readonly starts?: number;
}

/** Code that ran. */
export interface TraceCode {
  /** Keccak-256 of the code. */
  readonly hash: Word;
  readonly bytes: Hex;
}

/** State of an account before or after the run. */
export interface AccountState {
  /** Sun. */
  readonly balance: bigint;
  /** Runtime code; empty for an account without code. */
  readonly code: Hex;
}

/** An account that the run read or changed. */
export interface TraceAccount {
  readonly address: Address;
  /** Absent if there was no account. */
  readonly before?: AccountState;
  readonly after?: AccountState;
}

/** A storage slot that the run read or wrote. */
export interface TraceSlot {
  readonly address: Address;
  readonly slot: Word;
  readonly before: Word;
  readonly after: Word;
}

/** Columns of the instructions, all of the same length. */
export interface TraceSteps {
  readonly pc: Uint32Array;
  readonly opcode: Uint8Array;
  /** Index of the frame. */
  readonly frame: Uint32Array;
  /** Energy of the instruction with its surcharge, without the energy passed to a callee. */
  readonly cost: Uint32Array;
  /** Present on request. */
  readonly stack?: TraceStack;
  /** Changes of memory; present on request. */
  readonly memory?: readonly MemoryChange[];
}

/** Changes of the stack. An instruction removes words, then adds others, the topmost last. */
export interface TraceStack {
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
  /** Added words of all instructions, as hex without leading zeros. */
  readonly words: readonly string[];
}

/** A change of memory by an instruction. */
export interface MemoryChange {
  readonly step: number;
  /** Size of the memory afterwards, in bytes. */
  readonly size: number;
  readonly offset: number;
  /** Empty if the memory only grew. */
  readonly data: Hex;
}

/** Parts of a trace that are bounded. */
export type BoundedPart = "frames" | "logs" | "writes" | "internals" | "accounts" | "slots" | "steps" | "data";

/** A part that reached its limit. */
export interface Truncation {
  readonly part: BoundedPart;
  /** Number of entries that are left out; for `data` the number of bytes. */
  readonly left: number;
}

/** Record of one run of code: an executed transaction, a constant call, or an estimate. */
export interface Trace {
  readonly version: typeof TRACE_VERSION;
  readonly kind: "transaction" | "call" | "estimate";
  /** Present for an executed transaction. */
  readonly txId?: TxId;
  /** Height and chain time in ms of the block that code reads. */
  readonly blockNumber: number;
  readonly blockTime: number;
  /** Sun; 0 if a call sets no limit. */
  readonly feeLimit: bigint;
  /** Sun for each energy. */
  readonly energyPrice: bigint;
  /** The node's result, such as `SUCCESS` or `REVERT`, and its message. */
  readonly result: string;
  readonly message: string;
  /** Energy of the receipt, including the penalty. */
  readonly energy: number;
  readonly penalty: number;
  /** Number of all instructions, also of those that are left out of `steps`. */
  readonly instructions: number;
  /** Fields of the receipt that the repeated run did not reproduce; empty if it is the same. */
  readonly differences: readonly string[];
  /** In the order of their start; the first one is the outermost. */
  readonly frames: readonly TraceFrame[];
  readonly logs: readonly TraceLog[];
  readonly writes: readonly TraceWrite[];
  readonly internals: readonly TraceInternal[];
  readonly codes: readonly TraceCode[];
  readonly accounts: readonly TraceAccount[];
  readonly slots: readonly TraceSlot[];
  /** Names of the opcodes in `steps`. */
  readonly opcodes: { readonly [opcode: string]: string };
  /** Present on request. */
  readonly steps?: TraceSteps;
  readonly truncated: readonly Truncation[];
}

/** Options of a trace request. All are optional in JSON. */
export interface TraceOptions {
  /** Lists the instructions; false by default. */
  readonly steps?: boolean;
  /** Adds the changes of stack and memory to the instructions; false by default. */
  readonly stack?: boolean;
  readonly memory?: boolean;
  /** Most listed instructions. */
  readonly maxSteps?: number;
  /** Most bytes of data, code and memory. */
  readonly maxBytes?: number;
}

/** Executed instructions of one code, for coverage. */
export interface CodeCoverage {
  readonly bytes: Hex;
  /** Program counters of executed instructions, ascending, and the number of executions of each. */
  readonly pcs: Uint32Array;
  readonly counts: Uint32Array;
  /** Taken jumps as triples: from, to, number. */
  readonly jumps: Uint32Array;
  /** Jump targets that were reached with the word 1 on the stack, as pairs: program counter, number. */
  readonly truths: Uint32Array;
}

/** Code that a chain ran since its coverage was started. */
export interface CoverageRecord {
  readonly version: typeof TRACE_VERSION;
  readonly codes: readonly CodeCoverage[];
  /** Number of codes that are left out, because there were too many. */
  readonly left: number;
}

/** A coverage record as plain JSON values; columns of numbers are base64 of little-endian bytes. */
export function coverageToJson({ version: formVersion, codes, left }: CoverageRecord): JsonObject {
  return {
    version: formVersion,
    left,
    codes: codes.map(({ bytes: code, pcs, counts, jumps, truths }) => ({
      bytes: code,
      pcs: base64(pcs),
      counts: base64(counts),
      jumps: base64(jumps),
      truths: base64(truths),
    })),
  };
}

export const readTraceOptions: Read<TraceOptions> = object(
  {},
  { steps: flag, stack: flag, memory: flag, maxSteps: wholeNumber, maxBytes: wholeNumber },
);

/** Returns the energy that is left in a frame before each instruction: a column as long as those of `steps`. */
export function energyBefore({ steps, frames }: Trace): Float64Array {
  const column = new Float64Array(steps?.pc.length ?? 0);
  if (steps === undefined) return column;
  const left = frames.map(({ energyGiven }) => energyGiven);
  const charges = new Map(frames.map(({ callStep, energyUsed, stipend }) => [callStep, energyUsed - stipend]));
  for (let step = 0; step < column.length; step += 1) {
    const frame = steps.frame[step] ?? 0;
    const before = left[frame] ?? 0;
    column[step] = before;
    left[frame] = before - (steps.cost[step] ?? 0) - (charges.get(step) ?? 0);
  }
  return column;
}

/**
 * Returns the stack before each instruction, the topmost word last, as hex without leading zeros. The callback must not
 * keep the list, which changes with the next instruction.
 */
export function eachStack({ steps }: Trace, visit: (step: number, stack: readonly string[]) => void): void {
  if (steps?.stack === undefined) return;
  const { removed, added, words } = steps.stack;
  const stacks = new Map<number, string[]>();
  let next = 0;
  for (let step = 0; step < steps.pc.length; step += 1) {
    const frame = steps.frame[step] ?? 0;
    const stack = stacks.get(frame) ?? [];
    stacks.set(frame, stack);
    visit(step, stack);
    stack.length -= removed[step] ?? 0;
    for (let count = added[step] ?? 0; count > 0; count -= 1) stack.push(words[next++] ?? "0");
  }
}

/** A trace as plain JSON values: amounts are decimal texts, and columns of numbers are base64 of little-endian bytes. */
export function traceToJson(trace: Trace): JsonObject {
  const { steps, ...rest } = trace;
  return { ...plain(rest), ...(steps && { steps: stepsToJson(steps) }) };
}

function plain(value: object): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, it]: [string, unknown]) => [name, plainValue(it)]));
}

function plainValue(value: unknown): Json {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === "object" && value !== null ? plain(value) : (value as Json);
}

function stepsToJson({ pc, opcode, frame, cost, stack, memory }: TraceSteps): JsonObject {
  return {
    pc: base64(pc),
    opcode: base64(opcode),
    frame: base64(frame),
    cost: base64(cost),
    ...(stack && { stack: { removed: base64(stack.removed), added: base64(stack.added), words: stack.words } }),
    ...(memory && { memory: memory.map(plain) }),
  };
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const bytes: Read<Uint8Array> = (value) => {
  if (typeof value !== "string" || !BASE64.test(value)) throw new ReadError("base64");
  return new Uint8Array(Buffer.from(value, "base64"));
};

const numbers: Read<Uint32Array> = (value) => {
  const read = bytes(value);
  if (read.length % 4 !== 0) throw new ReadError("base64");
  return new Uint32Array(read.buffer, read.byteOffset, read.length / 4);
};

const word: Read<Word> = hashOf<Word>();
const amount: Read<bigint> = integerText;
const tokens = { tokenId: text, tokenValue: amount } as const;
const entry = { frame: wholeNumber, order: wholeNumber, pc: wholeNumber, step: wholeNumber } as const;

const frameFields = {
  kind: oneOf("call", "static", "delegate", "callcode", "create", "create2"),
  outcome: oneOf("returned", "reverted", "halted", "cancelled"),
  isPrecompile: flag,
  depth: wholeNumber,
  start: wholeNumber,
  end: wholeNumber,
  from: address,
  to: address,
  codeAddress: address,
  value: amount,
  input: hex,
  output: hex,
  energyGiven: wholeNumber,
  energyUsed: wholeNumber,
  stipend: wholeNumber,
  energyOwn: wholeNumber,
  penalty: wholeNumber,
  energyForCode: wholeNumber,
  energyLost: wholeNumber,
  instructions: wholeNumber,
} satisfies Fields;

const frame: Read<TraceFrame> = object(frameFields, {
  parent: wholeNumber,
  code: wholeNumber,
  ...tokens,
  callPc: wholeNumber,
  callStep: wholeNumber,
  lastPc: wholeNumber,
  result: text,
  reason: text,
});

const log: Read<TraceLog> = object({ ...entry, address, topics: listOf(word), data: hex });
const write: Read<TraceWrite> = object({ ...entry, address, isTransient: flag, slot: word, before: word, after: word });
const internal: Read<TraceInternal> = object(
  { ...entry, note: text, from: address, value: amount, isRejected: flag },
  { to: address, ...tokens, starts: wholeNumber },
);
const accountState: Read<AccountState> = object({ balance: amount, code: hex });
const account: Read<TraceAccount> = object({ address }, { before: accountState, after: accountState });
const truncation: Read<Truncation> = object({
  part: oneOf("frames", "logs", "writes", "internals", "accounts", "slots", "steps", "data"),
  left: wholeNumber,
});
const opcodes: Read<Trace["opcodes"]> = (value) =>
  Object.fromEntries(listOf(opcodeName)(Object.entries(Object(value))));
const opcodeName: Read<readonly [string, string]> = (value) => {
  const [code, name] = listOf(text)(value);
  return [code ?? "", name ?? ""];
};

const shortWord = matching<string>(/^[0-9a-f]{1,64}$/, "hex");
const stepColumns = object(
  { pc: numbers, opcode: bytes, frame: numbers, cost: numbers },
  {
    stack: object({ removed: bytes, added: bytes, words: listOf(shortWord) }),
    memory: listOf(object({ step: wholeNumber, size: wholeNumber, offset: wholeNumber, data: hex })),
  },
);

const steps: Read<TraceSteps> = (value) => {
  const columns = stepColumns(value);
  const { pc, opcode, frame: frames, cost, stack } = columns;
  const lengths = [opcode, frames, cost, ...(stack ? [stack.removed, stack.added] : [])].map((it) => it.length);
  if (lengths.some((it) => it !== pc.length)) throw new ReadError("columns");
  return columns;
};

const version: Read<typeof TRACE_VERSION> = (value) => {
  if (value !== TRACE_VERSION) throw new ReadError(String(TRACE_VERSION));
  return TRACE_VERSION;
};

const traceFields: Read<Trace> = object(
  {
    version,
    kind: oneOf("transaction", "call", "estimate"),
    blockNumber: wholeNumber,
    blockTime: wholeNumber,
    feeLimit: amount,
    energyPrice: amount,
    result: text,
    message: text,
    energy: wholeNumber,
    penalty: wholeNumber,
    instructions: wholeNumber,
    differences: listOf(text),
    frames: listOf(frame),
    logs: listOf(log),
    writes: listOf(write),
    internals: listOf(internal),
    codes: listOf(object({ hash: word, bytes: hex })),
    accounts: listOf(account),
    slots: listOf(object({ address, slot: word, before: word, after: word })),
    opcodes,
    truncated: listOf(truncation),
  },
  { txId, steps },
);

/** Reads a trace of an untrusted source; its indexes are within the lists. @throws {ReadError} */
export const readTrace: Read<Trace> = (value) => {
  const trace = traceFields(value);
  const { frames, logs, writes, internals, codes, steps: columns } = trace;
  for (const [index, { parent = -1, code = -1 }] of frames.entries()) {
    if (parent >= index || (index > 0 && parent < 0) || code >= codes.length) throw new ReadError("frames");
  }
  const isBeyond = (index: number): boolean => index < 0 || index >= frames.length;
  const entries = [...logs, ...writes, ...internals];
  if (entries.some((it) => isBeyond(it.frame)) || columns?.frame.some(isBeyond) === true) throw new ReadError("frames");
  return trace;
};

const codeCoverage = object({ bytes: hex, pcs: numbers, counts: numbers, jumps: numbers, truths: numbers });

const PAIR = 2;
const TRIPLE = 3;

/** Reads a coverage record of an untrusted source. @throws {ReadError} */
export const readCoverage: Read<CoverageRecord> = object({
  version,
  left: wholeNumber,
  codes: listOf((value) => {
    const code = codeCoverage(value);
    const { pcs, counts, jumps, truths } = code;
    const isWhole = pcs.length === counts.length && jumps.length % TRIPLE === 0 && truths.length % PAIR === 0;
    if (!isWhole) throw new ReadError("columns");
    return code;
  }),
});
