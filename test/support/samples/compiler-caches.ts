import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Packages of the sample projects, after `installSampleProjects`. */
export const SAMPLE_PACKAGES = join(import.meta.dirname, "../../../scripts/sample-projects/node_modules");

/** Compiler release of every sample project. Their frameworks download it; here it comes from the package `solc`. */
const SOLC = { version: "0.8.26", longVersion: "0.8.26+commit.8a97fa7a" };

/**
 * Puts the compiler where hardhat-tron, TronBox and forge look for it before they download it. Returns the environment
 * that they need.
 */
export function writeCompilerCaches(home: string): Readonly<Record<string, string>> {
  const compiler = join(SAMPLE_PACKAGES, "solc", "soljson.js");
  const hardhat = join(home, ".cache", "hardhat-nodejs", "compilers-v2", "wasm", "tron-solc");
  const tronBox = join(home, ".tronbox", "solc");
  for (const folder of [hardhat, tronBox]) mkdirSync(folder, { recursive: true });

  const path = `soljson-v${SOLC.longVersion}.js`;
  const sha256 = `0x${createHash("sha256").update(readFileSync(compiler)).digest("hex")}`;
  writeFileSync(join(hardhat, "list.json"), JSON.stringify({ builds: [{ ...SOLC, path, sha256 }] }));
  symlinkSync(compiler, join(hardhat, path));
  symlinkSync(compiler, join(tronBox, `soljson_v${SOLC.version}.js`));

  const program = `#!${process.execPath}
const solc = require(${JSON.stringify(join(SAMPLE_PACKAGES, "solc"))});
const input = () => require("node:fs").readFileSync(0, "utf8");
console.log(process.argv.includes("--version") ? "Version: " + solc.version() : solc.compile(input()));
`;
  writeFileSync(join(home, "solc"), program, { mode: 0o755 });
  return { HOME: home, FOUNDRY_SOLC: join(home, "solc"), HARDHAT_DISABLE_TELEMETRY_PROMPT: "true" };
}
