#!/usr/bin/env node
// The entry point of every npm script: `node scripts/run.mjs <task> [arguments]`. It runs under any Node from 20 on and needs
// no dependency. It installs the dependencies when they are missing or older than the lock file, then hands over to
// `scripts/<task>.mjs` under the Node of the lock file (24), which comes first on the PATH.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { installDependencies } from "./install/dependencies.mjs";
import { onOrphaned } from "./orphan.mjs";

const root = join(import.meta.dirname, "..");
const bin = join(root, "node_modules", ".bin");

/**
 * Runs the task and gives its exit code. A signal is handed on, not obeyed: the task ends its own children first.
 *
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<number>}
 */
function handOver(script, args) {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
  const child = spawn(join(bin, "node"), [script, ...args], { cwd: root, env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  onOrphaned(() => child.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (constants.signals[signal ?? "SIGTERM"] ?? 0)));
  });
}

const [task = "", ...args] = process.argv.slice(2);
const script = join(root, "scripts", `${task}.mjs`);
if (!/^[a-z-]+$/.test(task) || !existsSync(script)) {
  console.error(`There is no task "${task}". Tasks are the scripts of package.json.`);
  process.exit(2);
}
await installDependencies(root);
process.exitCode = await handOver(script, args);
