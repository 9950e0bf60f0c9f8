/** WebAssembly instructions that the field arithmetic needs. */
type Code = readonly number[];

/** A function of i32 parameters without result; its locals are i64. */
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

/** Encodes an unsigned number as LEB128. */
function unsigned(value: number): Code {
  return value < MORE ? [value] : [(value % MORE) + MORE, ...unsigned(Math.floor(value / MORE))];
}

/** Encodes a signed number as LEB128; bit 6 of the last byte is the sign. */
function signed(value: bigint): Code {
  const byte = Number(BigInt.asUintN(7, value));
  const rest = value >> 7n;
  const done = (rest === 0n && byte < 0x40) || (rest === -1n && byte >= 0x40);
  return done ? [byte] : [byte + MORE, ...signed(rest)];
}

const get = (local: number): Code => [0x20, ...unsigned(local)];
const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
const long = (value: bigint): Code => [0x42, ...signed(value)];
const int = (value: number): Code => [0x41, ...signed(BigInt(value))];
const add = (left: Code, right: Code): Code => [...left, ...right, 0x7c];
const subtract = (left: Code, right: Code): Code => [...left, ...right, 0x7d];
const multiply = (left: Code, right: Code): Code => [...left, ...right, 0x7e];
const and = (left: Code, right: Code): Code => [...left, ...right, 0x83];
const shiftRight = (left: Code, right: Code): Code => [...left, ...right, 0x88];
const addInt = (left: Code, right: Code): Code => [...left, ...right, 0x6a];
/** Converts an unsigned i32 to i64. */
const widened = (value: Code): Code => [...value, 0xad];
/** Copies bytes of memory. */
const copy = (to: Code, from: Code, bytes: number): Code => [...to, ...from, ...int(bytes), 0xfc, 0x0a, 0, 0];
/** Loads 32 bits of memory as an unsigned number. */
const load = (address: Code, offset: number): Code => [...address, 0x35, ALIGNED_TO_4, ...unsigned(offset)];
const store = (address: Code, offset: number, value: Code): Code => [
  ...address,
  ...value,
  0x3e,
  ALIGNED_TO_4,
  ...unsigned(offset),
];
const call = (index: number, ...args: readonly Code[]): Code => [...args.flat(), 0x10, ...unsigned(index)];
const when = (condition: Code, then: Code): Code => [...condition, 0x04, NO_RESULT, ...then, 0x0b];

/** Assembles a module of functions that import their memory as `env.memory`. */
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

/**
 * Arithmetic modulo the prime of secp256k1 as WebAssembly. A number is ten digits of 26 bits, lowest first, each in 32
 * bits of memory, and any representative below 2^260 and a little. A digit may be up to 2^19 too large. So a column of
 * at most ten products, each below 2^56, fits into 64 bits.
 */
export const DIGITS = 10;
export const DIGIT_BITS = 26;
export const NUMBER_BYTES = 4 * DIGITS;

const PRIME = 2n ** 256n - 2n ** 32n - 977n;
const BITS = BigInt(DIGIT_BITS);
const MASK = 2n ** BITS - 1n;
/** 2^260 ≡ 2^36 + 15632: a digit ten positions higher counts 15632 times here and 1024 times one position higher. */
const FOLD = 15_632n;
const FOLD_ABOVE = 1024n;

/** 32 times the prime, with digits between 2^27 - 2 and 2^28, so that any digit can be subtracted. */
const LENT = digitsOf(32n * PRIME).map(
  (digit, index) => digit + (index < DIGITS - 1 ? 2n << BITS : 0n) - (index > 0 ? 2n : 0n),
);

function digitsOf(value: bigint): readonly bigint[] {
  return Array.from({ length: DIGITS }, (_, index) => {
    const rest = value >> (BITS * BigInt(index));
    return index < DIGITS - 1 ? rest & MASK : rest;
  });
}

const places = Array.from({ length: DIGITS }, (_, index) => index);
const sum = (codes: readonly Code[]): Code => codes.slice(1).reduce(add, codes[0] ?? long(0n));
const low = (value: Code): Code => and(value, long(MASK));
const above = (value: Code): Code => shiftRight(value, long(BITS));
/** Reads ten local digits. */
const locals = (first: number): readonly Code[] => places.map((it) => get(first + it));
const read = (first: number, from: Code): Code => places.flatMap((it) => set(first + it, load(from, 4 * it)));
const write = (to: Code, first: number): Code => places.flatMap((it) => store(to, 4 * it, get(first + it)));

