import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * Installs an extension made of `sender.ts` for a workbench that was not opened yet. It starts with each host, first of
 * all.
 */
export async function installSender(dataDir: string): Promise<void> {
  const folder = join(dataDir, "server", "extensions", "finality-tests.sender-0.0.0");
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: "sender",
    publisher: "finality-tests",
    version: "0.0.0",
    engines: { vscode: "^1.100.0" },
    main: "./sender.cjs",
    activationEvents: ["*"],
    extensionKind: ["workspace"],
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  await build({
    entryPoints: [join(import.meta.dirname, "sender.ts")],
    outfile: join(folder, "sender.cjs"),
    bundle: true,
    format: "cjs",
    platform: "node",
    external: ["vscode"],
    logLevel: "warning",
  });
}
