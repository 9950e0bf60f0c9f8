import type { Address } from "@finality/tron/primitives";
import type { FrameKind, FrameOutcome } from "@finality/tron/traces";
import { create2ContractAddress, createdContractAddress } from "@finality/tron/transaction";
import { Halt, illegalOperation, invalidCode, notEnoughFor, outOfTime } from "../chain/halt.ts";
import { tokenBalance } from "../chain/ledger.ts";
import type { ContractLog } from "../chain/transaction.ts";
import { isForbidden, MAX_DEPTH, precompileAt } from "./call-operations.ts";
import { CODE_BYTE, priceFactor, STIPEND } from "./energy-schedule.ts";
import type { Call, Frame, FrameEnd, Machine, Operation } from "./frame.ts";
import { type CodeLoop, type CodeRecorder, checkStack, pay } from "./machine.ts";
import type { MemoryRange, StepColumns } from "./step-columns.ts";
import { addressOf, bytesOfWord } from "./words.ts";

/** Recorded frame, which is completed when it ends. */
export interface FrameRecord {
  readonly kind: FrameKind;
  readonly isPrecompile: boolean;
  readonly parent: number | undefined;
  readonly depth: number;
  readonly start: number;
  end: number;
  readonly from: Address;
  readonly to: Address;
  readonly codeAddress: Address;
  code: Uint8Array | undefined;
  readonly value: bigint;
  readonly token: { readonly id: bigint; readonly value: bigint } | undefined;
  readonly input: Uint8Array;
  output: Uint8Array;
  energyGiven: number;
  energyUsed: number;
  readonly stipend: number;
  energyOwn: number;
  penalty: number;
  energyForCode: number;
  instructions: number;
  readonly callPc: number | undefined;
  readonly callStep: number | undefined;
  lastPc: number | undefined;
  outcome: FrameOutcome;
  result: string | undefined;
  reason: string | undefined;
}

/** Location of an entry. */
interface EntryRecord {
  readonly frame: number;
  readonly order: number;
  readonly pc: number;
  readonly step: number;
}

export interface LogRecord extends EntryRecord {
  readonly log: ContractLog;
}

export interface WriteRecord extends EntryRecord {
  readonly address: Address;
  readonly isTransient: boolean;
  readonly slot: bigint;
  readonly before: bigint;
  readonly after: bigint;
}

export interface InternalRecord extends EntryRecord {
  /** Index among the internal transactions of the receipt. */
  readonly index: number;
  readonly starts: number | undefined;
}

/** An instruction in its frame. */
interface Instruction {
  readonly frame: Frame;
  readonly operation: Operation;
  readonly opcode: number;
  readonly pc: number;
  readonly step: number;
  /** Used energy of the frame after the own price of the instruction, without energy for a callee. */
  readonly paid: number;
}

/** Records frames, events, storage changes and, on request, instructions of one transaction. */
export class TraceRecorder implements CodeRecorder {
  readonly frames: FrameRecord[] = [];
  readonly logs: LogRecord[] = [];
  readonly writes: WriteRecord[] = [];
  readonly internals: InternalRecord[] = [];
  /** Accounts that code read or changed. */
  readonly accounts = new Set<Address>();
  /** Slots that code read or wrote, by contract. */
  readonly slots = new Map<Address, Set<bigint>>();
  /** Columns of the instructions; undefined if only calls are recorded. */
  readonly columns: StepColumns | undefined;
  /** Number of instructions. */
  steps = 0;
  #order = 0;
  #current: number | undefined;
  /** Frame of a call instruction that is about to start. */
  #starting: number | undefined;

  constructor(columns?: StepColumns) {
    this.columns = columns;
  }

  record(frame: Frame, run: (loop: CodeLoop) => FrameEnd): FrameEnd {
    const parent = this.#current;
    const index = this.#starting ?? this.#addOutermost(frame);
    const record = this.#frame(index);
    this.#starting = undefined;
    this.#current = index;
    record.code = frame.code;
    record.energyGiven = frame.call.energyLimit;
    try {
      const end = run(this.#loop);
      finishRecord(record, end);
      return end;
    } catch (error) {
      if (error instanceof Halt) finishRecord(record, { kind: "halted", halt: error });
      throw error;
    } finally {
      record.energyUsed = frame.used;
      record.end = this.#order++;
      this.#current = parent;
    }
  }

