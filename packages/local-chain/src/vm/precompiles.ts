import type { NobleBN254 } from "@ethereumjs/evm";
import { type Address, addressToBytes, bytesToHex, sha256, type TxId } from "@finality/tron/primitives";
import type { Permission } from "@finality/tron/schema";
import { addressOfHash } from "@finality/tron/transaction";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { type Account, permissionOf, weightOf } from "../chain/account.ts";
import { Halt, outOfHeap, outOfTime } from "../chain/halt.ts";
import { type ChainParameters, versionOf } from "../chain/parameters.ts";
import { FULL_WINDOW, MAX_UNSTAKING, type Resource, SUN_PER_COIN, stakeUsageAt } from "../chain/stake.ts";
import { effectiveStake, splitUnstaking } from "../chain/staking.ts";
import { rewardOf, votingPower } from "../chain/voting.ts";
import { sumOf } from "../chain/witness.ts";
import { accountOfPoint, recoverPoint } from "../curve/keys.ts";
import type { Frame, Precompile, PrecompileCaller } from "./frame.ts";
import { ethereumLibrary } from "./lazy-library.ts";
import { addressOf, bytesOfWord, MAX_LONG, wordOfBytes } from "./words.ts";

const WORD = 32;
const QUERY = 50;
const SLOT_SECONDS = 3n;
const SLOT_THOUSANDTHS = 1000n;

/** Precompiled queries of stakes, votes and parameters. */
export const chainPrecompiles: readonly (readonly [bigint, Precompile])[] = [
  [0x01000005n, { ...voting(500, 0, () => 0n), run: (_input, { frame, caller }) => reward(frame, caller) }],
  [0x01000006n, voting(20, 1, ({ ledger }, [who = 0n]) => (ledger.witness(addressOf(who)) === undefined ? 0n : 1n))],
  [0x01000007n, voting(500, 2, (frame, [who = 0n, witness = 0n]) => votesFor(frame, who, witness))],
  [0x01000008n, voting(20, 1, (frame, [who = 0n]) => sumOf(accountOf(frame, who)?.voting.votes ?? []))],
  [0x01000009n, voting(20, 1, ({ ledger }, [who = 0n]) => ledger.witness(addressOf(who))?.votes ?? 0n)],
  [0x0100000an, voting(20, 1, (frame, [who = 0n]) => powerOf(frame, who))],
  [0x0100000bn, query(1, 1, (frame, [code = 0n]) => [chainParameter(frame, code)])],
  [0x0100000cn, query(1, 1, (frame, [who = 0n]) => [placesLeft(frame, who)])],
  [0x0100000dn, query(2, 1, (frame, [who = 0n, type = 0n]) => [ownStake(frame, who, type)])],
  [0x0100000en, query(2, 1, (frame, [who = 0n, time = 0n]) => [dueUntil(frame, who, time)])],
  [0x0100000fn, query(2, 1, (frame, [who = 0n, type = 0n]) => [lendable(frame, who, type)])],
  [0x01000010n, query(3, 1, (frame, [to = 0n, from = 0n, type = 0n]) => [lent(frame, { to, from, type })])],
  [0x01000011n, query(3, 3, (frame, [who = 0n, amount = 0n, type = 0n]) => returned(frame, { who, amount, type }))],
  [0x01000012n, query(2, 2, (frame, [who = 0n, type = 0n]) => usage(frame, who, type))],
  [0x01000013n, query(2, 1, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "all")])],
  [0x01000014n, query(2, 1, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "lent")])],
  [0x01000015n, query(2, 1, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "borrowed")])],
];

type Answer = (frame: Frame, words: readonly bigint[]) => readonly bigint[];

/** @param words - of the input; one of another length is answered with 0 */
function voting(energy: number, words: number, answer: (frame: Frame, words: readonly bigint[]) => bigint): Precompile {
  const when = ({ getAllowTvmVote }: ChainParameters): boolean => getAllowTvmVote === 1;
  return { ...query(words, 1, (frame, input) => [answer(frame, input)]), energy: () => energy, when };
}

/** Creates a query that returns zeros for an input of the wrong length. */
function query(words: number, answers: number, answer: Answer): Precompile {
  return {
    energy: () => QUERY,
    run: (input, { frame }) => {
      const inputs = Array.from({ length: words }, (_, index) =>
        wordOfBytes(input.subarray(index * WORD, (index + 1) * WORD)),
      );
      const fits = input.length === words * WORD;
      return Buffer.concat((fits ? answer(frame, inputs) : new Array<bigint>(answers).fill(0n)).map(bytesOfWord));
    },
    when: ({ getUnfreezeDelayDays }) => getUnfreezeDelayDays > 0,
  };
}

