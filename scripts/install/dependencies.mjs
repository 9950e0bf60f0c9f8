import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Installs what the lock file says, unless `node_modules` already is that.
 *
 * npm writes `node_modules/.package-lock.json` at the end of every install, so an install that was broken off, a package
 * folder that is missing, or a lock file that somebody else changed is noticed, and an `npm ci` by hand is not done again.
 *
 * @param {string} root
 */
export async function installDependencies(root) {
  if (isInstalled(root)) return;
  const started = Date.now();
  console.error("Installing the dependencies …");
  await npm(["ci", "--no-audit", "--no-fund", "--loglevel=error"], root);
  console.error(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** @param {string} root */
function isInstalled(root) {
  const wanted = packages(join(root, "package-lock.json"));
  const present = packages(join(root, "node_modules", ".package-lock.json"));
  return (
    existsSync(join(root, "node_modules", ".bin", "node")) &&
    Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        path === "" || optional === true || (present[path]?.version === version && existsSync(join(root, path))),
    )
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packages(file) {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")).packages ?? {}) : {};
}

/**
 * Runs npm with its output on stderr: stdout belongs to the task.
 *
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<void>}
 */
export function npm(args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn("npm", args, { cwd, stdio: ["ignore", process.stderr, process.stderr] });
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`"npm ${args.join(" ")}" in ${cwd} ended with code ${code}`)),
    );
  });
}
