import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { type CompiledCode, CompiledContracts, TraceSources } from "@finality/client/traces";
import { ARTIFACT_FOLDERS } from "./call-context.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Folders that compilers resolve paths of sources against. */
const ROOTS = ["", "contracts", "src", "node_modules", "lib"];

/** Reads the artifacts with source maps, and the source files of the selected codes. */
export async function readTraceSources(
  invocation: Invocation,
  terminal: Terminal,
  select: (contracts: CompiledContracts) => readonly CompiledCode[],
): Promise<TraceSources> {
  const named = invocation.texts("artifacts");
  const folders = (named.length === 0 ? ARTIFACT_FOLDERS : named).map((it) => terminal.resolve(it));
  const contracts = new CompiledContracts();
  for (const file of folders.flatMap((folder) => globSync("**/*.json", { cwd: folder }).map((it) => join(folder, it))))
    contracts.put(file, await terminal.read(file));
  const texts = new Map<string, string>();
  for (const { sources } of select(contracts))
    for (const { path, text } of sources.values()) {
      if (texts.has(path)) continue;
      const file = text === undefined ? sourceFile(path, terminal) : undefined;
      const content = text ?? (file === undefined ? undefined : await terminal.read(file));
      if (content !== undefined) texts.set(path, content);
    }
  return new TraceSources(contracts, (path) => texts.get(path));
}

/** Returns the file of a source, by the path that the compiler names; undefined if there is none. */
export function sourceFile(path: string, terminal: Terminal): string | undefined {
  const relative = path.replace(/^project:\//, "");
  return ROOTS.map((root) => terminal.resolve(join(root, relative))).find((it) => existsSync(it));
}
