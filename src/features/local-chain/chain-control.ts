import { ChainError } from "@finality/tron/errors";
import { defined, isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { askLocalChain } from "../../host/local-chain/local-chain-process.ts";

/** Status of the chain. Other fields of its answer, such as keys, are not read. */
export interface ChainStatus {
  readonly height: number;
  readonly solidHeight: number;
  /** Number of transactions in the pool. */
  readonly pending: number;
  /** Real ms between blocks; 0 when it makes none by itself. */
  readonly blockTimeMs: number;
  readonly faults: readonly ShownFault[];
  /** Names of the snapshots that users took. */
  readonly snapshots: readonly string[];
  /** Credentials that requests must carry. */
  readonly access: { readonly jwt: boolean; readonly apiKey: boolean };
}

/** Name of the snapshot that `reset` restores. */
const INITIAL = "initial";

/** @throws {ChainError} `GATEWAY_UNREACHABLE` */
export async function readStatus(baseUrl: string): Promise<ChainStatus> {
  return parseStatus(await askLocalChain(baseUrl, "status"));
}

/** Reads the status leniently: malformed fields are ignored, because the status is only displayed. */
export function parseStatus(status: JsonObject): ChainStatus {
  const { height, solidHeight, pending, blockTime, faults, snapshots, access } = status;
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
  };
}

function count(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** A fault as the chain shows it: its name, its fields with their defaults, and how often it has happened. */
interface ShownFault extends JsonObject {
  readonly name: string;
  readonly hits: number;
}

/** The faults that are on. */
export interface FaultReport {
  readonly seed: string;
  readonly faults: readonly ShownFault[];
}

export async function activeFaults(baseUrl: string): Promise<FaultReport> {
  return parseReport(await askLocalChain(baseUrl, "faults"));
}

/**
 * Puts these faults in the place of the ones before.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` with the sentence of the chain, which alone knows the faults
 */
export async function setFaults(baseUrl: string, faults: Json, seed?: string): Promise<FaultReport> {
  const body = { faults, ...defined({ seed }) };
  return parseReport(await tellChain(baseUrl, "faults", body, "faults"));
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
 * Has the chain do something.
 *
 * @param argument - the field of the command that a refusal is about
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` with the sentence of the chain; `GATEWAY_UNREACHABLE`
 */
export async function tellChain(
  baseUrl: string,
  control: string,
  body: JsonObject,
  argument: string,
): Promise<JsonObject> {
  const answer = await askLocalChain(baseUrl, control, body);
  if (typeof answer.error !== "string") return answer;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason: answer.error.replace(/[.。]$/, "") });
}
