import { readFileSync } from "node:fs";
import { type Address, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
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

interface ScenarioContract {
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

/** Addresses by the names that a scenario gives them, and back. */
export class ScenarioNames {
  readonly #digits = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #chainIdWord: string;

  constructor(chainIdWord: string) {
    this.#chainIdWord = chainIdWord;
  }

  set(name: string, address: string): void {
    const digits = withoutPrefix(address);
    this.#digits.set(name, digits);
    if (!this.#names.has(digits)) this.#names.set(digits, name);
  }

  /** Names an address that is met for the first time. @returns whether it was */
  learn(address: string, name: string): boolean {
    const digits = withoutPrefix(address);
    if (digits.length !== 40 || /^0{30}/.test(digits) || this.#names.has(digits)) return false;
    this.set(name, digits);
    return true;
  }

  /** 20 bytes in hex. */
  digits(name: string): string {
    const digits = this.#digits.get(name);
    if (digits === undefined) throw new Error(`No address has the name ${name}.`);
    return digits;
  }

  address(name: string): Address {
    return `41${this.digits(name)}` as Address;
  }

  /** Puts addresses where their names are. */
  fill(text: string): string {
    return text.replaceAll(/<([A-Za-z][A-Za-z0-9_#./-]*)>/g, (_, name: string) => this.digits(name));
  }

  /** The field of an address, by name where it has one. */
  reference(address: string): { $address: string } | string {
    const digits = withoutPrefix(address);
    const name = this.#names.get(digits);
    return name === undefined ? digits : { $address: name };
  }

  /** Puts names where their addresses are in hex. */
  mask(hex: string): string {
    const text = hex.toLowerCase().replaceAll(this.#chainIdWord, "<chainId>");
    if (this.#names.size === 0) return text;
    return text.replaceAll(new RegExp([...this.#names.keys()].join("|"), "g"), (it) => `<${this.#names.get(it)}>`);
  }

  /** Puts names where their addresses are in a sentence. */
  maskText(text: string): string {
    const base58 = new Map(
      [...this.#names].map(([digits, name]) => [toBase58(`41${digits}` as Address) as string, name]),
    );
    return text
      .replaceAll(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, (it) => `<${base58.get(it) ?? "?"}>`)
      .replaceAll(/\b(?:0x|41)?([0-9a-f]{40})\b/g, (all, digits: string) => {
        const name = this.#names.get(digits);
        return name === undefined ? all : `<${name}>`;
      });
  }
}

function withoutPrefix(address: string): string {
  return address.toLowerCase().replace(/^41(?=[0-9a-f]{40}$)/, "");
}
