import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Options of esbuild for programs that an extension host loads. */
export const FOR_THE_HOST = {
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node22",
  logLevel: "warning",
} as const;

/** An editor runs programs of an extension under development alone. Ours is installed, so they come with an empty one. */
export function writeCompanion(folder: string, name: string): void {
  const engines = { vscode: "*" };
  const manifest = { name, publisher: "finality-tests", version: "0.0.0", engines, extensionKind: ["workspace"] };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
}