/** Returns the withdrawable reward of the caller in sun, regardless of the input. */
function reward({ ledger }: Frame, caller: Address): Uint8Array {
  const account = ledger.account(caller);
  return bytesOfWord(account === undefined ? 0n : rewardOf(ledger, account));
}

/** Returns the votes of one account for one witness. */
function votesFor(frame: Frame, who: bigint, witness: bigint): bigint {
  const votes = accountOf(frame, who)?.voting.votes ?? [];
  return sumOf(votes.filter((it) => it.witness === addressOf(witness)));
}

function powerOf(frame: Frame, who: bigint): bigint {
  const account = accountOf(frame, who);
  return account === undefined ? 0n : votingPower(frame.ledger, account) / SUN_PER_COIN;
}

function chainParameter({ machine, ledger }: Frame, code: bigint): bigint {
  const { parameters } = machine.environment;
  const { weight } = ledger.totals;
  const values = [
    0n,
    BigInt(parameters.getTotalNetLimit),
    weight.bandwidth,
    BigInt(parameters.getTotalEnergyCurrentLimit),
    weight.energy,
    BigInt(parameters.getUnfreezeDelayDays),
  ];
  return code < BigInt(values.length) ? (values[Number(code)] ?? 0n) : 0n;
}

/** Returns the number of unstaking entries still allowed. */
function placesLeft(frame: Frame, who: bigint): bigint {
  const account = accountOf(frame, who);
  if (account === undefined) return 0n;
  const left = MAX_UNSTAKING - splitUnstaking(account, frame.machine.environment.now).waiting.length;
  return BigInt(Math.max(0, left));
}

/** Returns the unstaked sun due by a time in seconds. */
function dueUntil(frame: Frame, who: bigint, seconds: bigint): bigint {
  const account = accountOf(frame, who);
  if (account === undefined) return 0n;
  const time = seconds >= MAX_LONG / 1000n ? Number.POSITIVE_INFINITY : Number(seconds * 1000n);
  return splitUnstaking(account, time).due;
}

function accountOf({ ledger }: Frame, who: bigint): Account | undefined {
  return ledger.account(addressOf(who));
}

function resourceOf(type: bigint): Resource | undefined {
  return type === 0n ? "bandwidth" : type === 1n ? "energy" : undefined;
}

function ownStake(frame: Frame, who: bigint, type: bigint): bigint {
  const account = accountOf(frame, who);
  const purpose = type === 2n ? "tronPower" : resourceOf(type);
  return account === undefined || purpose === undefined ? 0n : account.stake[purpose];
}

function staked(frame: Frame, who: bigint, type: bigint, what: "all" | "lent" | "borrowed"): bigint {
  const account = accountOf(frame, who);
  const resource = resourceOf(type);
  if (account === undefined || resource === undefined) return 0n;
  return what === "all" ? effectiveStake(account, resource) : account[what][resource];
}

/** Returns the stake in sun that current usage occupies, and the seconds until it has recovered. */
function usage({ ledger, machine }: Frame, who: bigint, type: bigint): readonly [sun: bigint, seconds: bigint] {
  const account = ledger.account(addressOf(who));
  const resource = resourceOf(type);
  if (account === undefined || resource === undefined) return [0n, 0n];
  const { getTotalNetLimit, getTotalEnergyCurrentLimit } = machine.environment.parameters;
  const total = resource === "bandwidth" ? getTotalNetLimit : getTotalEnergyCurrentLimit;
  const used = account.used[resource];
  const now = ledger.slotAt(machine.environment.now);
  const slots =
    BigInt(used.slot - now) + (used.window < SLOT_THOUSANDTHS ? FULL_WINDOW : used.window) / SLOT_THOUSANDTHS;
  if (slots <= 0n) return [0n, 0n];
  const weight = ledger.totals.weight[resource];
  const amount = stakeUsageAt(used, now);
  const seconds = slots * SLOT_SECONDS;
  if (machine.environment.parameters.getAllowHardenResourceCalculation === 1) {
    return [(amount * weight * SUN_PER_COIN) / BigInt(total), seconds];
  }
  const sun = ((Number(amount) * Number(weight)) / total) * Number(SUN_PER_COIN);
  return [BigInt(Math.trunc(sun)), seconds];
}

