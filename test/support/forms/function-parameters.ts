import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonAbiEntry } from "../../../packages/tron/src/abi/abi-index.ts";
import type { JsonParameter } from "../../../packages/tron/src/abi/abi-type.ts";
import { abiEntries } from "../../../packages/tron/src/abi/contract-functions.ts";
import { isJsonObject, type Json } from "../../../packages/tron/src/primitives/json.ts";

const VECTORS = join(import.meta.dirname, "../../fixtures/vectors/function-parameters.json");

/** The ABI of a contract, with its file below the folder. */
export interface CollectedArtifact {
  readonly file: string;
  readonly abi: readonly JsonAbiEntry[];
}

/** Returns the artifacts of a folder with at least one function or constructor. Other JSON files are ignored. */
export function artifactsIn(folder: string): readonly CollectedArtifact[] {
  return globSync("**/*.json", { cwd: folder })
    .sort()
    .map((file) => ({ file, abi: abiIn(readFileSync(join(folder, file), "utf8")) }))
    .filter(({ abi }) => callsOf(abi).length > 0);
}

/** Returns the functions and constructors of an ABI. */
export function callsOf(abi: readonly JsonAbiEntry[]): readonly JsonAbiEntry[] {
  return abi.filter(({ type }) => type === "function" || type === "constructor");
}

/**
 * Returns the different parameter lists of the functions and constructors in the artifacts of a folder
 * (FINALITY_ARTIFACTS), or else those of the fixture.
 */
export function parameterLists(folder = process.env.FINALITY_ARTIFACTS): readonly string[] {
  if (folder === undefined) return JSON.parse(readFileSync(VECTORS, "utf8")) as readonly string[];
  const calls = artifactsIn(folder).flatMap(({ abi }) => callsOf(abi));
  return [...new Set(calls.map(({ inputs = [] }) => inputs.map(typeText).join(",")))].filter((it) => CALLABLE.test(it));
}

/** Artifacts and answers of a node have an ABI. Package files, build information and configurations are JSON too. */
function abiIn(text: string): readonly JsonAbiEntry[] {
  try {
    const json = JSON.parse(text) as Json;
    const abi = isJsonObject(json) ? json.abi : json;
    const entries = isJsonObject(abi) ? abiEntries(abi) : abi;
    return Array.isArray(entries) ? (entries as unknown as readonly JsonAbiEntry[]) : [];
  } catch {
    return [];
  }
}

/** Types of the contract ABI. Artifacts of libraries also list functions with types of Solidity, which no call has. */
const CALLABLE = /^(?:u?int\d+|address|bool|string|bytes\d*|[(),]|\[\d*\])*$/;

/** Returns the canonical type of a parameter. */
export function typeText({ type, components = [] }: JsonParameter): string {
  return type.startsWith("tuple") ? `(${components.map(typeText).join(",")})${type.slice(5)}` : type;
}
