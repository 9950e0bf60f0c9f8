import { type Address, type Hex, hex, type Sun } from "@finality/tron/primitives";
import type { ContractRun } from "../gateway/gateway.ts";

/** A call to run with less energy than nodes give to constant calls. */
export interface LimitedCall {
  readonly owner: Address;
  readonly contract: Address;
  readonly data: Hex;
  readonly callValue: Sun;
  /** Energy. */
  readonly limit: bigint;
}

/** Energy that a callee gets for free with coins, the price of passing them on, and of the code around the call. */
const STIPEND = 2_300n;
const VALUE_PRICE = 9_000n;
const AROUND = 62n;

/** A constant call passes on at most 63/64 of its 100,000,000 energy, and its own code takes some. */
const LARGEST_LIMIT = 95_000_000n;

/**
 * Returns the constant call that measures a call under an energy limit: nodes ignore `fee_limit` there, so code is run
 * that calls the contract with that much energy. The contract sees another caller; undefined for an impossible limit.
 */
export function limitedRun({ owner, contract, data, callValue, limit }: LimitedCall): ContractRun | undefined {
  const given = callValue > 0n ? limit - STIPEND : limit;
  if (given <= 0n || limit > LARGEST_LIMIT) return undefined;
  const size = word(BigInt(data.length / 2), 4);
  const head = (offset: number): string =>
    [
      `63${size}61${word(BigInt(offset), 2)}600039`, // CODECOPY(0, offset, size)
      `5a`, // GAS: before
      `6000600063${size}6000`, // output size and offset, input size and offset
      `3473${contract.slice(2)}63${word(given, 4)}f1`, // CALLVALUE, address, energy, CALL
      `5a604052`, // GAS: after, to 0x40
      `600052602052`, // success to 0x00, before to 0x20
      `60606000f3`, // RETURN(0, 0x60)
    ].join("");
  const code = hex(head(head(0).length / 2) + data);
  return { owner, data: code, callValue };
}

/** Returns the energy that the measured call took, or undefined if it failed or the answer is of another form. */
export function limitedEnergy(returned: Hex, { callValue }: Pick<LimitedCall, "callValue">): bigint | undefined {
  const [succeeded, before, after] = [0, 64, 128].map((at) => BigInt(`0x${returned.slice(at, at + 64) || "0"}`));
  if (returned.length !== 192 || succeeded !== 1n || before === undefined || after === undefined) return undefined;
  const energy = before - after - AROUND - (callValue > 0n ? VALUE_PRICE - STIPEND : 0n);
  return energy > 0n ? energy : undefined;
}

function word(value: bigint, bytes: number): string {
  return value.toString(16).padStart(2 * bytes, "0");
}