function lendable(frame: Frame, who: bigint, type: bigint): bigint {
  const account = accountOf(frame, who);
  const resource = resourceOf(type);
  if (account === undefined || resource === undefined) return 0n;
  const [sun] = usage(frame, who, type);
  const own = sun - account.borrowed[resource];
  const left = account.stake[resource] - (own > 0n ? own : 0n);
  return left > 0n ? left : 0n;
}

interface ReturnQuery {
  readonly who: bigint;
  /** Sun. */
  readonly amount: bigint;
  readonly type: bigint;
}

/** Returns the unused part, the used part, and the recovery time of resources undelegated from a receiver. */
function returned(frame: Frame, { who, amount, type }: ReturnQuery): readonly [bigint, bigint, bigint] {
  const account = accountOf(frame, who);
  const resource = resourceOf(type);
  if (account === undefined || resource === undefined || amount === 0n) return [0n, 0n, 0n];
  const all = effectiveStake(account, resource);
  const [used, seconds] = usage(frame, who, type);
  const part = amount < all ? amount : all;
  if (all <= used) return [0n, part, seconds];
  const clean = BigInt(Math.trunc(Number(part) * (Number(all - used) / Number(all))));
  return [clean, part - clean, seconds];
}

interface DelegationQuery {
  readonly to: bigint;
  readonly from: bigint;
  readonly type: bigint;
}

function lent(frame: Frame, { to, from, type }: DelegationQuery): bigint {
  if (addressOf(to) === addressOf(from)) return ownStake(frame, from, type);
  const lender = accountOf(frame, from);
  const resource = resourceOf(type);
  if (lender === undefined || resource === undefined) return 0n;
  const delegation = lender.delegations.find((it) => it.to === addressOf(to));
  return delegation === undefined ? 0n : delegation.free[resource] + delegation.locked[resource].amount;
}

const BLAKE_INPUT = 213;
const STEPS_PER_ROUND = 2;

/** Hash precompiles: sha256, identity, TRON's replacement of RIPEMD-160, and two with addresses of their own. */
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

/** Runs the library's synchronous implementation. */
function blake2(input: Uint8Array): Uint8Array | undefined {
  const { blake2: implementation, common } = ethereumLibrary();
  const options = { data: Uint8Array.from(input), gasLimit: 2n ** 63n, common };
  const answer = implementation?.(options as unknown as Parameters<typeof implementation>[0]);
  return answer === undefined || answer instanceof Promise ? undefined : answer.returnValue;
}

const POINT_PAIR = 128;
const POINT_AND_SCALAR = 96;
const PAIRING = 192;
const curve = (): NobleBN254 => ethereumLibrary().bn254;

/** BN254 precompiles at Istanbul's prices. Points off the curve fail the call. */
export const curvePrecompiles: readonly (readonly [bigint, Precompile])[] = [
  [0x06n, { energy: () => 150, run: (input) => attempted(() => curve().add(padded(input, POINT_PAIR))) }],
  [0x07n, { energy: () => 6000, run: (input) => attempted(() => curve().mul(padded(input, POINT_AND_SCALAR))) }],
  [
    0x08n,
    {
      energy: ({ length }) => 45_000 + 34_000 * Math.floor(length / PAIRING),
      run: (input) => (input.length % PAIRING === 0 ? attempted(() => curve().pairing(input)) : undefined),
    },
  ],
];

/** Pads input with zeros, or truncates it. */
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
/** Largest affordable length. */
const READABLE = 3_145_728;

/** Longest number of a modular exponentiation with proposal 96, in bytes. */
const LONGEST_NUMBER = 1024;

