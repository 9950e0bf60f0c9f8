import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { pack } from "../../../scripts/package/pack.mjs";

const MANIFEST = {
  name: "sender",
  publisher: "finality-tests",
  version: "0.0.0",
  engines: { vscode: "^1.100.0" },
  main: "./sender.cjs",
  activationEvents: ["*"],
  extensionKind: ["workspace"],
};

/**
 * Packs an extension made of `sender.ts`, which starts with each host, first of all.
 *
 * @param scratch - a folder of the test
 * @returns the package
 */
export async function packSender(scratch: string): Promise<string> {
  const folder = join(scratch, "sender");
  const file = join(scratch, "sender.vsix");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify(MANIFEST));
  writeFileSync(join(folder, "README.md"), "# Sender\n");
  await build({
    entryPoints: [join(import.meta.dirname, "sender.ts")],
    outfile: join(folder, "sender.cjs"),
    bundle: true,
    format: "cjs",
    platform: "node",
    external: ["vscode"],
    logLevel: "warning",
  });
  await pack(folder, file);
  return file;
}
