import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, type Hex } from "../../core/primitives/bytes.ts";
import type { Entry } from "../../core/transaction/gen/transaction_pb.js";

const FUNCTION = 2;
const PURE = 1;
const VIEW = 2;

/** Whether the ABI on the chain says of a selector that its function only reads. */
export function isConstantFunction(entries: readonly Entry[], selector: Hex): boolean {
  const entry = entries.find((it) => it.type === FUNCTION && selectorOf(it) === selector);
  return entry !== undefined && (entry.constant || entry.stateMutability === VIEW || entry.stateMutability === PURE);
}

function selectorOf({ name, inputs }: Entry): Hex {
  const signature = `${name}(${inputs.map(({ type }) => type).join(",")})`;
  return bytesToHex(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4));
}