/** Modular exponentiation at Byzantium's price, with proposal 96 at Osaka's (TIP-7823, TIP-7883). */
export const modularPower: Precompile = {
  energy: (input, { getAllowTvmOsaka }) => {
    const [base, exponent, modulus] = lengths(input);
    const size = BigInt(Math.max(base, modulus));
    const head = wordOfBytes(piece(input, LENGTHS + base, Math.min(exponent, WORD)));
    if (getAllowTvmOsaka === 1) return osakaPrice(size, head, exponent);
    const bits = adjustedLength(head, exponent);
    const energy = (complexity(size) * (bits > 1n ? bits : 1n)) / 20n;
    return Number(energy < LONG_MAX ? energy : LONG_MAX);
  },

  run: (input, { frame: { machine } }) => {
    const [baseLength, exponentLength, modulusLength] = lengths(input);
    const { parameters } = machine.environment;
    const osaka = parameters.getAllowTvmOsaka === 1;
    if (osaka && Math.max(baseLength, exponentLength, modulusLength) > LONGEST_NUMBER) return undefined;
    if (
      versionOf(parameters) !== "4.8.0" &&
      baseLength === 0 &&
      modulusLength === 0 &&
      exponentLength > LONGEST_NUMBER
    ) {
      throw outOfTime("CPU timeout for modExp executing");
    }
    const base = argument(input, LENGTHS, baseLength);
    const exponent = argument(input, LENGTHS + baseLength, exponentLength);
    const modulus = argument(input, LENGTHS + baseLength + exponentLength, modulusLength);
    if (modulus === 0n) return new Uint8Array(osaka ? modulusLength : 0);
    const digits = power(base, exponent, modulus).toString(16);
    return Buffer.from(digits.padStart(modulusLength * 2, "0"), "hex");
  },
};

const OSAKA_LEAST = 500n;
const OSAKA_LEAST_COMPLEXITY = 16n;
const OSAKA_PER_BYTE = 16;

/** @param size - bytes of the longer one of base and modulus @param head - first word of the exponent */
function osakaPrice(size: bigint, head: bigint, exponent: number): number {
  const words = (size + 7n) / 8n;
  const complexity = size <= BigInt(WORD) ? OSAKA_LEAST_COMPLEXITY : 2n * words * words;
  const highest = head === 0n ? 0 : head.toString(2).length - 1;
  const steps = BigInt(Math.max(1, highest + OSAKA_PER_BYTE * Math.max(0, exponent - WORD)));
  const energy = complexity * steps;
  return Number(energy < OSAKA_LEAST ? OSAKA_LEAST : energy < LONG_MAX ? energy : LONG_MAX);
}

/** Reads an argument; beyond the input any length is zero. @throws {Halt} it ends the transaction */
function argument(input: Uint8Array, offset: number, length: number): bigint {
  return offset >= input.length ? 0n : wordOfBytes(piece(input, offset, checkedLength(length)));
}

/** Reads the lengths; those beyond an int become the largest int. */
function lengths(input: Uint8Array): [number, number, number] {
  const at = (index: number): number => {
    const length = wordOfBytes(piece(input, index * WORD, WORD));
    return length > BigInt(INT_MAX) ? INT_MAX : Number(length);
  };
  return [at(0), at(1), at(2)];
}

/** Reads a part of the input, padded with zeros. */
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

const SIGNATURE = 65;
const FIRST_HEADER = 27;
const PER_SIGNATURE = 1500;
const MAX_BATCH = 16;
const MAX_MULTI_SIGN = 5;
const FALSE = new Uint8Array(WORD);
const TRUE = Uint8Array.of(...new Uint8Array(WORD - 1), 1);

/** Signature precompiles: one signature, a batch, or those of an account permission. */
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

/** Recovers the signer's address with the prefix 41, 21 bytes of the word. */
function recoverOne(input: Uint8Array): Uint8Array {
  const at = (index: number): Uint8Array => word(input, index);
  const v = wordOfBytes(at(1));
  if (input.length < 3 * WORD || v > 255n) return new Uint8Array();
  const signer = signerOf(at(0), Uint8Array.of(...at(2), ...at(3)), Number(v));
  return signer === undefined ? new Uint8Array() : asWord(signer);
}

