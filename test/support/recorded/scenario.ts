import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "../../../packages/tron/src/primitives/json.ts";

/** A sequence of steps and what a real node answered to each. */
export interface Scenario {
  readonly name: string;
  /** By the names of `getchainparameters`; what is 0 may be left out there. */
  readonly chainParameters: { readonly [name: string]: number };
  /** With coins, without (the account does not exist), or with a key that its data depends on. */
  readonly accounts: { readonly [name: string]: { readonly fundSun?: number; readonly privateKey?: string } };
  readonly contracts: { readonly [name: string]: ScenarioContract };
  readonly steps: readonly Step[];
}

export interface ScenarioContract {
  readonly abi?: readonly JsonObject[];
  /** Hex, with `<name>` where a library's address belongs. */
  readonly bytecode: string;
}

/** One request, or one transaction from its building to its receipt. */
export interface Step {
  readonly id: string;
  readonly do: string;
  readonly from?: string;
  readonly to?: string;
  readonly of?: string;
  readonly contract?: string;
  /** The name that a new contract gets. */
  readonly as?: string;
  readonly name?: string;
  readonly function?: string;
  readonly args?: readonly Json[];
  readonly data?: string;
  /** The encoded call is sent as data, and not as selector and parameter. */
  readonly asData?: boolean;
  readonly callValue?: number;
  readonly feeLimit?: number;
  readonly noAbi?: boolean;
  readonly deployParams?: { readonly consume_user_resource_percent?: number; readonly origin_energy_limit?: number };
  readonly amountSun?: number;
  readonly memo?: string;
  readonly resource?: "ENERGY" | "BANDWIDTH";
  /** Stake as much as gives this. */
  readonly targetEnergy?: number;
  readonly targetBandwidth?: number;
  /** Whole coins only: the machine does not count parts of them. */
  readonly exact?: boolean;
  readonly percent?: number;
  readonly limit?: number;
  /** The step whose transaction is meant. */
  readonly step?: string;
  readonly on?: "solidity";
  readonly solid?: boolean;
  /** Names for addresses in the result, by the word that they are. */
  readonly save?: { readonly [name: string]: { readonly word?: number; readonly index?: number } };
  readonly expect?: Json;
  /** Fields that differ from run to run; `*` is all of them. */
  readonly unstable?: readonly string[];
}

export function readScenario(name: string): Scenario {
  const file = new URL(`../../fixtures/scenarios/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Scenario;
}

/** Every field by its path, so that two answers can be compared field by field. */
function flatten(value: Json | undefined, path: string, fields: Map<string, string>): Map<string, string> {
  if (Array.isArray(value)) {
    fields.set(`${path}.length`, String(value.length));
    for (const [index, item] of value.entries()) flatten(item as Json, `${path}.${index}`, fields);
  } else if (typeof value === "object" && value !== null) {
    const object = value as JsonObject;
    if ("$address" in object) fields.set(path, `<${String(object.$address)}>`);
    else for (const [key, item] of Object.entries(object)) flatten(item, path === "" ? key : `${path}.${key}`, fields);
  } else if (value !== undefined) fields.set(path, JSON.stringify(value));
  return fields;
}

/** The fields in which an answer is not what was expected, each in a line. */
export function differences(step: Step, actual: Json): readonly string[] {
  const expected = flatten(step.expect ?? {}, "", new Map());
  const input = flatten(actual, "", new Map());
  const { unstable = [] } = step;
  const counts = (field: string): boolean =>
    !unstable.some((it) => it === "*" || field === it || field.startsWith(`${it}.`));
  return [...new Set([...expected.keys(), ...input.keys()])]
    .filter((field) => counts(field) && expected.get(field) !== input.get(field))
    .map((field) => `${step.id}: ${field} is ${input.get(field) ?? "absent"}, not ${expected.get(field) ?? "absent"}`);
}
