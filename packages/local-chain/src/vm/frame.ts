import { type Address, addressToBytes, bytesToHex, type TxId } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type ContractRecord, type StorageKey, storageKey } from "../chain/account.ts";
import type { ChainContext } from "../chain/block.ts";
import { type Halt, outOfEnergy } from "../chain/halt.ts";
import { type Ledger, Table } from "../chain/ledger.ts";
import type { ChainParameters } from "../chain/parameters.ts";
import type { ContractLog, InternalTransaction } from "../chain/transaction.ts";
import { bytesOfLong } from "./words.ts";

/** Execution context of code. */
export interface ExecutionEnvironment extends ChainContext {
  /** Chain time in ms of the newest block. */
  readonly now: number;
  readonly parameters: ChainParameters;
}

/** State shared by the frames of one transaction. */
export interface Machine {
  readonly environment: ExecutionEnvironment;
  readonly txId: TxId;
  readonly origin: Address;
  readonly internal: InternalTransactions;
  readonly logs: ContractLog[];
  /** Self-destructed contracts, which are removed when the transaction ends. */
  readonly ended: Address[];
  /** Contracts that the transaction has created. */
  readonly created: Address[];
  /** Surcharge for heavily used contracts, in energy. */
  penalty: number;
  /** Remaining operations until the CPU limit. */
  stepsLeft: number;
  /** Runs the code of a frame to its end. */
  readonly run: (frame: Frame) => FrameEnd;
}

/** Result of a frame; its energy is in the frame. */
export type FrameEnd =
  | { readonly kind: "returned" | "reverted"; readonly output: Uint8Array }
  | { readonly kind: "halted"; readonly halt: Halt };

/** Parameters of a call. */
export interface Call {
  /** Account whose storage and balance the frame uses. */
  readonly address: Address;
  readonly caller: Address;
  readonly code: Uint8Array;
  readonly data: Uint8Array;
  /** Sun. */
  readonly value: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  readonly isStatic: boolean;
  /** Depth, 0 for the outermost frame. */
  readonly depth: number;
  readonly energyLimit: number;
  /** Contract version: 1 keeps 1/64 of the energy in calls. */
  readonly version: number;
  /** Hash of the internal transaction, or of the transaction. */
  readonly hash: Uint8Array;
  readonly ledger: Ledger;
  readonly transient: TransientStorage;
}

/** End of a frame by an operation. */
export type Ending = "returned" | "reverted";

/**
 * One run of code. Fields with the library's names (`programCounter`, `opCode`, `stack`, `memory`, `code`,
 * `interpreter`) are used by its instructions.
 */
export class Frame {
  readonly machine: Machine;
  readonly call: Call;
  readonly stack = new WordStack();
  readonly memory = new Memory();
  readonly code: Uint8Array;
  readonly analysis: AnalysedCode;
  readonly interpreter: { getCallData(): Uint8Array; getCallDataSize(): bigint; getCode(): Uint8Array };
  programCounter = 0;
  opCode = 0;
  /** Used energy. */
  used = 0;
  /** Energy passed by the last call, and the surcharge in its price. */
  callEnergy = 0;
  callPenalty = 0;
  /** Price factor in parts of 10,000; above that for heavily used contracts. */
  factor = 10_000;
  returnData: Uint8Array = new Uint8Array();
  output: Uint8Array = new Uint8Array();
  ending: Ending | undefined;
  #storage: string | undefined;

  constructor(machine: Machine, call: Call) {
    this.machine = machine;
    this.call = call;
    this.code = call.code;
    this.analysis = analyseCode(call.code);
    const { data, code } = call;
    this.interpreter = {
      getCallData: () => data,
      getCallDataSize: () => BigInt(data.length),
      getCode: () => code,
    };
  }

  get left(): number {
    return this.call.energyLimit - this.used;
  }

  /** Storage key. A contract created again by CREATE2 does not see the old storage. */
  get storage(): string {
    this.#storage ??= storageOf(this.call.ledger, this.call.address);
    return this.#storage;
  }

  get ledger(): Ledger {
    return this.call.ledger;
  }

  /** @throws {Halt} `OUT_OF_ENERGY` */
  spend(energy: number, operation: string): void {
    if (this.left < energy) throw this.#exhausted(operation, energy, "");
    this.used += energy;
  }

  /** @throws {Halt} `OUT_OF_ENERGY` */
  spendWithPenalty(energy: number, penalty: number, operation: string): void {
    const total = energy + penalty;
    if (this.left < total) throw this.#exhausted(operation, energy, ` penaltyEnergy[${penalty}],`);
    this.used += total;
    this.machine.penalty += penalty;
  }

