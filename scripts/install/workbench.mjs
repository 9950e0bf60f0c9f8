import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./dependencies.mjs";

const home = join(import.meta.dirname, "..", "workbench");
const server = join(home, "node_modules", "code-server", "lib", "vscode");
const marker = join(home, "node_modules", ".installed");

/**
 * The program that serves the workbench: the inner VS Code server of code-server, which takes VS Code's own arguments.
 */
export const workbenchServer = join(server, "out", "server-main.js");

/**
 * Installs the workbench on demand. It is no dependency of the root package, because its tree is 600 MB, and it is
 * installed without install scripts, because they compile native modules (a log and a watchdog) that the server does
 * without.
 */
export async function installWorkbench() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(home, "package-lock.json")))
    .digest("hex");
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return;
  const started = Date.now();
  console.error("Installing the workbench (code-server, 600 MB, once) …");
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await npm(["ci", ...quiet], home);
  console.error("Installing the dependencies of its VS Code server …");
  await npm(["install", "--omit=dev", ...quiet], server);
  writeFileSync(marker, wanted);
  console.error(`Workbench installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}
