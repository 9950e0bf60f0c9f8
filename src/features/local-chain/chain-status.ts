import { isJsonObject, type Json, type JsonObject } from "../../core/primitives/json.ts";
import { askLocalChain } from "../../host/local-chain/local-chain-control.ts";
import { parseReport, type ShownFault } from "./fault-control.ts";

/** How the chain stands. What else its answer holds, such as keys, is left there. */
export interface ChainStatus {
  readonly height: number;
  readonly solidHeight: number;
  /** How many transactions wait in the pool. */
  readonly pending: number;
  /** Real ms between blocks; 0 when it makes none by itself. */
  readonly blockTimeMs: number;
  readonly faults: readonly ShownFault[];
  /** The names of those that somebody took. */
  readonly snapshots: readonly string[];
}

/** What `reset` goes back to. */
const INITIAL = "initial";

/** @throws {ChainError} `GATEWAY_UNREACHABLE` */
export async function readStatus(baseUrl: string): Promise<ChainStatus> {
  return parseStatus(await askLocalChain(baseUrl, "status"));
}

/** What does not fit counts as nothing, and is refused nowhere: the answer is shown, and decides nothing. */
export function parseStatus({ height, solidHeight, pending, blockTime, faults, snapshots }: JsonObject): ChainStatus {
  const names = (Array.isArray(snapshots) ? snapshots : []).filter((it): it is string => typeof it === "string");
  return {
    height: count(height),
    solidHeight: count(solidHeight),
    pending: count(pending),
    blockTimeMs: count(blockTime),
    faults: parseReport(isJsonObject(faults) ? faults : {}).faults,
    snapshots: names.filter((it) => it !== INITIAL),
  };
}

function count(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}