/** First parameter of each function. Locals are parameters, operand digits, result digits. */
const TARGET = get(0);

/** Columns of a product, lowest first. */
type Columns = (position: number) => Code;

/**
 * Reduces the columns of a product to digits.
 *
 * @param first - of 21 locals: the ten digits of the result, the ten above them, and a carry
 */
function reduced(column: Columns, first: number): Code {
  const [carry, high] = [first + 2 * DIGITS, first + DIGITS];
  const carried = (value: Code, digit: number): Code => [
    ...set(carry, value),
    ...set(digit, low(get(carry))),
    ...set(carry, above(get(carry))),
  ];
  const folded = (position: number): Code => {
    const own = add(column(position), multiply(get(high + position), long(FOLD)));
    return position === 0 ? own : add(own, multiply(get(high + position - 1), long(FOLD_ABOVE)));
  };
  return [
    ...set(carry, long(0n)),
    ...places.slice(1).flatMap((it) => carried(add(get(carry), column(it + DIGITS - 1)), high + it - 1)),
    ...set(high + DIGITS - 1, get(carry)),
    ...set(carry, long(0n)),
    ...places.flatMap((it) => carried(add(get(carry), folded(it)), first + it)),
    ...set(carry, add(get(carry), multiply(get(high + DIGITS - 1), long(FOLD_ABOVE)))),
    ...set(high, add(get(first), multiply(get(carry), long(FOLD)))),
    ...set(first, low(get(high))),
    ...set(high, add(add(get(first + 1), multiply(get(carry), long(FOLD_ABOVE))), above(get(high)))),
    ...set(first + 1, low(get(high))),
    ...set(high, add(get(first + 2), above(get(high)))),
    ...set(first + 2, low(get(high))),
    ...set(first + 3, add(get(first + 3), above(get(high)))),
    ...write(TARGET, first),
  ];
}

/** Emits (target, left, right): product. */
function product(): WasmFunction {
  const [left, right, result] = [3, 3 + DIGITS, 3 + 2 * DIGITS];
  const [a, b] = [locals(left), locals(right)];
  const column: Columns = (position) =>
    sum(places.flatMap((it) => (position - it in b ? [multiply(a[it] ?? [], b[position - it] ?? [])] : [])));
  const code = [...read(left, get(1)), ...read(right, get(2)), ...reduced(column, result)];
  return { name: "multiply", parameters: 3, locals: 4 * DIGITS + 1, code };
}

/** Emits (target, number): square, for little more than half the cost of a product. */
function square(): WasmFunction {
  const [own, doubled, result] = [2, 2 + DIGITS, 2 + 2 * DIGITS];
  const [a, twice] = [locals(own), locals(doubled)];
  const column: Columns = (position) =>
    sum(
      places.flatMap((it) => {
        const other = position - it;
        if (other < it || other >= DIGITS) return [];
        return [multiply((other === it ? a[it] : twice[it]) ?? [], a[other] ?? [])];
      }),
    );
  const doubling = places.flatMap((it) => set(doubled + it, add(get(own + it), get(own + it))));
  const code = [...read(own, get(1)), ...doubling, ...reduced(column, result)];
  return { name: "square", parameters: 2, locals: 4 * DIGITS + 1, code };
}

/** Emits (target, left, right): difference. */
function difference(): WasmFunction {
  return linear("subtract", 3, (left, right) => add(left, right));
}

/** Emits (target, left, right, p, q): p × left − q × right, with p up to 4 and q up to 8. */
function combination(): WasmFunction {
  const [p, q] = [widened(get(3)), widened(get(4))];
  return linear("combine", 5, (left, right) => add(multiply(left, p), multiply(right, q)));
}

/** @param term - of a digit of the left number and a negated digit of the right one, which is not negative */
function linear(name: string, parameters: number, term: (left: Code, right: Code) => Code): WasmFunction {
  const [result, carry] = [parameters, parameters + DIGITS];
  const digits = places.flatMap((it) => {
    const negated = subtract(long(LENT[it] ?? 0n), load(get(2), 4 * it));
    return [
      ...set(carry, add(get(carry), term(load(get(1), 4 * it), negated))),
      ...set(result + it, low(get(carry))),
      ...set(carry, above(get(carry))),
    ];
  });
  const code = [
    ...digits,
    ...set(result, add(get(result), multiply(get(carry), long(FOLD)))),
    ...set(result + 1, add(get(result + 1), multiply(get(carry), long(FOLD_ABOVE)))),
    ...write(TARGET, result),
  ];
  return { name, parameters, locals: DIGITS + 1, code };
}