  /** The machine's loop, with notes of what instructions do. */
  readonly #loop: CodeLoop = (frame, operations) => {
    const { code, machine } = frame;
    const { columns } = this;
    const index = this.#current ?? 0;
    const record = this.#frame(index);
    frame.factor = priceFactor(frame);
    let own = 0;
    let pc = -1;
    try {
      while (frame.ending === undefined && frame.programCounter < code.length) {
        pc = frame.programCounter;
        const opcode = code[pc] ?? 0;
        const step = this.steps++;
        record.instructions += 1;
        const isListed = columns !== undefined && step < columns.maxSteps;
        if (isListed) columns.add(pc, opcode, index);
        const operation = operations[opcode];
        if (operation === undefined) throw illegalOperation(opcode);
        checkStack(frame, operation);
        frame.opCode = opcode;
        const before = frame.used;
        own += pay(frame, operation);
        const paid = operation.calls === true ? frame.used - frame.callEnergy : frame.used;
        record.energyOwn += paid - before;
        if (isListed) columns.setCost(step, paid - before);
        takeSteps(machine, operation);
        frame.programCounter += 1;
        const listed = isListed && columns.recordsChanges ? columns : undefined;
        if (NOTES[opcode] === undefined) {
          if (listed === undefined) operation.run(frame);
          else runListed(listed, step, frame, operation);
        } else if (listed === undefined) this.#runNoted({ frame, operation, opcode, pc, step, paid });
        else this.#runListed(listed, { frame, operation, opcode, pc, step, paid });
      }
    } finally {
      record.penalty = record.energyOwn - own;
      if (pc >= 0) record.lastPc = pc;
    }
    return own;
  };

