import { type Address, bytesToHex, type Hex, type TxId } from "@finality/tron/primitives";
import {
  type AccountState,
  type BoundedPart,
  TRACE_VERSION,
  type Trace,
  type TraceFrame,
  type TraceSteps,
  type Truncation,
  type Word,
} from "@finality/tron/traces";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Ledger } from "../chain/ledger.ts";
import type { InternalTransaction } from "../chain/transaction.ts";
import { storageOf } from "../vm/frame.ts";
import { type CodeRun, messageOf } from "../vm/machine.ts";
import type { FrameRecord, InternalRecord, TraceRecorder } from "../vm/trace-recorder.ts";

/** Limits of a trace. */
export interface TraceLimits {
  /** Most entries of each list. */
  readonly entries: number;
  /** Most bytes of data and code. */
  readonly bytes: number;
}

/** Facts of a run that the recorder does not see. */
export interface RunFacts {
  readonly kind: Trace["kind"];
  readonly txId?: TxId;
  readonly blockNumber: number;
  /** Chain time in ms. */
  readonly blockTime: number;
  /** Sun. */
  readonly feeLimit: bigint;
  readonly energyPrice: bigint;
  readonly differences: readonly string[];
  /** State before and after the run. */
  readonly before: Ledger;
  readonly after: Ledger;
  /** Names of opcodes. */
  readonly opcodes: (opcode: number) => string;
}

/** Returns the trace of a recorded run. */
export function traceOf(recorder: TraceRecorder, run: CodeRun, facts: RunFacts, limits: TraceLimits): Trace {
  const { before, after, opcodes, ...rest } = facts;
  const bounds = new Bounds(limits);
  const outermost = recorder.frames[0];
  if (outermost !== undefined) completeOutermost(outermost, run);
  const codes = new CodeList(bounds);
  const frames = bounds.list("frames", framesOf(recorder.frames, codes, bounds));
  const isListed = ({ frame }: { readonly frame: number }): boolean => frame < frames.length;
  const steps = recorder.columns?.finish();
  bounds.note("steps", steps === undefined ? 0 : recorder.steps - steps.pc.length);
  return {
    version: TRACE_VERSION,
    ...rest,
    result: run.result,
    message: messageOf(run),
    energy: run.energy,
    penalty: run.machine.penalty,
    instructions: recorder.steps,
    frames,
    logs: bounds.list("logs", recorder.logs.filter(isListed)).map(({ log, ...entry }) => ({
      ...entry,
      address: log.address,
      topics: log.topics as readonly Word[],
      data: bounds.hex(log.data),
    })),
    writes: bounds
      .list("writes", recorder.writes.filter(isListed))
      .map(({ slot, before: old, after: now, ...entry }) => ({
        ...entry,
        slot: wordHex(slot),
        before: wordHex(old),
        after: wordHex(now),
      })),
    internals: bounds.list(
      "internals",
      internalsOf(recorder.internals, run.machine.internal.all).filter(
        ({ frame, starts = 0 }) => Math.max(frame, starts) < frames.length,
      ),
    ),
    accounts: bounds.list("accounts", [...recorder.accounts]).map((address) => {
      const [old, now] = [stateOf(before, address, bounds), stateOf(after, address, bounds)];
      return { address, ...(old && { before: old }), ...(now && { after: now }) };
    }),
    slots: bounds.list("slots", slotsOf(recorder, before, after)),
    codes: codes.all,
    opcodes: namesOf(steps, opcodes),
    ...(steps && {
      steps: frames.length < recorder.frames.length ? stepsWithin(steps, frames.length, bounds) : steps,
    }),
    truncated: bounds.truncated,
  };
}

const NO_ENERGY = {
  energyGiven: 0,
  energyUsed: 0,
  stipend: 0,
  energyOwn: 0,
  penalty: 0,
  energyForCode: 0,
  energyLost: 0,
  instructions: 0,
} as const;

