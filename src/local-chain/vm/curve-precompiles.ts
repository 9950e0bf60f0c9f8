import { NobleBN254 } from "@ethereumjs/evm";
import type { Precompile } from "./precompile.ts";

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
