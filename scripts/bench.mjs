// `npm run bench`: every measurement of test/bench, one after the other, and at the end one table of what we take beside
// each peer. `-- --write` puts the table into docs/performance.md. Other arguments go to the measurements; words without
// dashes before them say which to run.

import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performanceTable, withTable } from "./bench/table.mjs";
import { buildIfStale } from "./build/bundles.mjs";
import { endChildrenOnSignals, startChild } from "./children.mjs";
import { installPeers } from "./install/on-demand.mjs";

const root = join(import.meta.dirname, "..");
const gathered = join(root, ".cache", "bench.jsonl");
const page = join(root, "docs", "performance.md");
const args = process.argv.slice(2).filter((it) => it !== "--write");
const firstFlag = args.findIndex((it) => it.startsWith("-"));
const names = firstFlag < 0 ? args : args.slice(0, firstFlag);
endChildrenOnSignals();
await buildIfStale(root);
await installPeers();
mkdirSync(join(root, ".cache"), { recursive: true });
rmSync(gathered, { force: true });
const files = globSync("test/bench/*.bench.ts", { cwd: root }).sort();
for (const file of files.filter((it) => names.length === 0 || names.some((name) => it.includes(name)))) {
  console.log(`── ${file}`);
  const env = { ...process.env, FINALITY_BENCH_ROWS: gathered };
  const child = startChild(process.execPath, [file, ...args.slice(names.length)], { cwd: root, env, stdio: "inherit" });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) process.exitCode = 1;
}
const lines = existsSync(gathered) ? readFileSync(gathered, "utf8").trim().split("\n") : [];
const { markdown, unexplained } = performanceTable(lines.map((line) => JSON.parse(line)));
console.log(`\n${markdown}`);
for (const what of unexplained) console.error(`Behind its peer, and nobody says why: ${what}`);
if (unexplained.length > 0) process.exitCode = 1;
if (process.argv.includes("--write")) writeFileSync(page, withTable(readFileSync(page, "utf8"), markdown));
