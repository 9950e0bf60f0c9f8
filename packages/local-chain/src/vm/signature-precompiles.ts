import { type Address, addressToBytes, bytesToHex, sha256 } from "@finality/tron/primitives";
import type { Permission } from "@finality/tron/schema";
import { addressOfHash } from "@finality/tron/transaction";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { permissionOf, weightOf } from "../chain/account.ts";
import { Halt, outOfTime } from "../chain/halt.ts";
import { checkedLength } from "./java-arrays.ts";
import type { Precompile, PrecompileCaller } from "./operation.ts";
import { addressOf, wordOfBytes } from "./words.ts";

const WORD = 32;
const SIGNATURE = 65;
const FIRST_HEADER = 27;
const PER_SIGNATURE = 1500;
const MAX_BATCH = 16;
const MAX_MULTI_SIGN = 5;
const INT_MAX = 2_147_483_647n;
const FALSE = new Uint8Array(WORD);
const TRUE = Uint8Array.of(...new Uint8Array(WORD - 1), 1);

/** Who has signed: one signature, many at once, or those of an account's permission. */
export const signaturePrecompiles: readonly (readonly [bigint, Precompile])[] = [
  [0x01n, { energy: () => 3000, run: recoverOne }],
  [
    0x09n,
    {
      energy: ({ length }) => Math.trunc((Math.floor(length / WORD) - 5) / 6) * PER_SIGNATURE,
      run: batchValidateSign,
      when: ({ getAllowTvmSolidity059 }) => getAllowTvmSolidity059 === 1,
    },
  ],
  [
    0x0an,
    {
      energy: ({ length }) => Math.trunc((Math.floor(length / WORD) - 5) / 5) * PER_SIGNATURE,
      run: validateMultiSign,
      when: ({ getAllowTvmSolidity059 }) => getAllowTvmSolidity059 === 1,
    },
  ],
];

/** The signer's address with the 41 in front: 21 bytes of the word. */
function recoverOne(input: Uint8Array): Uint8Array {
  const at = (index: number): Uint8Array => word(input, index);
  const v = wordOfBytes(at(1));
  if (input.length < 3 * WORD || v > 255n) return new Uint8Array();
  const signer = signerOf(at(0), Uint8Array.of(...at(2), ...at(3)), Number(v));
  return signer === undefined ? new Uint8Array() : asWord(signer);
}

/** A byte of the answer for each signature: 1 when its signer is the address in the same place. */
function batchValidateSign(input: Uint8Array): Uint8Array {
  try {
    const signatures = byteArrays(input, offsetAt(input, 1));
    const addresses = wordArray(input, offsetAt(input, 2));
    const count = signatures.length;
    if (count === 0 || count > MAX_BATCH || count !== addresses.length) return FALSE;
    const answer = new Uint8Array(WORD);
    for (const [index, signature] of signatures.entries()) {
      const signer = signerOfBytes(word(input, 0), signature);
      if (signer !== undefined && signer === addressOf(addresses[index] ?? 0n)) answer[index] = 1;
    }
    return answer;
  } catch (error) {
    if (error instanceof Halt) return FALSE;
    throw error;
  }
}

/** 1 when the signatures reach the threshold of an account's permission. */
function validateMultiSign(input: Uint8Array, { frame }: PrecompileCaller): Uint8Array {
  for (const index of [0, 1, 2, 3]) wordAt(input, index);
  const address = addressOf(wordOfBytes(word(input, 0)));
  const permissionId = intOf(wordOfBytes(word(input, 1)));
  const hash = sha256(Buffer.concat([addressToBytes(address), bytesOfInt(permissionId), word(input, 2)]));
  const signatures = byteArrays(input, offsetAt(input, 3));
  const account = frame.ledger.account(address);
  const permission = account && permissionOf(account, permissionId);
  if (permission === undefined || signatures.length === 0 || signatures.length > MAX_MULTI_SIGN) return FALSE;
  const weight = weightOfSignatures(permission, hash, signatures);
  return weight !== undefined && weight >= permission.threshold ? TRUE : FALSE;
}

/**
 * The same signature counts once. Undefined when one does not count at all.
 *
 * @throws {Halt} `OUT_OF_TIME` a key has made two of them: the node ends the transaction as if it had taken too long
 */
