import { ChainError } from "@finality/tron/errors";
import { withoutStop } from "@finality/tron/format";
import { defined, isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { askLocalChain } from "../../host/local-chain/local-chain-process.ts";

/** Status of the chain. Other fields of its answer, such as keys, are not read. */
export interface ChainStatus {
  readonly height: number;
  readonly solidHeight: number;
  /** Number of transactions in the pool. */
  readonly pending: number;
  /** Real time between blocks, ms; 0 if blocks are created on request only. */
  readonly blockTimeMs: number;
  readonly faults: readonly ShownFault[];
  /** Names of the snapshots that users took. */
  readonly snapshots: readonly string[];
  /** Credentials that requests must carry. */
  readonly access: { readonly jwt: boolean; readonly apiKey: boolean };
  /** URL of the network that the chain is a fork of. */
  readonly forkedFrom?: string;
}

/** Name of the snapshot that `reset` restores. */
const INITIAL = "initial";

/** @throws {ChainError} `GATEWAY_UNREACHABLE` */
export async function readStatus(baseUrl: string): Promise<ChainStatus> {
  return parseStatus(await askLocalChain(baseUrl, "status"));
}

/** Reads the status leniently: malformed fields are ignored, because the status is only displayed. */
export function parseStatus(status: JsonObject): ChainStatus {
  const { height, solidHeight, pending, blockTime, faults, snapshots, access, origin } = status;
  const { jwt, apiKey } = isJsonObject(access) ? access : {};
  const names = (Array.isArray(snapshots) ? snapshots : []).filter((it): it is string => typeof it === "string");
  return {
    height: count(height),
    solidHeight: count(solidHeight),
    pending: count(pending),
    blockTimeMs: count(blockTime),
    faults: parseReport(isJsonObject(faults) ? faults : {}).faults,
    snapshots: names.filter((it) => it !== INITIAL),
    access: { jwt: jwt === true, apiKey: apiKey === true },
    ...(isJsonObject(origin) && typeof origin.url === "string" && { forkedFrom: origin.url }),
  };
}

function count(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** Fault as the chain reports it: its name, its fields with defaults, and its number of hits. */
interface ShownFault extends JsonObject {
  readonly name: string;
  readonly hits: number;
}

/** Returns the active faults. */
export interface FaultReport {
  readonly seed: string;
  readonly faults: readonly ShownFault[];
}

export async function activeFaults(baseUrl: string): Promise<FaultReport> {
  return parseReport(await askLocalChain(baseUrl, "faults"));
}

/**
 * Replaces the active faults.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` with the message of the chain, which defines the faults
 */
export async function setFaults(baseUrl: string, faults: Json, seed?: string): Promise<FaultReport> {
  const body = { faults, ...defined({ seed }) };
  return parseReport(await controlChain(baseUrl, "faults", body, "faults"));
}

/** Parses the chain's report of its faults. */
function parseReport({ seed, faults }: JsonObject): FaultReport {
  const list = Array.isArray(faults) ? faults : [];
  return { seed: typeof seed === "string" ? seed : "", faults: list.filter(isShownFault) };
}

function isShownFault(value: Json): value is ShownFault {
  return isJsonObject(value) && typeof value.name === "string" && typeof value.hits === "number";
}

/**
 * Runs a command of the chain.
 *
 * @param argument - Field that a refusal refers to.
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` with the message of the chain; `GATEWAY_UNREACHABLE`
 */
export async function controlChain(
  baseUrl: string,
  control: string,
  body: JsonObject,
  argument: string,
): Promise<JsonObject> {
  const answer = await askLocalChain(baseUrl, control, body);
  if (typeof answer.error !== "string") return answer;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason: withoutStop(answer.error) });
}