/** Validates signatures in a batch: a byte is 1 when the signer equals the address at its position. */
function batchValidateSign(input: Uint8Array, { frame }: PrecompileCaller): Uint8Array | undefined {
  const { parameters } = frame.machine.environment;
  if (!isEncoded(input, parameters, 6)) return undefined;
  try {
    if (isRestricted(parameters)) {
      const counts = [1, 2].map((index) => numberAt(input, offsetAt(input, index)));
      if (counts.some((it) => it > MAX_BATCH)) return FALSE;
    }
    const signatures = signaturesAt(input, offsetAt(input, 1), parameters);
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

/** Returns 1 when the signatures reach the threshold of an account permission. */
function validateMultiSign(input: Uint8Array, { frame }: PrecompileCaller): Uint8Array | undefined {
  const { parameters } = frame.machine.environment;
  if (!isEncoded(input, parameters, 5)) return undefined;
  for (const index of [0, 1, 2, 3]) wordAt(input, index);
  const address = addressOf(wordOfBytes(word(input, 0)));
  const permissionId = intOf(wordOfBytes(word(input, 1)));
  const hash = sha256(Buffer.concat([addressToBytes(address), bytesOfInt(permissionId), word(input, 2)]));
  if (isRestricted(parameters) && numberAt(input, offsetAt(input, 3)) > MAX_MULTI_SIGN) return FALSE;
  const signatures = signaturesAt(input, offsetAt(input, 3), parameters);
  const account = frame.ledger.account(address);
  const permission = account && permissionOf(account, permissionId);
  if (permission === undefined || signatures.length === 0 || signatures.length > MAX_MULTI_SIGN) return FALSE;
  const weight = weightOfSignatures(permission, hash, signatures);
  return weight !== undefined && weight >= permission.threshold ? TRUE : FALSE;
}

/**
 * Returns the weight of the signatures; equal ones count once. Undefined if one is invalid.
 *
 * @throws {Halt} `OUT_OF_TIME` a key has signed twice, which the node treats as a timeout
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

function isRestricted({ getAllowTvmSelfdestructRestriction }: ChainParameters): boolean {
  return getAllowTvmSelfdestructRestriction === 1;
}

const HEADER_WORDS = 5;

/** Returns whether an input has the length of one or more signatures, which proposal 96 demands. */
function isEncoded({ length }: Uint8Array, { getAllowTvmOsaka }: ChainParameters, itemWords: number): boolean {
  if (getAllowTvmOsaka !== 1) return true;
  const tail = length - HEADER_WORDS * WORD;
  return length % WORD === 0 && tail > 0 && tail % (itemWords * WORD) === 0;
}

/** Reads signatures: of any length, with proposal 94 always of 65 bytes. */
function signaturesAt(input: Uint8Array, offset: number, parameters: ChainParameters): readonly Uint8Array[] {
  if (!isRestricted(parameters)) return byteArrays(input, offset);
  if (offset > Math.floor(input.length / WORD) - 1) return [];
  return listed(input, offset, (index) => {
    const from = (offset + offsetAt(input, index) + 2) * WORD;
    if (from > input.length) {
      const message = `arraycopy: length ${input.length - from} is negative`;
      throw new Halt("UNKNOWN", "java.lang.ArrayIndexOutOfBoundsException", message);
    }
    return padded(input.subarray(from), SIGNATURE);
  });
}

/** Converts to an int; larger numbers become the largest int. */
function intOf(value: bigint): number {
  return value > BigInt(INT_MAX) ? INT_MAX : Number(value);
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

/** Returns the offset of a dynamic argument in words. */
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
    const point = recoverPoint(bytesToHex(hash) as string as TxId, Uint8Array.of(...compact, recovery));
    if (point !== undefined) return accountOfPoint(point);
    const signature = secp256k1.Signature.fromBytes(compact, "compact").addRecoveryBit(recovery);
    const key = signature.recoverPublicKey(hash).toBytes(false);
    return addressOfHash(key.subarray(1));
  } catch {
    return undefined;
  }
}

const P256_INPUT = 160;

/** Verification of a signature on the curve secp256r1 (TIP-7951). Any failure is an empty output. */
export const p256Verify: Precompile = {
  energy: () => 6900,
  run: (input) => {
    if (input.length !== P256_INPUT) return new Uint8Array();
    const [hash, signature, key] = [input.subarray(0, 32), input.subarray(32, 96), input.subarray(96)];
    try {
      const point = Uint8Array.of(UNCOMPRESSED, ...key);
      return p256.verify(signature, hash, point, { prehash: false, lowS: false }) ? TRUE : new Uint8Array();
    } catch {
      return new Uint8Array();
    }
  },
  when: ({ getAllowTvmOsaka }) => getAllowTvmOsaka === 1,
};

/** First byte of a point that is written with both coordinates. */
const UNCOMPRESSED = 4;

function asWord(address: Address): Uint8Array {
  return Buffer.from(bytesToHex(addressToBytes(address)).padStart(WORD * 2, "0"), "hex");
}

/** Longest Java array. */
const LONGEST_ARRAY = 2 ** 31 - 3;

/** Returns a length that an array can have. @throws {Halt} it ends the transaction */
function checkedLength(length: number): number {
  if (length > LONGEST_ARRAY) throw outOfHeap();
  return length;
}
