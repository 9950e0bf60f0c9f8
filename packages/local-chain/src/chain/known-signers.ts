import { type Address, bytesToHex, type TxId } from "@finality/tron/primitives";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { recoverPoint } from "../curve/keys.ts";
import { inverse, PointSums, type PointTable } from "../curve/point-sums.ts";

const { Point } = secp256k1;
const { Fn } = Point;

/** Signatures of a signer before a table is made. A table costs eight recoveries and 110 kB. */
const WORTH_A_TABLE = 4;
const TABLES = 32;

/**
 * Checks signatures of frequent signers at a fraction of the cost of recovery. Recovery computes Q = r⁻¹(sR − zG) from
 * the point R that r and the recovery byte name. For a known Q, (z/s)G + (r/s)Q has to be R; both products use tables.
 */
export class KnownSigners {
  readonly #seen = new Map<Address, number>();
  readonly #tables = new Map<Address, PointTable>();
  /** Grows when there are more signers than tables. */
  #worthATable = WORTH_A_TABLE;
  /** Created with the first table: most chains end before that. */
  #sums: PointSums | undefined;

  /** Returns whether recovery would yield this signer; false if the signer has no table. */
  recognises(signer: Address, id: TxId, normalised: Uint8Array): boolean {
    const key = this.#tables.get(signer);
    const sums = this.#sums;
    if (key === undefined || sums === undefined) return false;
    const r = numberOf(normalised.subarray(0, 32));
    const s = numberOf(normalised.subarray(32, 64));
    if (!Fn.isValidNot0(r) || !Fn.isValidNot0(s)) return false;
    const overS = inverse(s, Fn.ORDER);
    const point = sums.sum([
      [sums.generator, Fn.mul(Fn.create(BigInt(`0x${id}`)), overS)],
      [key, Fn.mul(r, overS)],
    ]);
    return point !== undefined && isNamed(point, r, normalised[64] ?? 0);
  }

  /** Counts a recovered signature, and makes a table for a frequent signer. */
  note(signer: Address, id: TxId, normalised: Uint8Array): void {
    const count = (this.#seen.get(signer) ?? 0) + 1;
    this.#seen.set(signer, count);
    if (count !== this.#worthATable) return;
    if (this.#tables.size >= TABLES) this.#forget();
    const key = recoverPoint(id, normalised);
    if (key === undefined) return;
    this.#sums ??= new PointSums();
    this.#tables.set(signer, this.#sums.keep(key));
  }

  #forget(): void {
    this.#sums?.forget();
    this.#tables.clear();
    this.#seen.clear();
    this.#worthATable *= 2;
  }
}

/** Returns whether r and the recovery byte name this point: x is r or r + n, and one bit is the parity of y. */
function isNamed({ x, y }: { x: bigint; y: bigint }, r: bigint, recovery: number): boolean {
  return x === ((recovery & 2) === 0 ? r : r + Fn.ORDER) && (y & 1n) === BigInt(recovery & 1);
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(bytes)}`);
}