/** Returns the trace of a transfer of coins, which runs no code. It has a frame without instructions, and no state. */
export function transferTrace(
  header: Pick<Trace, "kind" | "blockNumber" | "blockTime" | "feeLimit" | "result"> & { readonly txId: TxId },
  transfer: Pick<TraceFrame, "from" | "to" | "value">,
): Trace {
  const data = { input: NO_DATA, output: NO_DATA, isPrecompile: false, depth: 0, start: 0, end: 1 };
  const frame = { kind: "call", outcome: "returned", ...data, ...transfer, codeAddress: transfer.to } as const;
  const none = { logs: [], writes: [], internals: [], codes: [], accounts: [], slots: [], differences: [] };
  return {
    version: TRACE_VERSION,
    ...header,
    ...none,
    energyPrice: 0n,
    message: "",
    energy: 0,
    penalty: 0,
    instructions: 0,
    frames: [{ ...frame, ...NO_ENERGY }],
    opcodes: {},
    truncated: [],
  };
}

/** Sets what the machine settles after the outermost frame has ended: a deposit for code, or lost energy. */
function completeOutermost(record: FrameRecord, { energy, result, halt, output }: CodeRun): void {
  if (result === "SUCCESS" && record.kind === "create") record.energyForCode = energy - record.energyUsed;
  record.energyUsed = energy;
  if (halt === undefined) return;
  record.outcome = "halted";
  record.result = result;
  record.reason = halt.message;
  record.output = output;
}

/** Shares the limits among the parts of a trace, and notes what is left out. */
class Bounds {
  readonly #limits: TraceLimits;
  readonly #left = new Map<BoundedPart, number>();
  #bytes = 0;

  constructor(limits: TraceLimits) {
    this.#limits = limits;
  }

  get truncated(): readonly Truncation[] {
    return [...this.#left].map(([part, left]) => ({ part, left }));
  }

  note(part: BoundedPart, left: number): void {
    if (left > 0) this.#left.set(part, (this.#left.get(part) ?? 0) + left);
  }

  list<Item>(part: BoundedPart, items: readonly Item[]): readonly Item[] {
    const { entries } = this.#limits;
    this.note(part, items.length - entries);
    return items.length > entries ? items.slice(0, entries) : items;
  }

  /** Returns bytes, or nothing beyond the limit. */
  data(bytes: Uint8Array): Hex {
    return this.#takes(bytes.length) ? bytesToHex(bytes) : NO_DATA;
  }

  hex(digits: Hex): Hex {
    return this.#takes(digits.length / 2) ? digits : NO_DATA;
  }

  #takes(bytes: number): boolean {
    if (this.#bytes + bytes > this.#limits.bytes) {
      this.note("data", bytes);
      return false;
    }
    this.#bytes += bytes;
    return true;
  }
}

const NO_DATA = "" as Hex;