const [MULTIPLY, SQUARE, SUBTRACT, COMBINE, POWERS, INVERT] = [0, 1, 2, 3, 4, 5];
const times = (target: Code, left: Code, right: Code): Code => call(MULTIPLY, target, left, right);
const squared = (target: Code, number: Code): Code => call(SQUARE, target, number);
const less = (target: Code, left: Code, right: Code): Code => call(SUBTRACT, target, left, right);
/** A number and its factor. */
type Term = readonly [factor: number, number: Code];
const combined = (target: Code, [p, left]: Term, [q, right]: Term): Code =>
  call(COMBINE, target, left, right, int(p), int(q));

/** Step of an addition chain: earlier step (0 is Z), squarings, step that is the factor. */
type Step = readonly [from: number, squarings: number, factor: number];

/**
 * Powers that inversion and square root have in common. The exponents are 2, 3, 6, 9, 11, 22, 44, 88, 176, 220 and 223
 * ones, and last 223 ones, 0, 22 ones.
 */
const COMMON: readonly Step[] = [
  [0, 1, 0],
  [1, 1, 0],
  [2, 3, 2],
  [3, 3, 2],
  [4, 2, 1],
  [5, 11, 5],
  [6, 22, 6],
  [7, 44, 7],
  [8, 88, 8],
  [9, 44, 7],
  [10, 3, 2],
  [11, 23, 6],
];
/** The exponent is the prime less 2: the digits 0000101101 follow. */
const INVERSION: readonly Step[] = [
  [12, 5, 0],
  [13, 3, 1],
  [14, 2, 0],
];
/** The exponent is a quarter of the prime plus 1: the digits 00001100 follow, the last two without a factor. */
const ROOT: Step = [12, 6, 1];
const ROOT_SQUARINGS = 2;

/** Variables at the start of memory. The running sum is X, Y and Z in Jacobian coordinates. */
const NAMES = ["x", "y", "zero", "own", "zz", "u", "s", "h", "slope", "hh", "hhh", "v", "z"] as const;
const position = (name: (typeof NAMES)[number]): number => NAMES.indexOf(name) * NUMBER_BYTES;
const at = (name: (typeof NAMES)[number]): Code => int(position(name));
/** Returns the address of the result of an inversion step. */
const stepAt = (step: number): Code => int(position("z") + step * NUMBER_BYTES);

/** Addresses in memory, in bytes; memory from `free` on is unused. */
export const PLACES = {
  x: position("x"),
  y: position("y"),
  z: position("z"),
  zero: position("zero"),
  /** Result of an inversion or a square root. */
  power: position("z") + (COMMON.length + INVERSION.length) * NUMBER_BYTES,
  free: position("z") + (COMMON.length + INVERSION.length + 1) * NUMBER_BYTES,
} as const;

/**
 * Emits (point, negative): adds or subtracts an affine point, with formulas without special cases. Once Z is 0 it stays
 * 0.
 */
function addition(): WasmFunction {
  const one = get(0);
  const [x, y, z, own, zz, u, s] = [at("x"), at("y"), at("z"), at("own"), at("zz"), at("u"), at("s")];
  const [h, slope, hh, hhh, v] = [at("h"), at("slope"), at("hh"), at("hhh"), at("v")];
  const code = [
    ...squared(zz, z),
    ...times(u, one, zz),
    ...times(s, z, zz),
    ...times(s, s, addInt(one, int(NUMBER_BYTES))),
    ...when(get(1), less(s, at("zero"), s)),
    ...less(h, u, x),
    ...less(slope, s, y),
    ...squared(hh, h),
    ...times(hhh, h, hh),
    ...times(v, x, hh),
    ...times(z, z, h),
    ...squared(x, slope),
    ...less(x, x, hhh),
    ...less(x, x, v),
    ...less(x, x, v),
    ...less(v, v, x),
    ...times(v, v, slope),
    ...times(own, y, hhh),
    ...less(y, v, own),
  ];
  return { name: "add", parameters: 2, locals: 0, code };
}

