// `npm run check`: runs the type check, lint, format, import rules, and the search for unused code.

import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { checkImports } from "./check/imports.mjs";
import { findWording } from "./check/wording.mjs";
import { runToEnd } from "./run-to-end.mjs";

const root = join(import.meta.dirname, "..");
const bin = (/** @type {string} */ name) => join(root, "node_modules", ".bin", name);

/** The compiler in machine code says the same in a third of the time; tests ask the other one about the sources. */
const compiler = join(root, "node_modules", "typescript-native", "bin", "tsc");

const projects = ["tsconfig.json", "media/tsconfig.json"].filter((file) => existsSync(join(root, file)));
const hasPages = globSync("media/*/*.ts", { cwd: root }).length > 0;

const checks = [
  ...projects
    .filter((project) => project === "tsconfig.json" || hasPages)
    .map((project) => ({
      name: `types (${project})`,
      end: runToEnd(process.execPath, [compiler, "--noEmit", "-p", project], root),
    })),
  {
    name: "lint and format",
    end: runToEnd(bin("biome"), ["check", "--error-on-warnings", "--max-diagnostics=20"], root),
  },
  { name: "imports", end: checkImports(root) },
  { name: "unused code", end: runToEnd(bin("knip"), ["--no-progress"], root) },
  { name: "wording", end: checkWording() },
];

for (const { name, end } of checks) {
  const { code, output } = await end;
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${name}`);
  if (code !== 0) console.log(output);
  if (code !== 0) process.exitCode = 1;
}

/** Checks that comments, texts for users, titles of tests, names and types follow docs/glossary.md. */
async function checkWording() {
  const found = findWording(root, ["{src,media,test,packages/*/src,packages/*/test}/**/*.ts"]);
  return { code: found.length === 0 ? 0 : 1, output: found.join("\n") };
}
