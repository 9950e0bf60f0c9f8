import { chmodSync, existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { assembledModule } from "./assembled-module.mjs";
import { oneParser } from "./bundle-in-parts.mjs";
import { directImports } from "./direct-imports.mjs";
import { packedDictionary } from "./packed-dictionary.mjs";

/**
 * Path of the bundled command line, which is one file and needs Node alone.
 *
 * @param {string} root
 */
const cliProgram = (root) => join(root, "packages", "cli", "dist", "finality.cjs");

/**
 * Bundles the command line. Modules that are imported with `import()` are evaluated on first use.
 *
 * @param {string} root
 */
async function buildCli(root) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await esbuild.build({
    absWorkingDir: root,
    preserveSymlinks: true,
    entryPoints: ["packages/cli/src/main.ts"],
    outfile: cliProgram(root),
    bundle: true,
    format: "cjs",
    platform: "node",
    mainFields: ["module", "main"],
    target: "node22",
    minify: true,
    logLevel: "warning",
    // The chain asks whether it is the program. In this bundle it is not.
    define: { "import.meta.main": "false", FINALITY_VERSION: JSON.stringify(version), esbuildDetection: "1" },
    plugins: [oneParser, packedDictionary, assembledModule, directImports(root)],
  });
  chmodSync(cliProgram(root), 0o755);
}

/**
 * Builds the command line if a source is newer than the bundle. Returns the path of the program.
 *
 * @param {string} root
 */
export async function buildCliIfStale(root) {
  const program = cliProgram(root);
  const built = existsSync(program) ? statSync(program).mtimeMs : 0;
  const inputs = globSync(["packages/*/src/**/*.ts", "scripts/build/*", "package-lock.json"], { cwd: root });
  if (inputs.some((file) => statSync(join(root, file)).mtimeMs > built)) await buildCli(root);
  return program;
}