  /** Runs an instruction that is noted, and whose changes of stack and memory may be recorded. */
  #runListed(columns: StepColumns, instruction: Instruction): void {
    const { frame, operation, opcode, step } = instruction;
    const starts = operation.calls === true || isCreation(opcode);
    const reserved = starts && columns.recordsStack ? columns.reserveWord(step, operation) : undefined;
    const range = columns.recordsMemory ? rangeOf(frame, opcode) : undefined;
    const before = frame.memory.size;
    this.#runNoted(instruction);
    if (reserved !== undefined) columns.setWord(reserved, frame.stack.peek(0));
    else if (columns.recordsStack) columns.addWords(step, frame, operation);
    if (columns.recordsMemory) columns.addMemory(step, frame, before, range);
  }

  #runNoted(instruction: Instruction): void {
    const { opcode, operation, frame } = instruction;
    switch (NOTES[opcode]) {
      case "call":
        this.#runCall(instruction);
        break;
      case "create":
        this.#runCreation(instruction);
        break;
      case "log":
        operation.run(frame);
        this.#addLog(instruction);
        break;
      case "load":
        this.#touchSlot(frame.call.address, frame.stack.peek(0));
        operation.run(frame);
        break;
      case "store":
        this.#runStore(instruction);
        break;
      case "account":
        this.accounts.add(addressOf(frame.stack.peek(0)));
        operation.run(frame);
        break;
      default:
        this.#runOnChain(instruction);
    }
  }

  #runStore(instruction: Instruction): void {
    const { frame, opcode, operation } = instruction;
    const { stack, ledger, call } = frame;
    const isTransient = opcode === TSTORE;
    const [slot, after] = [stack.peek(0), stack.peek(1)];
    const before = isTransient ? call.transient.get(call.address, slot) : (ledger.row(frame.storage, slot) ?? 0n);
    operation.run(frame);
    if (!isTransient) this.#touchSlot(call.address, slot);
    this.writes.push({ ...this.#entry(instruction), address: call.address, isTransient, slot, before, after });
  }

  #addLog(instruction: Instruction): void {
    const log = instruction.frame.machine.logs.at(-1);
    if (log !== undefined) this.logs.push({ ...this.#entry(instruction), log });
  }

  /** Runs an instruction that stakes, votes or ends the contract. */
  #runOnChain(instruction: Instruction): void {
    const { frame, operation } = instruction;
    const { internal } = frame.machine;
    const first = internal.count;
    try {
      operation.run(frame);
    } finally {
      // A vote with wrong lists ends the run after its internal transaction began.
      this.#addInternals(instruction, first);
    }
  }

  #addInternals(instruction: Instruction, first: number): void {
    const { call, machine } = instruction.frame;
    const { internal } = machine;
    this.accounts.add(call.address);
    for (let index = first; index < internal.count; index += 1) {
      const receiver = internal.all[index]?.to;
      if (receiver !== undefined) this.accounts.add(receiver);
      this.internals.push({ ...this.#entry(instruction), index, starts: undefined });
    }
  }

  #runCall(instruction: Instruction): void {
    const { frame, operation, paid } = instruction;
    const request = callRecord(instruction, this.#current ?? 0, this.#order++);
    const before = frame.machine.internal.count;
    const index = this.#start(request);
    runStarting(operation, frame, () => this.#drop(index));
    const record = this.#frame(index);
    const didRun = this.#starting === undefined;
    this.#starting = undefined;
    const succeeded = frame.stack.peek(0) === 1n;
    const charge = frame.used - paid;
    if (!didRun) {
      record.energyGiven = frame.callEnergy + record.stipend;
      record.outcome = succeeded ? "returned" : isCancelled(frame, record) ? "cancelled" : "halted";
      if (succeeded) record.output = frame.returnData;
      record.end = this.#order++;
    }
    record.energyUsed = charge + record.stipend;
    if (!didRun && record.isPrecompile && succeeded) record.energyOwn = record.energyUsed;
    this.#addStarted(instruction, before, index);
  }

  #runCreation(instruction: Instruction): void {
    const { frame, operation, paid } = instruction;
    const before = frame.machine.internal.count;
    const index = this.#start(creationRecord(instruction, this.#current ?? 0, this.#order++));
    runStarting(operation, frame, () => this.#drop(index));
    const record = this.#frame(index);
    const didRun = this.#starting === undefined;
    this.#starting = undefined;
    const succeeded = frame.stack.peek(0) !== 0n;
    const charge = frame.used - paid;
    if (!didRun) {
      const begun = frame.machine.internal.count > before;
      record.energyGiven = charge;
      record.outcome = succeeded ? "returned" : begun ? "halted" : "cancelled";
      record.end = this.#order++;
    } else if (!succeeded && (record.outcome === "returned" || isForbidden(frame, record.output))) {
      haltCreation(record, frame);
    }
    if (record.outcome === "returned") record.energyForCode = record.output.length * CODE_BYTE;
    record.energyUsed = charge + record.stipend;
    this.#addStarted(instruction, before, index);
  }

  /** Adds the internal transaction of a call that was not cancelled. */
  #addStarted(instruction: Instruction, index: number, starts: number): void {
    const { internal } = instruction.frame.machine;
    if (internal.count <= index || this.#frame(starts).isPrecompile) return;
    this.internals.push({ ...this.#entry(instruction), order: this.#frame(starts).start, index, starts });
  }

  #start(record: FrameRecord): number {
    this.accounts.add(record.to).add(record.codeAddress);
    this.#starting = this.#add(record);
    return this.#starting;
  }

  #addOutermost({ call, machine }: Frame): number {
    this.accounts.add(call.caller).add(call.address);
    return this.#add(outermostRecord(call, machine.created, this.#order++));
  }

  #add(record: FrameRecord): number {
    return this.frames.push(record) - 1;
  }

  /** Removes a frame that did not start, because the calling instruction failed. */
  #drop(index: number): void {
    if (this.#starting === index) this.frames.length = index;
    this.#starting = undefined;
  }

  #entry({ pc, step }: Instruction): EntryRecord {
    return { frame: this.#current ?? 0, order: this.#order++, pc, step };
  }

  #touchSlot(address: Address, slot: bigint): void {
    const slots = this.slots.get(address);
    if (slots === undefined) this.slots.set(address, new Set([slot]));
    else slots.add(slot);
  }

  #frame(index: number): FrameRecord {
    const record = this.frames[index];
    if (record === undefined) throw new RangeError(`There is no frame ${index}.`);
    return record;
  }
}

const TSTORE = 0x5d;
const CREATE = 0xf0;
const CREATE2 = 0xf5;
const CALLTOKEN = 0xd0;

