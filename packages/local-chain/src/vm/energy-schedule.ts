import type { ContractUse } from "../chain/account.ts";
import { outOfLongRange, outOfMemory, tooDear } from "../chain/halt.ts";
import type { ChainParameters } from "../chain/parameters.ts";
import type { Frame, Price } from "./frame.ts";
import { addressOf, MAX_LONG } from "./words.ts";

/** 3 MiB in bytes. */
const MEMORY_LIMIT = 3_145_728n;
const WORD = 32;
const COPY_WORD = 3;
const HASH_WORD = 6;
const LOG = 375;
const LOG_BYTE = 8;
const NEW_ACCOUNT = 25_000;
const CREATE = 32_000;
const CALL = 40;
const VALUE_CALL = 9000;
/** Free energy for a callee that receives coins. */
export const STIPEND = 2300;
/** Energy for each byte of new code. */
export const CODE_BYTE = 200;

/** Returns the energy of a memory expansion (EnergyCost.calcMemEnergy). @param needed - bytes */
function memoryEnergy(frame: Frame, needed: bigint, name: string): number {
  if (needed > MEMORY_LIMIT) throw outOfMemory(name);
  const words = Math.ceil(Number(needed) / WORD);
  const before = frame.memory.size / WORD;
  return words > before ? memoryPrice(words) - memoryPrice(before) : 0;
}

function memoryPrice(words: number): number {
  return 3 * words + Math.floor((words * words) / 512);
}

function end(offset: bigint, size: bigint): bigint {
  return size === 0n ? 0n : offset + size;
}

function larger(left: bigint, right: bigint): bigint {
  if (left > right) return left;
  return right;
}

/** Returns the words of a checked size. */
function words(size: bigint): number {
  return Math.ceil(Number(size) / WORD);
}

/** Creates the price of a memory range whose offset and size are at stack depths. */
function forMemory(base: number, offset: number, size: number, perWord = 0): Price {
  return (frame, name) => {
    const length = frame.stack.peek(size);
    const memory = memoryEnergy(frame, end(frame.stack.peek(offset), length), name);
    return base + memory + perWord * words(length);
  };
}

/** Creates the price of a memory range of fixed size. */
function forBytes(base: number, size: bigint): Price {
  return (frame, name) => base + memoryEnergy(frame, frame.stack.peek(0) + size, name);
}

export const loadPrice = (base: number): Price => forBytes(base, 32n);
export const storeBytePrice = (base: number): Price => forBytes(base, 1n);
export const hashPrice: Price = forMemory(30, 0, 1, HASH_WORD);
export const copyPrice: Price = forMemory(0, 0, 2, COPY_WORD);
export const codeOfOtherPrice: Price = forMemory(20, 1, 3, COPY_WORD);
export const endPrice: Price = forMemory(0, 0, 1);
export const createPrice: Price = forMemory(CREATE, 1, 2);
export const create2Price: Price = forMemory(CREATE, 1, 2, HASH_WORD);

export const moveInMemoryPrice: Price = (frame, name) => {
  const to = frame.stack.peek(0);
  const from = frame.stack.peek(1);
  const size = frame.stack.peek(2);
  return 3 + memoryEnergy(frame, end(larger(to, from), size), name) + COPY_WORD * words(size);
};

/** Price of EXP: 10, and 10 for each byte of the exponent. */
export const powerPrice: Price = ({ stack }) => {
  const exponent = stack.peek(1);
  return exponent === 0n ? 10 : 10 + 10 * Math.ceil(exponent.toString(16).length / 2);
};

/** Price of SSTORE: depends on the existence of the slot, not on its value. No refunds, and no warm or cold slots. */
export const storePrice: Price = ({ stack, ledger, storage }) => {
  const exists = ledger.row(storage, stack.peek(0)) !== undefined;
  return !exists && stack.peek(1) !== 0n ? 20_000 : 5000;
};

export function logPrice(topics: number): Price {
  return (frame, name) => {
    const offset = frame.stack.peek(0);
    const size = frame.stack.peek(1);
    const data = size * BigInt(LOG_BYTE);
    if (data > BigInt(frame.left)) throw data > MAX_LONG ? outOfLongRange() : tooDear(name, data, frame.left);
    return LOG + LOG * topics + Number(data) + memoryEnergy(frame, end(offset, size), name);
  };
}

/** Creates the price of SELFDESTRUCT: a base, and more for a beneficiary without an account. */
export function suicidePrice(base: number): Price {
  return (frame) => base + (isMissing(frame, frame.stack.peek(0)) ? NEW_ACCOUNT : 0);
}

/** Operand layout of a call. */
export interface CallShape {
  /** True if a value follows address and energy. */
  readonly sends: boolean;
  /** True if coins may create the receiver's account. */
  readonly creates: boolean;
  /** Stack depth of the input offset. */
  readonly input: number;
}