  #exhausted(operation: string, energy: number, penalty: string): Error {
    const limits = `curInvokeEnergyLimit[${this.call.energyLimit}], curOpEnergy[${energy}],${penalty} usedEnergy[${this.used}]`;
    return outOfEnergy(`Not enough energy for '${operation}' operation executing: ${limits}`);
  }
}

/** Returns the storage key of a contract; a contract that is created again starts empty. */
export function storageOf(ledger: Ledger, address: Address): string {
  return storageOfContract(address, ledger.contract(address));
}

export function storageOfContract(address: Address, contract: ContractRecord | undefined): string {
  const madeBy = contract?.definition.trxHash;
  return madeBy === undefined || madeBy.length === 0 ? address : `${address}.${bytesToHex(madeBy)}`;
}

/** Returns the slots of a contract and their words, in no order. It reads the rows of all contracts. */
export function storedWords(ledger: Ledger, address: Address): (readonly [slot: bigint, word: bigint])[] {
  const prefix = storageKey(storageOf(ledger, address), 0n).slice(0, -1);
  return [...ledger.tables.words.entries()].flatMap(([key, word]) =>
    key.startsWith(prefix) ? [[BigInt(`0x${key.slice(prefix.length)}`), word] as const] : [],
  );
}

const WORD = 32;
const FIRST_CAPACITY = 1024;

/** Memory of one frame. It grows by words; unwritten memory is 0. */
class Memory {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  /** Size in bytes, a multiple of 32, as MSIZE returns. */
  get size(): number {
    return this.#size;
  }

