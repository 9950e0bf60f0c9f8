import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, parseJson } from "@finality/tron/primitives";
import { replaceFile } from "./record-file.ts";

/** Name of the lock file in a folder. */
const LOCK = "lock";
/** Interval at which the owner of a lock renews its time; ms. */
const RENEWAL_MS = 5_000;
/** Age of a lock after which its owner counts as gone, although another process has its id by now; ms. */
const STALE_MS = 60_000;

/** Process that uses a folder. */
interface FolderOwner {
  readonly pid: number;
  /** URL of the chain, once it accepts requests. */
  readonly baseUrl: string | undefined;
  /** False for locks of older versions, whose time is not renewed. */
  readonly isRenewed: boolean;
}

/** Fields of a lock that other programs read, once the chain accepts requests. */
export interface LockedChain {
  readonly baseUrl: string;
  /** `chainIdentity` of the chain. */
  readonly chain: string;
}

/**
 * Lock of a folder, which one process holds. A lock is free if its process has ended, or has not renewed it for a
 * minute: the id of a process can be reused.
 */
export class FolderLock {
  readonly #path: string;
  readonly #timer: NodeJS.Timeout;
  /** True if the lock was taken from a process that did not release it. */
  readonly isTakenOver: boolean;
  #onLost = (): void => {};

  /** @throws {Error} another process uses the folder */
  constructor(folder: string) {
    this.#path = join(folder, LOCK);
    this.isTakenOver = !tryLock(this.#path);
    if (this.isTakenOver) takeOver(folder, this.#path);
    this.#timer = setInterval(() => this.#renew(), RENEWAL_MS).unref();
  }

  /** Writes the URL and the identity of the chain into the lock, for other programs. */
  announce(chain: LockedChain): void {
    replaceFile(
      this.#path,
      Buffer.from(`${JSON.stringify({ pid: process.pid, program: process.argv[1], ...chain })}\n`),
    );
  }

  /** Returns whether this process still holds the lock. */
  get isHeld(): boolean {
    return ownerOf(this.#path)?.pid === process.pid;
  }

  /** Registers a listener for the loss of the lock: the folder was deleted, or another process has taken it. */
  onLost(listener: () => void): void {
    this.#onLost = listener;
  }

  release(): void {
    clearInterval(this.#timer);
    if (this.isHeld) rmSync(this.#path, { force: true });
  }

  #renew(): void {
    if (!this.isHeld) {
      clearInterval(this.#timer);
      this.#onLost();
      return;
    }
    const now = Date.now() / 1_000;
    utimesSync(this.#path, now, now);
  }
}

function tryLock(path: string): boolean {
  try {
    const file = openSync(path, "wx", 0o600);
    writeSync(file, `${JSON.stringify({ pid: process.pid })}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** @throws {Error} the owner of the lock is running */
function takeOver(folder: string, path: string): void {
  const owner = ownerOf(path);
  const isRecent = ageMs(path) < STALE_MS;
  // A lock without content is being written.
  const isUsed = owner === undefined ? isRecent : isRunning(owner.pid) && (isRecent || !owner.isRenewed);
  if (isUsed) throw new Error(inUse(folder, path, owner));
  takeAway(path);
  if (!tryLock(path)) throw new Error(`${folder} has just been taken by another process.`);
}

function inUse(folder: string, path: string, owner: FolderOwner | undefined): string {
  if (owner === undefined) return `${folder} is being taken by another process. Try again.`;
  const { pid, baseUrl, isRenewed } = owner;
  if (baseUrl !== undefined) {
    return `${folder} is in use by process ${pid}: its chain answers at ${baseUrl}. Use it there, or stop it with POST ${baseUrl}/local/stop.`;
  }
  return `${folder} is in use by process ${pid}.${isRenewed ? "" : ` If that is no local chain, delete ${path}.`}`;
}

/** Returns the owner that a lock names; undefined if it cannot be read. */
function ownerOf(path: string): FolderOwner | undefined {
  try {
    const text = readFileSync(path, "utf8");
    const json = parseJson(text);
    if (!isJsonObject(json)) return { pid: Number(text), baseUrl: undefined, isRenewed: false };
    const { pid, baseUrl } = json;
    return { pid: Number(pid), baseUrl: typeof baseUrl === "string" ? baseUrl : undefined, isRenewed: true };
  } catch {
    return undefined;
  }
}

/** Returns the time since the last renewal in ms; 0 if there is no lock. */
function ageMs(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

/** Takes a stale lock: only one of several processes can rename it. */
function takeAway(path: string): void {
  const old = `${path}.${process.pid}`;
  try {
    renameSync(path, old);
    rmSync(old);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** Returns whether a process exists: signal 0 tests it, and is not permitted for other users' processes. */
function isRunning(pid: number): boolean {
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
