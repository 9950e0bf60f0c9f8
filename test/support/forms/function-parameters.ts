import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonParameter } from "../../../packages/tron/src/abi/abi-type.ts";

const VECTORS = join(import.meta.dirname, "../../fixtures/vectors/function-parameters.json");

interface AbiEntry {
  readonly type?: string;
  readonly inputs?: readonly JsonParameter[];
}

/**
 * Returns the different parameter lists of the functions and constructors in the artifacts of a folder
 * (FINALITY_ARTIFACTS), or else those of the fixture.
 */
export function parameterLists(folder = process.env.FINALITY_ARTIFACTS): readonly string[] {
  if (folder === undefined) return JSON.parse(readFileSync(VECTORS, "utf8")) as readonly string[];
  const files = globSync("**/*.json", { cwd: folder }).map((it) => join(folder, it));
  return [...new Set(files.flatMap((file) => listsOf(readFileSync(file, "utf8"))))];
}

function listsOf(artifact: string): readonly string[] {
  const json: unknown = JSON.parse(artifact);
  const abi: unknown = Array.isArray(json) ? json : (json as { readonly abi?: unknown } | null)?.abi;
  const entries = Array.isArray(abi) ? (abi as readonly AbiEntry[]) : [];
  const calls = entries.filter((it) => it.type === "function" || it.type === "constructor");
  return calls.map(({ inputs = [] }) => inputs.map(typeText).join(",")).filter((it) => CALLABLE.test(it));
}

/** Types of the contract ABI. Artifacts of libraries also list functions with types of Solidity, which no call has. */
const CALLABLE = /^(?:u?int\d+|address|bool|string|bytes\d*|[(),]|\[\d*\])*$/;

function typeText({ type, components = [] }: JsonParameter): string {
  return type.startsWith("tuple") ? `(${components.map(typeText).join(",")})${type.slice(5)}` : type;
}
