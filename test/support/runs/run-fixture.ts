import type { ChainId } from "../../../packages/client/src/gateway/network.ts";
import { type NewRow, type NewRun, RUN_VERSION } from "../../../packages/client/src/runs/run-store.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { ALICE, BOB } from "../tracking/journal-entries.ts";

export const RUN_NETWORK = { network: "test", chain: `${"0".repeat(16)}${"ab".repeat(24)}` as ChainId } as const;

export function newRun(change: Partial<NewRun> = {}): NewRun {
  return {
    id: "payroll",
    network: RUN_NETWORK,
    owner: ALICE,
    title: "payroll.csv",
    fileHash: "ab".repeat(32),
    version: RUN_VERSION,
    createdAt: 1_000,
    ...change,
  };
}

/** Payments of different amounts, with the keys `k1`, `k2`, … */
export function paymentRows(count: number, keyOf = (row: number): string => `k${row}`): readonly NewRow[] {
  return Array.from({ length: count }, (_, index) => ({
    row: index + 1,
    key: keyOf(index + 1),
    intent: { kind: "transfer", owner: ALICE, to: BOB, amount: sun(BigInt(index + 1)) },
  }));
}
