import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";

const samples = join(import.meta.dirname, "../../../samples");

/** The token of the sample workspace, compiled: each chain runs the same bytes. */
export function tokenBytecode(supply: bigint): Uint8Array {
  const { bytecode } = JSON.parse(readFileSync(join(samples, "build/contracts/Leaf.json"), "utf8"));
  return hexToBytes(String(bytecode).slice(2) + word(supply));
}

/** @param to - 20 bytes as hex */
export const transferData = (to: string, value: bigint): string => `a9059cbb${to.padStart(64, "0")}${word(value)}`;

/** @param holder - 20 bytes as hex */
export const balanceData = (holder: string): string => `70a08231${holder.padStart(64, "0")}`;

const word = (value: bigint): string => value.toString(16).padStart(64, "0");
