import { chmodSync, existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import * as esbuild from "esbuild";
import { assembledModule } from "./assembled-module.mjs";
import { noNumberTable, noSchemaValidator, oneParser } from "./bundle-in-parts.mjs";
import { directImports } from "./direct-imports.mjs";
import { packedDictionary } from "./packed-dictionary.mjs";

/**
 * Path of the bundled command line, which is one file and needs Node alone.
 *
 * @param {string} root
 */
const cliProgram = (root) => join(root, "packages", "cli", "dist", "finality.cjs");

/** Modules whose code is packed in the bundle until a command needs it: Node reads and compiles all other code at each start. */
const COMPILED_LATE = /[/\\]packages[/\\]cli[/\\]src[/\\](?:commands[/\\]chain|lazy-network)\.ts$/;

/**
 * Bundles the command line into one file.
 *
 * @param {string} root
 */
async function buildCli(root) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  /** @type {esbuild.BuildOptions} */
  const options = {
    absWorkingDir: root,
    preserveSymlinks: true,
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
    plugins: [oneParser, noNumberTable, noSchemaValidator, packedDictionary, assembledModule, directImports(root)],
  };
  const plugins = [compiledLate(options), ...(options.plugins ?? [])];
  await esbuild.build({ ...options, entryPoints: ["packages/cli/src/main.ts"], plugins });
  chmodSync(cliProgram(root), 0o755);
}

/**
 * Bundles a module by itself, and compiles it from its text on first use. Its exports are the commands, `run…`.
 *
 * @param {esbuild.BuildOptions} options
 * @returns {esbuild.Plugin}
 */
const compiledLate = (options) => ({
  name: "compiled-late",
  setup(build) {
    build.onLoad({ filter: COMPILED_LATE }, async ({ path }) => {
      const { outputFiles = [] } = await esbuild.build({ ...options, entryPoints: [path], write: false });
      const names = new Set(readFileSync(path, "utf8").match(/\brun[A-Z]\w+/g));
      const packed = deflateRawSync(outputFiles[0]?.contents ?? "", { level: 9 });
      const contents = `
        import { compileFunction } from "node:vm";
        import { inflateRawSync } from "node:zlib";
        const code = inflateRawSync(Buffer.from("${packed.toString("base64")}", "base64")).toString("utf8");
        const part = { exports: {} };
        compileFunction(code, ["exports", "require", "module"], { filename: __filename })(part.exports, require, part);
        export const { ${[...names].join(", ")} } = part.exports;`;
      return { contents, loader: "js" };
    });
  },
});

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
