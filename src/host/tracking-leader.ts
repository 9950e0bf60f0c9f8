import { createHash } from "node:crypto";
import { stat, unlink } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** What the leading window does. The signal aborts when it has to stop; then it should end soon. */
export type Lead = (signal: AbortSignal) => Promise<void>;

/** The longest path that a socket can have on every system (macOS: 104 with its end). */
const LONGEST_PATH = 100;
/** Before asking again for a socket that cannot be used for a reason of its own. */
const REFUSED_PAUSE_MS = 1_000;

/**
 * Runs `lead` in exactly one of the windows that share a folder, until the signal aborts.
 *
 * The window that can listen on the folder's socket leads. Every other one holds a connection to it: when that breaks, the leader
 * is gone, and the next one takes its place. Two leaders for a moment would do no harm but double requests.
 */
export async function leadAlone(folder: string, lead: Lead, signal: AbortSignal): Promise<void> {
  const path = socketPath(folder);
  while (!signal.aborted) {
    const server = await listen(path);
    if (server === undefined) await waitForLeader(path, signal);
    else await leadWith(server, lead, signal);
  }
}

async function leadWith({ server, followers }: Leadership, lead: Lead, signal: AbortSignal): Promise<void> {
  try {
    await lead(signal);
    await aborted(signal);
  } finally {
    for (const follower of followers) follower.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

interface Leadership {
  readonly server: Server;
  readonly followers: ReadonlySet<Socket>;
}

/** Leadership, or undefined when another window has it. @throws any other reason why the socket cannot be had */
async function listen(path: string): Promise<Leadership | undefined> {
  const followers = new Set<Socket>();
  const server = createServer((follower) => {
    followers.add(follower);
    follower.on("close", () => followers.delete(follower)).on("error", () => follower.destroy());
  });
  const { promise, resolve, reject } = Promise.withResolvers<Leadership | undefined>();
  server.once("error", (error) => (codeOf(error) === "EADDRINUSE" ? resolve(undefined) : reject(error)));
  server.listen(path, () => resolve({ server, followers }));
  return await promise;
}

/** Resolves when the leader is gone. The socket that a killed leader left behind is removed. */
async function waitForLeader(path: string, signal: AbortSignal): Promise<void> {
  const before = await inode(path);
  const failure = await connection(path, signal);
  if (failure === undefined || failure === "ENOENT") return;
  if (failure !== "ECONNREFUSED") await wait(REFUSED_PAUSE_MS);
  else if (before !== undefined && before === (await inode(path))) await remove(path);
}

/** Connects and stays so until the other end or the signal ends it. @returns why there was no connection at all */
async function connection(path: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let failure: string | undefined;
  let connected = false;
  const leader = connect(path, () => {
    connected = true;
  });
  leader.on("error", (error) => {
    failure = codeOf(error) ?? error.message;
  });
  leader.on("close", () => resolve()).resume();
  const stop = (): void => void leader.destroy();
  signal.addEventListener("abort", stop, { once: true });
  await closed;
  signal.removeEventListener("abort", stop);
  return connected ? undefined : failure;
}

/** Which file the path names: another window may have replaced a stale socket by its own meanwhile. */
async function inode(path: string): Promise<number | undefined> {
  return await stat(path).then(
    ({ ino }) => ino,
    () => undefined,
  );
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
}

function socketPath(folder: string): string {
  const name = `finality-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  const inside = join(folder, "tracking.sock");
  return inside.length <= LONGEST_PATH ? inside : join(tmpdir(), `${name}.sock`);
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
