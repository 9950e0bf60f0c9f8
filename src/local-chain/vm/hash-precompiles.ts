import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { getActivePrecompiles, paramsEVM } from "@ethereumjs/evm";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "../../core/primitives/hash.ts";
import type { Precompile } from "./precompile.ts";

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