/** Emits (): doubles the running sum. Once Z is 0 it stays 0. */
function doubling(): WasmFunction {
  const [x, y, z, own, zz, u, s] = [at("x"), at("y"), at("z"), at("own"), at("zz"), at("u"), at("s")];
  const none = at("zero");
  const code = [
    ...times(z, y, z),
    ...combined(z, [2, z], [0, none]),
    ...squared(u, y),
    ...times(s, x, u),
    ...squared(u, u),
    ...squared(own, x),
    ...combined(own, [3, own], [0, none]),
    ...squared(zz, own),
    ...combined(x, [1, zz], [8, s]),
    ...combined(s, [4, s], [1, x]),
    ...times(y, own, s),
    ...combined(y, [1, y], [8, u]),
  ];
  return { name: "double", parameters: 0, locals: 0, code };
}

/** Computes steps of an addition chain, the first of them into the given step. */
function powers(steps: readonly Step[], first: number): Code {
  return steps.flatMap(([from, squarings, factor], index) => {
    const target = stepAt(first + index);
    const more = Array(squarings - 1).fill(squared(target, target));
    return [...squared(target, stepAt(from)), ...more.flat(), ...times(target, target, stepAt(factor))];
  });
}

/** Emits (): the powers of Z that inversion and square root have in common. */
function commonPowers(): WasmFunction {
  return { name: "powers", parameters: 0, locals: 0, code: powers(COMMON, 1) };
}

/** Emits (): the inverse of Z; 0 has the inverse 0. */
function inversion(): WasmFunction {
  const code = [...call(POWERS), ...powers(INVERSION, COMMON.length + 1)];
  return { name: "invert", parameters: 0, locals: 0, code };
}

/** Emits (): a square root of Z if there is one. */
function root(): WasmFunction {
  const result = int(PLACES.power);
  const last = Array(ROOT_SQUARINGS).fill(squared(result, result)).flat();
  const first = COMMON.length + INVERSION.length;
  return { name: "root", parameters: 0, locals: 0, code: [...call(POWERS), ...powers([ROOT], first), ...last] };
}

/** Emits (): converts X and Y to affine coordinates; both become 0 when Z is 0. */
function affine(): WasmFunction {
  const [x, y, zz, s, inverse] = [at("x"), at("y"), at("zz"), at("s"), int(PLACES.power)];
  const code = [
    ...call(INVERT),
    ...squared(zz, inverse),
    ...times(s, zz, inverse),
    ...times(x, x, zz),
    ...times(y, y, s),
  ];
  return { name: "affine", parameters: 0, locals: 0, code };
}

const second = (address: Code): Code => addInt(address, int(NUMBER_BYTES));

/**
 * Emits (point, factors): stores X and Y of the running sum as a point, and Z and its product with all earlier Z as
 * factors. The product of the earlier ones is the number before them.
 */
function storing(): WasmFunction {
  const [point, factors] = [get(0), get(1)];
  const code = [
    ...copy(point, at("x"), 2 * NUMBER_BYTES),
    ...copy(factors, at("z"), NUMBER_BYTES),
    ...times(second(factors), addInt(factors, int(-NUMBER_BYTES)), at("z")),
  ];
  return { name: "store", parameters: 2, locals: 0, code };
}

/**
 * Emits (point, factors): makes a stored point affine. The result of the last inversion has to be the inverse of the
 * product of its factors; it becomes that of the factors before them.
 */
function normalising(): WasmFunction {
  const [point, factors, inverse] = [get(0), get(1), int(PLACES.power)];
  const [own, zz] = [at("own"), at("zz")];
  const code = [
    ...times(own, inverse, addInt(factors, int(-NUMBER_BYTES))),
    ...times(inverse, inverse, factors),
    ...squared(zz, own),
    ...times(own, own, zz),
    ...times(point, point, zz),
    ...times(second(point), second(point), own),
  ];
  return { name: "normalise", parameters: 2, locals: 0, code };
}

/** In the order of their numbers. */
export const fieldCode = (): readonly WasmFunction[] => [
  product(),
  square(),
  difference(),
  combination(),
  commonPowers(),
  inversion(),
  addition(),
  doubling(),
  affine(),
  root(),
  storing(),
  normalising(),
];