/** Creates the price of a call, with the passed energy: at most 63/64 of the rest (EnergyCost.getCalculateCallCost). */
export function callPrice(shape: CallShape): Price {
  return (frame, name) => {
    const { stack } = frame;
    const peek = (depth: number): bigint => stack.peek(shape.input + depth);
    const [input, output] = [end(peek(0), peek(1)), end(peek(2), peek(3))];
    const base = CALL + valuePrice(frame, shape) + memoryEnergy(frame, larger(input, output), name);
    frame.callPenalty = frame.factor === NORMAL_PRICE ? 0 : penaltyOf(base, frame.factor);
    const energy = base + frame.callPenalty;
    if (energy > frame.left) throw tooDear(name, energy, frame.left);
    frame.callEnergy = passedOn(frame, stack.peek(0), frame.left - energy);
    return energy + frame.callEnergy;
  };
}

function valuePrice(frame: Frame, { sends, creates }: CallShape): number {
  if (!sends || frame.stack.peek(2) === 0n) return 0;
  return VALUE_CALL + (creates && isMissing(frame, frame.stack.peek(1)) ? NEW_ACCOUNT : 0);
}

function passedOn(frame: Frame, requested: bigint, left: number): number {
  const most = allButOne64th(frame, left);
  return requested > BigInt(most) ? most : Number(requested);
}

/** Returns the energy available to a call or creation. */
export function allButOne64th({ call, machine }: Frame, left: number): number {
  const keeps = call.version === 1 && machine.environment.parameters.getAllowTvmCompatibleEvm === 1;
  return keeps ? left - Math.floor(left / 64) : left;
}

function isMissing({ ledger }: Frame, address: bigint): boolean {
  return ledger.account(addressOf(address)) === undefined;
}

/**
 * Creates the price of voting. Votes are two lists in memory: a word for each entry and, except in the first version,
 * one for the length. The size wraps like any word, before proposal 96.
 */
export function votePrice(lengthWords: bigint, wraps = true): Price {
  return (frame, name) => {
    const list = (offset: number, length: number): bigint => {
      const size = (frame.stack.peek(length) + lengthWords) * 32n;
      return end(frame.stack.peek(offset), wraps ? BigInt.asUintN(256, size) : size);
    };
    return 30_000 + memoryEnergy(frame, larger(list(1, 0), list(3, 2)), name);
  };
}

export const freezePrice: Price = (frame) => 20_000 + (isMissing(frame, frame.stack.peek(2)) ? NEW_ACCOUNT : 0);

/** Price factor of a little-used contract, in parts of 10,000. */
export const NORMAL_PRICE = 10_000;
/** Prices fall by a quarter of the rise. */
const DECREASE_DIVISION = 4;

/** Returns the price factor of a contract in parts of 10,000, and advances its state to the current cycle. */
export function priceFactor(frame: Frame): number {
  const { parameters } = frame.machine.environment;
  if (parameters.getAllowDynamicEnergy !== 1) return NORMAL_PRICE;
  const { address } = frame.call;
  const before = frame.ledger.tables.uses.get(address);
  const use = caughtUp(before, frame.ledger.totals.cycle, parameters);
  if (use !== before) frame.ledger.tables.uses.set(address, use);
  return NORMAL_PRICE + use.energyFactor;
}

/** Adds usage of a contract in this cycle. */
export function addUse(frame: Frame, energy: number): void {
  const { ledger, machine } = frame;
  const { address } = frame.call;
  const use = caughtUp(ledger.tables.uses.get(address), ledger.totals.cycle, machine.environment.parameters);
  ledger.tables.uses.set(address, { ...use, energyUsage: use.energyUsage + energy });
}

/** Returns the usage of a contract as of a cycle (ContractStateCapsule.catchUpToCycle). */
export function caughtUp(use: ContractUse | undefined, cycle: number, parameters: ChainParameters): ContractUse {
  if (use?.updateCycle === cycle) return use;
  if (use === undefined || use.updateCycle === 0 || use.updateCycle > cycle) {
    return { energyUsage: 0, energyFactor: 0, updateCycle: cycle };
  }
  const raised = use.energyUsage > parameters.getDynamicEnergyThreshold ? raise(use, parameters) : use;
  const idle = cycle - raised.updateCycle;
  if (idle <= 0) return raised;
  const step = 1 - parameters.getDynamicEnergyIncreaseFactor / DECREASE_DIVISION / NORMAL_PRICE;
  const factor = Math.floor((raised.energyFactor + NORMAL_PRICE) * step ** idle) - NORMAL_PRICE;
  return { energyUsage: 0, energyFactor: Math.max(0, factor), updateCycle: cycle };
}

function raise(use: ContractUse, parameters: ChainParameters): ContractUse {
  const step = 1 + parameters.getDynamicEnergyIncreaseFactor / NORMAL_PRICE;
  const factor = Math.floor((use.energyFactor + NORMAL_PRICE) * step) - NORMAL_PRICE;
  return {
    energyUsage: 0,
    energyFactor: Math.min(parameters.getDynamicEnergyMaxFactor, factor),
    updateCycle: use.updateCycle + 1,
  };
}

/** Returns the surcharge on a price, rounded down. */
export function penaltyOf(energy: number, factor: number): number {
  return Math.floor((energy * factor) / NORMAL_PRICE) - energy;
}
