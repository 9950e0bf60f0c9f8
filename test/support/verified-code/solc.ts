import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  type CompilerResult,
  type ContractTarget,
  readCompilerOutput,
} from "../../../packages/client/src/contracts.ts";
import type { Json, JsonObject } from "../../../packages/tron/src/primitives/json.ts";

const root = join(import.meta.dirname, "../../..");
const require = createRequire(import.meta.url);

interface Solc {
  compile(input: string, callbacks?: { import(path: string): { contents: string } }): string;
}

const packages = (path: string) => ({ contents: readFileSync(join(root, "node_modules", path), "utf8") });

/** Runs solc in this process. @param path - of a package `solc`; its sources of packages come from node_modules */
export function runSolc(input: JsonObject, path = "solc"): Json {
  const solc = require(path) as Solc;
  return JSON.parse(solc.compile(JSON.stringify(input), { import: packages })) as Json;
}

const results = new Map<string, CompilerResult>();

/** Compiles one contract of an input; an input that was compiled before gives the same result. */
export function compileTarget(input: JsonObject, target: ContractTarget, path?: string): CompilerResult {
  const key = JSON.stringify([input, target, path]);
  const result = results.get(key) ?? readCompilerOutput(runSolc(input, path), target);
  results.set(key, result);
  return result;
}

const IMPORT = /^import .*?"(@openzeppelin\/[^"]+|\.[^"]+)";/gms;

/** Returns the sources of a file with all its imports from `node_modules`, as standard JSON has them. */
export function sourcesOf(path: string, content: string): JsonObject {
  const sources: { [path: string]: Json } = {};
  const add = (file: string, text: string): void => {
    if (sources[file] !== undefined) return;
    sources[file] = { content: text };
    for (const [, named = ""] of text.matchAll(IMPORT)) {
      const target = named.startsWith(".") ? join(file, "..", named) : named;
      add(target, packages(target).contents);
    }
  };
  add(path, content);
  return sources;
}
