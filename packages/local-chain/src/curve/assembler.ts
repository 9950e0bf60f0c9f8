/** Instructions of WebAssembly: as much of it as the arithmetic of `field-code.ts` needs. */
export type Code = readonly number[];

/** A function that takes i32s and gives back nothing; its locals are all i64. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  readonly locals: number;
  readonly code: Code;
}

const I32 = 0x7f;
const I64 = 0x7e;
const NO_RESULT = 0x40;
const ALIGNED_TO_4 = 2;
const MORE = 0x80;

/** A number as LEB128. */
function unsigned(value: number): Code {
  return value < MORE ? [value] : [(value % MORE) + MORE, ...unsigned(Math.floor(value / MORE))];
}

/** The same for numbers that may be negative: the last byte tells by its bit 6. */
function signed(value: bigint): Code {
  const byte = Number(BigInt.asUintN(7, value));
  const rest = value >> 7n;
  const done = (rest === 0n && byte < 0x40) || (rest === -1n && byte >= 0x40);
  return done ? [byte] : [byte + MORE, ...signed(rest)];
}

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const long = (value: bigint): Code => [0x42, ...signed(value)];
export const int = (value: number): Code => [0x41, ...signed(BigInt(value))];
export const add = (left: Code, right: Code): Code => [...left, ...right, 0x7c];
export const subtract = (left: Code, right: Code): Code => [...left, ...right, 0x7d];
export const multiply = (left: Code, right: Code): Code => [...left, ...right, 0x7e];
export const and = (left: Code, right: Code): Code => [...left, ...right, 0x83];
export const shiftRight = (left: Code, right: Code): Code => [...left, ...right, 0x88];
export const addInt = (left: Code, right: Code): Code => [...left, ...right, 0x6a];
/** 32 bits of memory as a number without sign. */
export const load = (address: Code, offset: number): Code => [...address, 0x35, ALIGNED_TO_4, ...unsigned(offset)];
export const store = (address: Code, offset: number, value: Code): Code => [
  ...address,
  ...value,
  0x3e,
  ALIGNED_TO_4,
  ...unsigned(offset),
];
export const call = (index: number, ...args: readonly Code[]): Code => [...args.flat(), 0x10, ...unsigned(index)];
export const when = (condition: Code, then: Code): Code => [...condition, 0x04, NO_RESULT, ...then, 0x0b];

/** A module of these functions, which take its memory from who imports it, as `env.memory`. */
export function wasmModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const type = ({ parameters }: WasmFunction): Code => [0x60, ...list(Array(parameters).fill([I32])), 0];
  const body = ({ locals, code }: WasmFunction): Code => sized([1, ...unsigned(locals), I64, ...code, 0x0b]);
  const entry = ({ name }: WasmFunction, index: number): Code => [...text(name), 0, ...unsigned(index)];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, functions.map(type)),
    ...section(2, [[...text("env"), ...text("memory"), 2, 0, 1]]),
    ...section(
      3,
      functions.map((_, index) => unsigned(index)),
    ),
    ...section(7, functions.map(entry)),
    ...section(10, functions.map(body)),
  ]);
}

const text = (value: string): Code => sized([...new TextEncoder().encode(value)]);
const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const section = (id: number, items: readonly Code[]): Code => [id, ...sized(list(items))];