type Note = "call" | "create" | "log" | "load" | "store" | "account" | "chain";

/** Instructions that are noted, by opcode. */
const NOTES: readonly (Note | undefined)[] = notes([
  ["account", [0x31, 0x3b, 0x3c, 0x3f, 0xd4, 0xd1]],
  ["load", [0x54]],
  ["store", [0x55, TSTORE]],
  ["log", [0xa0, 0xa1, 0xa2, 0xa3, 0xa4]],
  ["call", [CALLTOKEN, 0xf1, 0xf2, 0xf4, 0xfa]],
  ["create", [CREATE, CREATE2]],
  ["chain", [0xd5, 0xd6, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xff]],
]);

function notes(entries: readonly (readonly [Note, readonly number[]])[]): readonly (Note | undefined)[] {
  const table: (Note | undefined)[] = new Array(256).fill(undefined);
  for (const [note, opcodes] of entries) for (const opcode of opcodes) table[opcode] = note;
  return table;
}

function isCreation(opcode: number): boolean {
  return opcode === CREATE || opcode === CREATE2;
}

/** @throws {Halt} the CPU limit is reached */
function takeSteps(machine: Machine, { steps = 1, name }: Operation): void {
  machine.stepsLeft -= steps;
  if (machine.stepsLeft < 0) throw outOfTime(`CPU timeout for '${name}' operation executing`);
}

/** Runs an instruction that only changes stack, memory and program counter, and records what it changes. */
function runListed(columns: StepColumns, step: number, frame: Frame, operation: Operation): void {
  if (!columns.recordsMemory) {
    operation.run(frame);
    columns.addWords(step, frame, operation);
    return;
  }
  const range = writtenRange(frame, frame.opCode);
  const before = frame.memory.size;
  operation.run(frame);
  if (columns.recordsStack) columns.addWords(step, frame, operation);
  if (range !== undefined || frame.memory.size !== before) columns.addMemory(step, frame, before, range);
}

/** Runs an instruction that starts a frame. @param drop - called if it fails */
function runStarting(operation: Operation, frame: Frame, drop: () => void): void {
  try {
    operation.run(frame);
  } catch (error) {
    drop();
    throw error;
  }
}

const NO_BYTES = new Uint8Array();

/** Fields of a frame that has not ended. */
const OPEN = {
  end: 0,
  code: undefined,
  output: NO_BYTES,
  energyGiven: 0,
  energyUsed: 0,
  energyOwn: 0,
  penalty: 0,
  energyForCode: 0,
  instructions: 0,
  lastPc: undefined,
  outcome: "returned",
  result: undefined,
  reason: undefined,
} as const satisfies Partial<FrameRecord>;

function outermostRecord(call: Call, created: readonly Address[], start: number): FrameRecord {
  const { address, caller, value, tokenId, tokenValue, data } = call;
  return {
    ...OPEN,
    kind: created.includes(address) ? "create" : "call",
    isPrecompile: false,
    parent: undefined,
    depth: 0,
    start,
    from: caller,
    to: address,
    codeAddress: address,
    value,
    token: tokenValue === 0n ? undefined : { id: tokenId, value: tokenValue },
    input: data,
    stipend: 0,
    callPc: undefined,
    callStep: undefined,
  };
}

/** Kinds and operand positions of calls. */
const CALLS: {
  readonly [opcode: number]: { readonly kind: FrameKind; readonly value?: number; readonly input: number };
} = {
  [CALLTOKEN]: { kind: "call", value: 2, input: 4 },
  241: { kind: "call", value: 2, input: 3 },
  242: { kind: "callcode", value: 2, input: 3 },
  244: { kind: "delegate", input: 2 },
  250: { kind: "static", input: 2 },
};

