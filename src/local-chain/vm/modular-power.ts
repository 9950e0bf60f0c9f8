import type { Precompile } from "./precompile.ts";
import { wordOfBytes } from "./words.ts";

const WORD = 32;
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
    const modulus = wordOfBytes(piece(input, LENGTHS + baseLength + exponentLength, modulusLength));
    if (modulus === 0n) return new Uint8Array();
    const base = wordOfBytes(piece(input, LENGTHS, baseLength));
    const exponent = wordOfBytes(piece(input, LENGTHS + baseLength, exponentLength));
    const digits = power(base, exponent, modulus).toString(16);
    return Buffer.from(digits.padStart(modulusLength * 2, "0"), "hex");
  },
};

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
