import { isJsonObject, type Json, type JsonObject } from "../../core/primitives/json.ts";
import { askLocalChain } from "../../host/local-chain/local-chain-control.ts";
import { tellChain } from "./tell-chain.ts";

/** A fault as the chain shows it: its name, its fields with their defaults, and how often it has happened. */
export interface ShownFault extends JsonObject {
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
  const body = { faults, ...(seed === undefined ? {} : { seed }) };
  return parseReport(await tellChain(baseUrl, "faults", body, "faults"));
}

/** What the chain says of its faults. */
export function parseReport({ seed, faults }: JsonObject): FaultReport {
  const list = Array.isArray(faults) ? faults : [];
  return { seed: typeof seed === "string" ? seed : "", faults: list.filter(isShownFault) };
}

function isShownFault(value: Json): value is ShownFault {
  return isJsonObject(value) && typeof value.name === "string" && typeof value.hits === "number";
}