/** Codes that ran, each once. */
class CodeList {
  readonly all: { readonly hash: Word; readonly bytes: Hex }[] = [];
  readonly #indexes = new Map<Uint8Array, number>();
  readonly #bounds: Bounds;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  indexOf(code: Uint8Array): number {
    const known = this.#indexes.get(code);
    if (known !== undefined) return known;
    const hash = bytesToHex(keccak_256(code));
    const equal = this.all.findIndex((it) => it.hash === hash);
    const index = equal >= 0 ? equal : this.all.push({ hash, bytes: this.#bounds.data(code) }) - 1;
    this.#indexes.set(code, index);
    return index;
  }
}

/** Returns the frames with the energy that each lost: the rest of what it used. */
function framesOf(records: readonly FrameRecord[], codes: CodeList, bounds: Bounds): readonly TraceFrame[] {
  const passed = new Array<number>(records.length).fill(0);
  for (const { parent, energyUsed, stipend } of records) {
    if (parent !== undefined) passed[parent] = (passed[parent] ?? 0) + energyUsed - stipend;
  }
  return records.map((record, index) => {
    const { code, token, input, output, parent, callPc, callStep, lastPc, result, reason, ...rest } = record;
    const { energyUsed, energyOwn, energyForCode } = rest;
    return {
      ...rest,
      energyLost: energyUsed - energyOwn - energyForCode - (passed[index] ?? 0),
      input: bounds.data(input),
      output: bounds.data(output),
      ...(parent !== undefined && { parent }),
      ...(code !== undefined && { code: codes.indexOf(code) }),
      ...(token !== undefined && { tokenId: String(token.id), tokenValue: token.value }),
      ...(callPc !== undefined && { callPc }),
      ...(callStep !== undefined && { callStep }),
      ...(lastPc !== undefined && { lastPc }),
      ...(result !== undefined && { result }),
      ...(reason !== undefined && { reason }),
    };
  });
}

function internalsOf(records: readonly InternalRecord[], all: readonly InternalTransaction[]): Trace["internals"] {
  return [...records]
    .sort((a, b) => a.index - b.index)
    .flatMap(({ index, starts, ...entry }) => {
      const internal = all[index];
      if (internal === undefined) return [];
      const { note, from, to, value, tokens, rejected } = internal;
      const [token] = tokens ?? [];
      return {
        ...entry,
        note,
        from,
        ...(to && { to }),
        value,
        ...(token && { tokenId: token[0], tokenValue: token[1] }),
        isRejected: rejected,
        ...(starts !== undefined && { starts }),
      };
    });
}

function slotsOf({ slots }: TraceRecorder, before: Ledger, after: Ledger): Trace["slots"] {
  return [...slots].flatMap(([address, ofContract]) => {
    const [old, now] = [storageOf(before, address), storageOf(after, address)];
    return [...ofContract].map((slot) => ({
      address,
      slot: wordHex(slot),
      before: wordHex(before.row(old, slot) ?? 0n),
      after: wordHex(after.row(now, slot) ?? 0n),
    }));
  });
}

function stateOf(ledger: Ledger, address: Address, bounds: Bounds): AccountState | undefined {
  const account = ledger.account(address);
  if (account === undefined) return undefined;
  const code = ledger.contract(address)?.code;
  return { balance: account.balance, code: code === undefined ? NO_DATA : bounds.data(code) };
}

function namesOf(steps: TraceSteps | undefined, nameOf: (opcode: number) => string): Trace["opcodes"] {
  if (steps === undefined) return {};
  const seen = new Uint8Array(256);
  const opcodes = steps.opcode;
  // An iterator takes as long as the run itself.
  for (let step = 0; step < opcodes.length; step += 1) seen[opcodes[step] ?? 0] = 1;
  return Object.fromEntries(
    [...seen.keys()].filter((it) => seen[it] === 1).map((opcode) => [String(opcode), nameOf(opcode)]),
  );
}

/** Leaves out the steps from the first one of a frame that is not listed. */
function stepsWithin(steps: TraceSteps, frames: number, bounds: Bounds): TraceSteps {
  const end = steps.frame.findIndex((frame) => frame >= frames);
  if (end < 0) return steps;
  const { pc, opcode, frame, cost, stack, memory } = steps;
  bounds.note("steps", pc.length - end);
  const words = stack?.added.subarray(0, end).reduce((sum, count) => sum + count, 0);
  return {
    pc: pc.slice(0, end),
    opcode: opcode.slice(0, end),
    frame: frame.slice(0, end),
    cost: cost.slice(0, end),
    ...(stack && {
      stack: {
        removed: stack.removed.slice(0, end),
        added: stack.added.slice(0, end),
        words: stack.words.slice(0, words),
      },
    }),
    ...(memory && { memory: memory.filter(({ step }) => step < end) }),
  };
}

const WORD_DIGITS = 64;
const ZEROS = "0".repeat(WORD_DIGITS);
const SMALL_WORDS = 0x10000n;
/** Texts of small words, which many slots and values are. */
const smallWords: Word[] = [];

function wordHex(word: bigint): Word {
  if (word >= SMALL_WORDS) return padded(word);
  const index = Number(word);
  let text = smallWords[index];
  if (text === undefined) {
    text = padded(word);
    smallWords[index] = text;
  }
  return text;
}

function padded(word: bigint): Word {
  const digits = word.toString(16);
  return (ZEROS.slice(digits.length) + digits) as Word;
}
