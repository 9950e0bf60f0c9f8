import type { Address } from "../../core/primitives/address.ts";
import { type Hex, hex } from "../../core/primitives/bytes.ts";
import type { SmartContract } from "../../core/transaction/gen/transaction_pb.js";

/** A contract as the chain keeps it. Never changed: every change makes a new value. */
export interface ContractRecord {
  readonly address: Address;
  /** What `getcontract` tells: as it was deployed, with the address and without the code that runs. */
  readonly definition: SmartContract;
  /** Absent until its creation ends well. */
  readonly code: Uint8Array;
  readonly codeHash: Hex;
}

/** How much a contract was used, for the price that rises with use (protocol reference §11.3). */
export interface ContractUse {
  readonly energyUsage: number;
  /** What is added to the price, in parts of 10,000. */
  readonly energyFactor: number;
  readonly updateCycle: number;
}

/** Where a word of storage is kept. */
export type StorageKey = `${string}:${string}`;

/** @param storage - the contract's address, or what tells apart contracts that followed each other there */
export function storageKey(storage: string, slot: bigint): StorageKey {
  return `${storage}:${slot.toString(16)}`;
}

/** Keccak-256 of nothing. */
export const EMPTY_CODE_HASH = hex("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
