import type { InputValue } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { isJsonObject, nameText, parseJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { BoundCall } from "./bind-call.ts";

/** Energy of calls by their names: `Leaf.transfer(Carol, 25000000)`. */
export type CostSnapshot = ReadonlyMap<string, bigint>;

/** Name of the snapshot file in a workspace. */
export const SNAPSHOT_FILE = "finality.energy.json";

const LONGEST_NAME = 160;

/**
 * Returns the name of a call in a snapshot: contract, function, arguments and value as written, the same on every
 * chain.
 *
 * @example
 * costName(bound); // "TeaHouse.steep(100)"
 */
export function costName({ contract, called, intent, arguments: inputs }: BoundCall): string {
  const name =
    intent.kind === "contract-creation" ? `${contract.name} (deployment)` : `${contract.name}.${nameText(called.name)}`;
  const value = intent.callValue === 0n ? "" : ` with ${String(intent.callValue)} sun`;
  const text = `${name}(${inputs.map(written).join(", ")})${value}`;
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 1)}…` : text;
}

function written(value: InputValue): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object") return String(value);
  if (isList(value)) return `[${value.map(written).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([name, one]) => `${name}: ${written(one)}`)
    .join(", ")}}`;
}

function isList(value: InputValue): value is readonly InputValue[] {
  return Array.isArray(value);
}

/** Parses a snapshot file; `undefined` if it is not one. Omits lines without an energy value. */
export function parseCostSnapshot(text: string): CostSnapshot | undefined {
  const energy = amountsIn(text, "energy");
  return energy && new Map(Object.entries(energy).flatMap(([name, taken]) => amountOf(name, taken)));
}

/** Parses the own energy of functions in a snapshot file; empty if it has none. */
export function parseFunctionTotals(text: string): CostSnapshot {
  return new Map(Object.entries(amountsIn(text, "functions") ?? {}).flatMap(([name, taken]) => amountOf(name, taken)));
}

/**
 * Parses the snapshot in a file before it is rewritten; an empty file has none.
 *
 * @throws {ChainError} `COST_SNAPSHOT_UNREADABLE` if content of the file would be lost
 */
export function renewableSnapshot(text: string): CostSnapshot {
  if (text.trim() === "") return new Map();
  const energy = amountsIn(text, "energy");
  if (energy === undefined)
    throw unreadable(t`it is not JSON with numbers in "energy"; check it for merge conflict markers`);
  const strange = Object.entries(energy).find(([, taken]) => !isAmount(taken));
  if (strange !== undefined) throw unreadable(t`the value of "${strange[0]}" is not a whole number`);
  return new Map(Object.entries(energy).flatMap(([name, taken]) => amountOf(name, taken)));
}

function unreadable(reason: string): ChainError {
  return new ChainError("COST_SNAPSHOT_UNREADABLE", { file: SNAPSHOT_FILE, reason });
}

function amountsIn(text: string, part: "energy" | "functions"): { readonly [name: string]: unknown } | undefined {
  try {
    const json = parseJson(text);
    const amounts = isJsonObject(json) ? json[part] : undefined;
    return isJsonObject(amounts) ? amounts : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function amountOf(name: string, taken: unknown): readonly (readonly [string, bigint])[] {
  return isAmount(taken) ? [[name, BigInt(taken)]] : [];
}

function isAmount(json: unknown): json is number | bigint {
  return typeof json === "bigint" || (typeof json === "number" && Number.isSafeInteger(json));
}

/**
 * Formats a snapshot file: one call or function per line, sorted, so that a comparison of two versions shows changed
 * costs. Without functions it has no such part.
 */
export function printCostSnapshot(snapshot: CostSnapshot, functions: CostSnapshot = new Map()): string {
  const calls = `  "energy": {\n${linesOf(snapshot)}\n  }`;
  return `{\n${calls}${functions.size === 0 ? "" : `,\n  "functions": {\n${linesOf(functions)}\n  }`}\n}\n`;
}

function linesOf(amounts: CostSnapshot): string {
  return [...amounts]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, energy]) => `    ${JSON.stringify(name)}: ${energy}`)
    .join(",\n");
}

/** Call whose energy changed. */
export interface CostChange {
  readonly name: string;
  readonly before: bigint;
  readonly after: bigint;
}

/** Returns the changed costs, the largest change first. */
export function compareCosts(before: CostSnapshot, after: CostSnapshot): readonly CostChange[] {
  return [...after]
    .flatMap(([name, energy]) => {
      const known = before.get(name);
      return known === undefined || known === energy ? [] : [{ name, before: known, after: energy }];
    })
    .sort((left, right) => (size(right) > size(left) ? 1 : -1));
}

function size({ before, after }: CostChange): bigint {
  return after > before ? after - before : before - after;
}