  extend(offset: number, size: number): void {
    if (size === 0) return;
    const end = Math.ceil((offset + size) / WORD) * WORD;
    if (end <= this.#size) return;
    this.#size = end;
    if (end <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  readWord(offset: number): bigint {
    this.extend(offset, WORD);
    let word = 0n;
    for (let at = 0; at < WORD; at += 8) word = (word << 64n) | this.#view.getBigUint64(offset + at);
    return word;
  }

  writeWord(offset: number, word: bigint): void {
    this.extend(offset, WORD);
    let rest = word;
    for (let at = WORD - 8; at >= 0; at -= 8) {
      this.#view.setBigUint64(offset + at, rest);
      rest >>= 64n;
    }
  }

  write(offset: number, size: number, value: Uint8Array): void {
    if (size === 0) return;
    this.extend(offset, size);
    this.#bytes.set(value.length === size ? value : value.subarray(0, size), offset);
  }

  /** @param shared - the memory itself and not a copy: for reading at once */
  read(offset: number, size: number, shared = false): Uint8Array {
    if (size === 0) return new Uint8Array();
    this.extend(offset, size);
    const view = this.#bytes.subarray(offset, offset + size);
    return shared ? view : view.slice();
  }
}

/** Stack of one frame. Its height is checked before each operation (`machine.ts`), not here. */
class WordStack {
  readonly #words: bigint[] = [];

  get length(): number {
    return this.#words.length;
  }

  push(word: bigint): void {
    this.#words.push(word);
  }

  pop(): bigint {
    return this.#words.pop() as bigint;
  }

  /** Pops words, topmost first. */
  popN(count: number): bigint[] {
    if (count === 2) return [this.pop(), this.pop()];
    const words: bigint[] = [];
    for (let left = count; left > 0; left -= 1) words.push(this.#words.pop() as bigint);
    return words;
  }

  /** @param depth - 0 is the top */
  peek(depth: number): bigint {
    return this.#words[this.#words.length - 1 - depth] as bigint;
  }

  /** @param position - 1 is the top */
  dup(position: number): void {
    this.#words.push(this.#words[this.#words.length - position] as bigint);
  }

  /** @param position - 1 is the word below the top */
  swap(position: number): void {
    const top = this.#words.length - 1;
    const other = top - position;
    const word = this.#words[top] as bigint;
    this.#words[top] = this.#words[other] as bigint;
    this.#words[other] = word;
  }
}

const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** Analysed code. */
interface AnalysedCode {
  readonly bytes: Uint8Array;
  /** 1 at valid jump destinations: a JUMPDEST outside push data. */
  readonly destinations: Uint8Array;
  /** Word of each push, by the position after its opcode. */
  readonly pushes: { readonly [position: number]: bigint };
}

const analysed = new WeakMap<Uint8Array, AnalysedCode>();

/** Analyses code once for as long as the chain keeps it. */
function analyseCode(bytes: Uint8Array): AnalysedCode {
  const known = analysed.get(bytes);
  if (known !== undefined) return known;
  const code = analyse(bytes);
  analysed.set(bytes, code);
  return code;
}

function analyse(bytes: Uint8Array): AnalysedCode {
  const destinations = new Uint8Array(bytes.length);
  const pushes: Record<number, bigint> = {};
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === JUMPDEST) destinations[at] = 1;
    if (code < PUSH1 || code > PUSH32) continue;
    const length = code - PUSH1 + 1;
    pushes[at + 1] = pushedWord(bytes, at + 1, length);
    at += length;
  }
  return { bytes, destinations, pushes };
}

/** Reads the word of a push, with zeros beyond the code. */
function pushedWord(bytes: Uint8Array, at: number, length: number): bigint {
  return BigInt(`0x${bytesToHex(bytes.subarray(at, at + length)).padEnd(length * 2, "0")}`);
}

/** Implementation of an operation on a frame. */
export type Instruction = (frame: Frame) => void;

/** Energy of an operation: constant, or depending on the stack. */
export type Price = number | ((frame: Frame, name: string) => number);

/** An opcode. */
export interface Operation {
  readonly name: string;
  /** Words popped from and pushed to the stack. */
  readonly takes: number;
  readonly gives: number;
  readonly price: Price;
  readonly run: Instruction;
  /** Steps of the CPU limit, 1 by default. */
  readonly steps?: number;
  /** True if it passes energy to a callee, which is not its own usage. */
  readonly calls?: boolean;
}

/** Operations by opcode; absent ones are illegal. */
export type Operations = readonly (Operation | undefined)[];

/** Caller of a precompiled contract. */
export interface PrecompileCaller {
  readonly frame: Frame;
  readonly caller: Address;
}

/** A precompiled contract. */
export interface Precompile {
  readonly energy: (input: Uint8Array, parameters: ChainParameters) => number;
  /** Runs the contract. @returns undefined on failure, which consumes the passed energy */
  readonly run: (input: Uint8Array, caller: PrecompileCaller) => Uint8Array | undefined;
  /** Output on failure, empty by default. */
  readonly failure?: Uint8Array;
  /** Steps of the CPU limit, 1 by default. */
  readonly steps?: (input: Uint8Array) => number;
  /** Returns whether it is active; always when absent. */
  readonly when?: (parameters: ChainParameters) => boolean;
}

/** Precompiled contracts by the whole address word, not only its last 20 bytes. */
export type Precompiles = ReadonlyMap<bigint, Precompile>;

export interface NewInternalTransaction extends Omit<InternalTransaction, "hash" | "rejected"> {
  readonly parent: Uint8Array;
  readonly data: Uint8Array;
}

/** Internal transactions of one transaction, in start order. */
export class InternalTransactions {
  readonly #list: InternalTransaction[] = [];
  /** Number of calls, creations, suicides and stakes. */
  #nonce = 0n;

  get nonce(): bigint {
    return this.#nonce;
  }

  get count(): number {
    return this.#list.length;
  }

  get all(): readonly InternalTransaction[] {
    return this.#list;
  }

  /** Adds an internal transaction. @returns its hash, the parent of nested ones */
  add({ parent, data, ...entry }: NewInternalTransaction): Uint8Array {
    this.#nonce += 1n;
    const receiver = entry.note === "create" || entry.to === undefined ? new Uint8Array() : addressToBytes(entry.to);
    const parts = [parent, receiver, data, bytesOfLong(entry.value), bytesOfLong(this.#nonce)];
    const hash = keccak_256(Buffer.concat(parts));
    this.#list.push({ ...entry, hash: bytesToHex(hash), rejected: false });
    return hash;
  }

  /** Completes the newest internal transaction. */
  amend(change: Partial<Pick<InternalTransaction, "value" | "extra" | "rejected">>): void {
    const newest = this.#list.pop();
    if (newest !== undefined) this.#list.push({ ...newest, ...change });
  }

  /** Marks internal transactions from an index on as reverted. */
  reject(from: number): void {
    for (const [index, entry] of this.#list.entries()) {
      if (index >= from) this.#list[index] = { ...entry, rejected: true };
    }
  }
}

/**
 * Transient storage of contracts until the end of the transaction, in layers like the ledger: a failed call loses its
 * own.
 */
export class TransientStorage {
  readonly #words: Table<StorageKey, bigint>;

  constructor(below?: TransientStorage) {
    this.#words = new Table(below === undefined ? undefined : below.#words);
  }

  get(address: Address, slot: bigint): bigint {
    return this.#words.get(storageKey(address, slot)) ?? 0n;
  }

  put(address: Address, slot: bigint, word: bigint): void {
    this.#words.set(storageKey(address, slot), word);
  }

  commit(): void {
    this.#words.commit();
  }
}
