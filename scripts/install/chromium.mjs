import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first draws no windows and has nothing of what belongs to them: it takes less of a machine, and starts sooner. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * The path of a Chromium: `CHROMIUM_PATH`, or one on the PATH.
 *
 * @returns {string | undefined}
 */
function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== "") return given;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** Installs Chromium with apt where there is none, and gives its path. */
export function installChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  console.error("Installing Chromium (apt-get, once) …");
  apt("update");
  const install = (/** @type {string} */ name) => apt("install", "-y", "--no-install-recommends", name);
  try {
    install("chromium-headless-shell");
  } catch {
    // A distribution that has the whole one alone.
    install("chromium");
  }
  const installed = findChromium();
  if (installed === undefined) throw new Error("apt-get installed no Chromium that is on the PATH. Set CHROMIUM_PATH.");
  return installed;
}

/**
 * Runs apt-get as root.
 *
 * @param {string[]} args
 */
export function apt(...args) {
  const command = [...asRoot(), "apt-get", "-q", ...args];
  const [program = "", ...rest] = command;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execFileSync(program, rest, { env, stdio: ["ignore", process.stderr, process.stderr] });
}

function asRoot() {
  if (process.getuid?.() === 0) return [];
  if (spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0) return ["sudo", "-n"];
  throw new Error(
    "The tests need Chromium, a Chinese font and PostgreSQL, and installing them needs root. Run `sudo apt-get install chromium fonts-wqy-microhei postgresql`, or set CHROMIUM_PATH to the program of a Chromium.",
  );
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
