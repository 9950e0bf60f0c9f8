import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { apt } from "./chromium.mjs";

/** Folders in which distributions install the server, by version. */
const FOLDERS = "/usr/lib/postgresql/*/bin";

/** Installs PostgreSQL with apt unless it is there, and returns the folder of its programs. */
export function installPostgresql() {
  const found = findPostgresql();
  if (found !== undefined) return found;
  console.error("Installing PostgreSQL (apt-get, once) …");
  apt("update");
  apt("install", "-y", "--no-install-recommends", "postgresql");
  const installed = findPostgresql();
  if (installed === undefined) throw new Error("apt-get installed no PostgreSQL. Set POSTGRESQL_BIN to its folder.");
  return installed;
}

/**
 * Returns `POSTGRESQL_BIN`, or the folder of the newest installed server.
 *
 * @returns {string | undefined}
 */
function findPostgresql() {
  const { POSTGRESQL_BIN: given } = process.env;
  if (given !== undefined && given !== "") return given;
  const version = (/** @type {string} */ folder) => Number(/\/(\d+)\/bin$/.exec(folder)?.[1]);
  return globSync(FOLDERS)
    .filter((folder) => existsSync(join(folder, "initdb")))
    .sort((one, other) => version(other) - version(one))[0];
}