function weightOfSignatures(
  permission: Permission,
  hash: Uint8Array,
  signatures: readonly Uint8Array[],
): bigint | undefined {
  const counted = new Set<string>();
  const signers = new Set<Address>();
  let weight = 0n;
  for (const signature of signatures) {
    const signer = signerOfBytes(hash, signature);
    const own = signer && weightOf(permission, signer);
    if (counted.has(bytesToHex(signature))) continue;
    if (signer === undefined || own === undefined || own === 0n) return undefined;
    if (signers.has(signer)) throw outOfTime("CPU timeout for 0x0a executing");
    signers.add(signer);
    counted.add(bytesToHex(signature));
    weight += own;
  }
  return weight;
}

/** A number that does not fit into an int counts as the largest one. */
function intOf(value: bigint): number {
  return value > INT_MAX ? Number(INT_MAX) : Number(value);
}

function bytesOfInt(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value);
  return bytes;
}

function word(input: Uint8Array, index: number): Uint8Array {
  const bytes = new Uint8Array(WORD);
  bytes.set(input.subarray(index * WORD, (index + 1) * WORD));
  return bytes;
}

/** @throws {Halt} the input ends before it: the node stumbles */
function wordAt(input: Uint8Array, index: number): Uint8Array {
  const words = Math.floor(input.length / WORD);
  if (index < words) return word(input, index);
  const message = `Index ${index} out of bounds for length ${words}`;
  throw new Halt("UNKNOWN", "java.lang.ArrayIndexOutOfBoundsException", message);
}

/** @throws {Halt} the input ends before it */
function numberAt(input: Uint8Array, index: number): number {
  return intOf(wordOfBytes(wordAt(input, index)));
}

/** Where an argument of variable length begins, in words. */
function offsetAt(input: Uint8Array, index: number): number {
  return Math.floor(numberAt(input, index) / WORD);
}

/** @throws {Halt} the input ends before the list does, or no array is that long */
function wordArray(input: Uint8Array, offset: number): readonly bigint[] {
  return listed(input, offset, (at) => wordOfBytes(wordAt(input, at)));
}

/**
 * Returns none when the list lies beyond the input.
 *
 * @throws {Halt} the input ends before the list does, or no array is that long
 */
function byteArrays(input: Uint8Array, offset: number): readonly Uint8Array[] {
  if (offset > Math.floor(input.length / WORD) - 1) return [];
  return listed(input, offset, (index) => {
    const at = offset + offsetAt(input, index) + 1;
    const size = checkedLength(numberAt(input, at));
    return padded(input.subarray((at + 1) * WORD), Math.min(size, SIGNATURE));
  });
}

/** Reads as many items as the word at the offset says; a count beyond the input fails at the first missing word. */
function listed<Item>(input: Uint8Array, offset: number, read: (index: number) => Item): Item[] {
  const count = checkedLength(numberAt(input, offset));
  const items: Item[] = [];
  while (items.length < count) items.push(read(offset + items.length + 1));
  return items;
}

/** Beyond the input there are zeros. */
function padded(bytes: Uint8Array, size: number): Uint8Array {
  const whole = new Uint8Array(size);
  whole.set(bytes.subarray(0, size));
  return whole;
}

function signerOfBytes(hash: Uint8Array, signature: Uint8Array): Address | undefined {
  if (signature.length < SIGNATURE) return undefined;
  const header = signature[SIGNATURE - 1] ?? 0;
  return signerOf(hash, signature.subarray(0, SIGNATURE - 1), header < FIRST_HEADER ? header + FIRST_HEADER : header);
}

/** @param header - 27 or 28 */
function signerOf(hash: Uint8Array, compact: Uint8Array, header: number): Address | undefined {
  const recovery = header - FIRST_HEADER;
  if (recovery !== 0 && recovery !== 1) return undefined;
  try {
    const signature = secp256k1.Signature.fromBytes(compact, "compact").addRecoveryBit(recovery);
    const key = signature.recoverPublicKey(hash).toBytes(false);
    return addressOfHash(key.subarray(1));
  } catch {
    return undefined;
  }
}

function asWord(address: Address): Uint8Array {
  return Buffer.from(bytesToHex(addressToBytes(address)).padStart(WORD * 2, "0"), "hex");
}
