import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const LOCK = "lock";

/**
 * Takes a folder for this process alone. A process that was killed has left its lock behind: it is taken over.
 *
 * @returns gives it free
 * @throws {Error} a process that is alive has it
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, LOCK);
  if (!tryLock(path)) {
    const owner = Number(readFileSync(path, "utf8"));
    if (isAlive(owner))
      throw new Error(`${folder} is in use by process ${owner}. If that is no local chain, delete ${path}.`);
    takeAway(path);
    if (!tryLock(path)) throw new Error(`${folder} has just been taken by another process.`);
  }
  return () => rmSync(path, { force: true });
}

function tryLock(path: string): boolean {
  try {
    const file = openSync(path, "wx");
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Of several that find the same old lock, one can rename it. */
function takeAway(path: string): void {
  const old = `${path}.${process.pid}`;
  try {
    renameSync(path, old);
    rmSync(old);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** A signal that is none asks whether there is such a process; one of somebody else's may not be asked. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
