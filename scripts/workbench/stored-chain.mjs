import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const FOLDER = ["User", "globalStorage", "finality.finality", "local-chain"];
/** A running chain renews its lock every 5 s; ms. */
const STALE_MS = 60_000;
const END_MS = 20_000;
const POLL_MS = 50;

/**
 * Ends the local chain that the extension started in a workbench: its process outlives the workbench. Its data stays.
 *
 * @param {string} userData - folder of user data of the workbench, which has ended
 */
export async function endStoredChain(userData) {
  const lock = join(userData, ...FOLDER, "lock");
  for (const end = Date.now() + END_MS; isHeld(lock); await sleep(POLL_MS)) {
    if (Date.now() > end) throw new Error(`The local chain of ${lock} did not end.`);
    // A chain that is starting has no URL yet, so the request is repeated.
    await requestEnd(lock);
  }
}

/** Returns whether a running chain holds the lock. @param {string} lock */
function isHeld(lock) {
  try {
    process.kill(ownerOf(lock).pid, 0);
    return Date.now() - statSync(lock).mtimeMs < STALE_MS;
  } catch {
    return false;
  }
}

/** @param {string} lock */
async function requestEnd(lock) {
  try {
    await fetch(`${ownerOf(lock).baseUrl}/local/stop`, { method: "POST" });
  } catch {
    // It does not accept requests yet, or no longer.
  }
}

/**
 * @param {string} lock
 * @returns {{ pid: number, baseUrl?: string }}
 */
const ownerOf = (lock) => JSON.parse(readFileSync(lock, "utf8"));
