import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { getActivePrecompiles, NobleBN254, paramsEVM } from "@ethereumjs/evm";
import { sha256 } from "@finality/tron/primitives";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { checkedLength } from "./java-arrays.ts";
import type { Precompile } from "./operation.ts";
import { wordOfBytes } from "./words.ts";

const WORD = 32;
const BLAKE_INPUT = 213;
const STEPS_PER_ROUND = 2;

/** sha256, identity, what stands where Ethereum has RIPEMD-160, and the two that have places of their own. */
export const hashPrecompiles: readonly (readonly [bigint, Precompile])[] = [
  [0x02n, { energy: byWords(60, 12), run: (input) => sha256(input) }],
  [0x03n, { energy: byWords(600, 120), run: (input) => sha256(sha256(input).subarray(0, 20)) }],
  [0x04n, { energy: byWords(15, 3), run: (input) => input }],
  [
    0x020003n,
    {
      energy: byWords(600, 120),
      run: (input) => leftPadded(ripemd160(input)),
      when: ({ getAllowTvmCompatibleEvm }) => getAllowTvmCompatibleEvm === 1,
    },
  ],
  [
    0x020009n,
    {
      energy: blakeRounds,
      steps: (input) => STEPS_PER_ROUND * blakeRounds(input),
      failure: new Uint8Array(WORD),
      run: (input) => (isBlakeInput(input) ? blake2(input) : undefined),
      when: ({ getAllowTvmCompatibleEvm }) => getAllowTvmCompatibleEvm === 1,
    },
  ],
];

function blakeRounds(input: Uint8Array): number {
  return isBlakeInput(input) ? Buffer.from(input).readUInt32BE(0) : 0;
}

function byWords(base: number, perWord: number): (input: Uint8Array) => number {
  return ({ length }) => base + Math.ceil(length / WORD) * perWord;
}

function leftPadded(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(WORD);
  word.set(bytes, WORD - bytes.length);
  return word;
}

function isBlakeInput(input: Uint8Array): boolean {
  return input.length === BLAKE_INPUT && ((input[BLAKE_INPUT - 1] ?? 0) & 0xfe) === 0;
}

const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun, params: paramsEVM });
const libraryBlake2 = getActivePrecompiles(common).get("9".padStart(40, "0"));

/** The library's, which answers at once. */
function blake2(input: Uint8Array): Uint8Array | undefined {
  const options = { data: Uint8Array.from(input), gasLimit: 2n ** 63n, common };
  const answer = libraryBlake2?.(options as unknown as Parameters<typeof libraryBlake2>[0]);
  return answer === undefined || answer instanceof Promise ? undefined : answer.returnValue;
}

const POINT_PAIR = 128;
const POINT_AND_SCALAR = 96;
const PAIRING = 192;
const curve = new NobleBN254();

/** The curve BN254 at Istanbul's prices. A point that is not on it fails the call. */
export const curvePrecompiles: readonly (readonly [bigint, Precompile])[] = [
  [0x06n, { energy: () => 150, run: (input) => attempted(() => curve.add(padded(input, POINT_PAIR))) }],
  [0x07n, { energy: () => 6000, run: (input) => attempted(() => curve.mul(padded(input, POINT_AND_SCALAR))) }],
  [
    0x08n,
    {
      energy: ({ length }) => 45_000 + 34_000 * Math.floor(length / PAIRING),
      run: (input) => (input.length % PAIRING === 0 ? attempted(() => curve.pairing(input)) : undefined),
    },
  ],
];

/** Input that is too short goes on with zeros; what is too long is cut off. */
function padded(input: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(input.subarray(0, length));
  return bytes;
}

function attempted(compute: () => Uint8Array): Uint8Array | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}

const LENGTHS = 3 * WORD;
const INT_MAX = 2_147_483_647;
const LONG_MAX = 2n ** 63n - 1n;
/** No length above this can be paid for, so nothing that large is ever read. */
const READABLE = 3_145_728;

/** Modular exponentiation at Byzantium's price. */
export const modularPower: Precompile = {
  energy: (input) => {
    const [base, exponent, modulus] = lengths(input);
    const size = BigInt(Math.max(base, modulus));
    const head = wordOfBytes(piece(input, LENGTHS + base, Math.min(exponent, WORD)));
    const bits = adjustedLength(head, exponent);
    const energy = (complexity(size) * (bits > 1n ? bits : 1n)) / 20n;
    return Number(energy < LONG_MAX ? energy : LONG_MAX);
  },

  run: (input) => {
    const [baseLength, exponentLength, modulusLength] = lengths(input);
    const base = argument(input, LENGTHS, baseLength);
    const exponent = argument(input, LENGTHS + baseLength, exponentLength);
    const modulus = argument(input, LENGTHS + baseLength + exponentLength, modulusLength);
    if (modulus === 0n) return new Uint8Array();
    const digits = power(base, exponent, modulus).toString(16);
    return Buffer.from(digits.padStart(modulusLength * 2, "0"), "hex");
  },
};

/** Beyond the input nothing is read, so no length is too long there. @throws {Halt} it ends the transaction */
function argument(input: Uint8Array, offset: number, length: number): bigint {
  return offset >= input.length ? 0n : wordOfBytes(piece(input, offset, checkedLength(length)));
}

/** A length that does not fit into an int counts as the largest one. */
function lengths(input: Uint8Array): [number, number, number] {
  const at = (index: number): number => {
    const length = wordOfBytes(piece(input, index * WORD, WORD));
    return length > BigInt(INT_MAX) ? INT_MAX : Number(length);
  };
  return [at(0), at(1), at(2)];
}

/** Beyond the input there are zeros. */
function piece(input: Uint8Array, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(length, READABLE));
  bytes.set(input.subarray(offset, offset + bytes.length));
  return bytes;
}

function complexity(size: bigint): bigint {
  const square = size * size;
  if (size <= 64n) return square;
  if (size <= 1024n) return square / 4n + 96n * size - 3072n;
  return square / 16n + 480n * size - 199_680n;
}

function adjustedLength(head: bigint, length: number): bigint {
  const highest = head === 0n ? 0n : BigInt(head.toString(2).length - 1);
  return length <= WORD ? highest : 8n * BigInt(length - WORD) + highest;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  let square = base % modulus;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