function callRecord({ frame, opcode, pc, step }: Instruction, parent: number, start: number): FrameRecord {
  const { stack, call, machine } = frame;
  const { kind, value: valueAt, input } = CALLS[opcode] ?? { kind: "call", input: 3 };
  const word = stack.peek(1);
  const target = addressOf(word);
  const sent = valueAt === undefined ? 0n : stack.peek(valueAt);
  const isToken = opcode === CALLTOKEN;
  const borrows = kind === "delegate" || kind === "callcode";
  return {
    ...OPEN,
    kind,
    isPrecompile: precompileAt(word, machine.environment.parameters) !== undefined,
    parent,
    depth: call.depth + 1,
    start,
    from: kind === "delegate" ? call.caller : call.address,
    to: borrows ? call.address : target,
    codeAddress: target,
    value: kind === "delegate" ? call.value : isToken ? 0n : sent,
    token: isToken ? { id: stack.peek(3), value: sent } : undefined,
    input: memoryAt(frame, Number(stack.peek(input)), Number(stack.peek(input + 1))),
    stipend: sent === 0n ? 0 : STIPEND,
    callPc: pc,
    callStep: step,
  };
}

function creationRecord({ frame, opcode, pc, step }: Instruction, parent: number, start: number): FrameRecord {
  const { stack, call, machine } = frame;
  const code = memoryAt(frame, Number(stack.peek(1)), Number(stack.peek(2)));
  const isSalted = opcode === CREATE2;
  const address = isSalted
    ? create2ContractAddress(call.address, bytesOfWord(stack.peek(3)), code)
    : createdContractAddress(machine.txId, machine.internal.nonce);
  return {
    ...OPEN,
    kind: isSalted ? "create2" : "create",
    isPrecompile: false,
    parent,
    depth: call.depth + 1,
    start,
    from: call.address,
    to: address,
    codeAddress: address,
    code,
    value: stack.peek(0),
    token: undefined,
    input: NO_BYTES,
    stipend: 0,
    callPc: pc,
    callStep: step,
  };
}

/** Reads memory without extending it. */
function memoryAt({ memory }: Frame, offset: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  const known = Math.max(0, Math.min(size, memory.size - offset));
  if (known > 0) bytes.set(memory.read(offset, known, true));
  return bytes;
}

/** Returns the memory range that an instruction writes. */
function rangeOf({ stack }: Pick<Frame, "stack">, opcode: number): MemoryRange | undefined {
  const { input } = CALLS[opcode] ?? {};
  return input === undefined ? writtenRange({ stack }, opcode) : rangeAt(stack, input + 2, input + 3);
}

function rangeAt(stack: Frame["stack"], offset: number, size: number): MemoryRange {
  return { offset: Number(stack.peek(offset)), size: Number(stack.peek(size)) };
}

/** Returns the memory range that an instruction writes, unless it starts a frame. */
function writtenRange({ stack }: Pick<Frame, "stack">, opcode: number): MemoryRange | undefined {
  switch (opcode) {
    case 0x52:
      return { offset: Number(stack.peek(0)), size: 32 };
    case 0x53:
      return { offset: Number(stack.peek(0)), size: 1 };
    case 0x37:
    case 0x39:
    case 0x3e:
    case 0x5e:
      return rangeAt(stack, 0, 2);
    case 0x3c:
      return rangeAt(stack, 1, 3);
    default:
      return undefined;
  }
}

/** Returns whether a failed call did not start: its energy went back to the caller. */
function isCancelled({ call, ledger }: Frame, { value, token, kind }: FrameRecord): boolean {
  if (call.depth === MAX_DEPTH) return true;
  const sent = kind === "delegate" ? 0n : (token?.value ?? value);
  const account = ledger.account(call.address);
  if (account === undefined) return sent > 0n;
  return (token === undefined ? account.balance : tokenBalance(account, String(token.id))) < sent;
}

function finishRecord(record: FrameRecord, end: FrameEnd): void {
  record.outcome = end.kind;
  if (end.kind === "halted") {
    record.result = end.halt.result;
    record.reason = end.halt.message;
    return;
  }
  record.output = end.output;
  if (end.kind === "reverted") {
    record.result = "REVERT";
    record.reason = "REVERT opcode executed";
  }
}

/** Notes why the code of a new contract was not stored. */
function haltCreation(record: FrameRecord, frame: Frame): void {
  const { output } = record;
  const left = record.energyGiven - record.energyUsed;
  const halt = isForbidden(frame, output)
    ? invalidCode()
    : notEnoughFor("No energy to save just created contract code", output.length * CODE_BYTE, left);
  finishRecord(record, { kind: "halted", halt });
  record.output = NO_BYTES;
}
