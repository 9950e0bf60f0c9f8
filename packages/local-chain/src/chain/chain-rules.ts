import { type Address, hexToBytes } from "@finality/tron/primitives";
import type { ChainParameters } from "./parameters.ts";

export type ProposalState = "PENDING" | "DISAPPROVED" | "APPROVED" | "CANCELED";

/** What a witness wants to change. Never changed: every change makes a new value. */
export interface Proposal {
  readonly id: number;
  readonly proposer: Address;
  /** Numbers of parameters and the values that they shall have. */
  readonly parameters: ReadonlyMap<bigint, bigint>;
  /** Chain time in ms of the maintenance that decides about it. */
  readonly expiresAt: number;
  /** Chain time in ms. */
  readonly createdAt: number;
  readonly approvals: readonly Address[];
  readonly state: ProposalState;
}

/** The contract types that permissions may name, as bit masks of 32 bytes. */
export interface Operations {
  /** What an active permission may allow. */
  readonly available: Uint8Array;
  /** What the active permission of a new account allows. */
  readonly usual: Uint8Array;
}

/** Since when a price was how high, as texts. */
export interface PriceHistory {
  readonly energy: string;
  readonly bandwidth: string;
  readonly memo: string;
}

/** What proposals change, at the end of a maintenance period. */
export interface ChainRules {
  readonly parameters: ChainParameters;
  readonly operations: Operations;
  readonly prices: PriceHistory;
}

/** As on the recorded chain. */
const RECORDED_OPERATIONS: Operations = {
  available: hexToBytes(`7fff1fc0037e0108${"00".repeat(24)}`),
  usual: hexToBytes(`7fff1fc0033e0108${"00".repeat(24)}`),
};

/** As on Mainnet, whose witnesses have voted for the contract types that the recorded chain began with. */
export const MAINNET_OPERATIONS: Operations = {
  available: hexToBytes(`7fff1fc0037ef30f${"00".repeat(24)}`),
  usual: hexToBytes(`7fff1fc0033ef30f${"00".repeat(24)}`),
};

/** Those of a chain that begins with these parameters: its prices have always been the same. */
export function initialRules(parameters: ChainParameters, operations = RECORDED_OPERATIONS): ChainRules {
  const prices = {
    energy: `0:${parameters.getEnergyFee}`,
    bandwidth: `0:${parameters.getTransactionFee}`,
    memo: `0:${parameters.getMemoFee}`,
  };
  return { parameters, operations, prices };
}
