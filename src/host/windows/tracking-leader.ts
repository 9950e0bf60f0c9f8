import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { link, lstat, mkdir, open, readFile, stat, unlink } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, within } from "@finality/client/gateway";
import { codeOf } from "@finality/node/storage";

/** Work of the leading window. It should end soon after the signal aborts. A rejection gives up the lead. */
type Lead = (signal: AbortSignal) => Promise<void>;

export interface LeadOptions {
  /** Folder that the windows share. */
  readonly folder: string;
  readonly lead: Lead;
  /** Resolves if VS Code answers this window. For a closed window it never resolves. */
  readonly proof: () => PromiseLike<unknown>;
  readonly clock: Clock;
  /** Called when the lead is given up or cannot be shared. */
  readonly report: (message: string, error: unknown) => void;
}

/** Interval of the leader's heartbeat; ms. */
const BEAT_MS = 2_000;
/** Time limit for VS Code's answer; ms. With a heartbeat before it and the take-over it stays below 15 s. */
const PROOF_MS = 8_000;
/** Pause before a retry after giving up the lead or failing to use the socket; ms. */
const PAUSE_MS = 10_000;
/** Pause that prevents a busy loop if a socket is removed repeatedly; ms. */
const AGAIN_MS = 100;

/**
 * Runs `lead` in exactly one of the windows that share a folder, until the signal aborts. The window that listens on
 * the folder's socket leads, and keeps proving its identity and that VS Code answers it. The others stay connected; if
 * the proofs stop, the next one takes over. Two leaders for a moment only cause double requests.
 */
export async function leadAlone(options: LeadOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await takeTurn(options, signal);
    } catch (error) {
      if (signal.aborted) return;
      options.report("The lead of watching was given up. It is tried again.", error);
      await pause(options.clock, signal);
    }
  }
}

async function takeTurn(options: LeadOptions, signal: AbortSignal): Promise<void> {
  await orAborted(prove(options), signal);
  if (signal.aborted) return;
  const shared = await sharedSocket(options.folder).catch((error: unknown) => {
    options.report("Windows cannot meet, so each of them watches the chain.", error);
    return undefined;
  });
  const socket = shared && (await LeaderSocket.listen(shared, options.clock));
  if (shared === undefined || socket !== undefined) await leadWith(options, { place: shared, socket }, signal);
  else await waitForLeader(options, shared, signal);
}

interface Held {
  readonly place: SharedSocket | undefined;
  socket: LeaderSocket | undefined;
}

/** @throws what made it give up the lead */
async function leadWith(options: LeadOptions, held: Held, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const leading = options.lead(both).then(() => aborted(both));
  const keeping = holdLead(options, held, both);
  try {
    await Promise.race([leading, keeping]);
  } finally {
    stop.abort();
    await keeping.catch(() => undefined);
    await held.socket?.close();
    await leading.catch(() => undefined);
  }
}

/** Ends when another window proves that it leads. @throws if VS Code no longer answers */
async function holdLead(options: LeadOptions, held: Held, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  while (!signal.aborted) {
    await orAborted(prove(options), signal);
    held.socket?.beat();
    if (held.socket !== undefined && !(await held.socket.isFound())) {
      if (await isLedByAnother(options, signal)) return;
      await held.socket.close();
      held.socket = await listenAgain(options);
    }
    await clock.sleep(BEAT_MS, signal).catch(() => undefined);
  }
}

async function prove({ proof, clock }: LeadOptions): Promise<void> {
  await within(clock, PROOF_MS, proof(), () => new Error("The editor does not answer this window any more."));
}

async function isLedByAnother({ folder, clock }: LeadOptions, signal: AbortSignal): Promise<boolean> {
  return (await follow(await sharedSocket(folder), clock, signal, true)) === "heard";
}

/** The current listener has proven nothing, so its socket is replaced. */
async function listenAgain({ folder, clock }: LeadOptions): Promise<LeaderSocket | undefined> {
  const shared = await sharedSocket(folder);
  await removeSocket(shared.path, await inode(shared.path));
  return await LeaderSocket.listen(shared, clock);
}

/** Resolves when the leader is gone. A socket that a killed leader left, or that another program holds, is removed. */
async function waitForLeader(options: LeadOptions, shared: SharedSocket, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  const before = await inode(shared.path);
  const end = await follow(shared, clock, signal);
  if (signal.aborted || end === "gone") return;
  if (end === "nobody" || end === "silent") await removeSocket(shared.path, before);
  if (end === "silent" && process.platform === "win32") {
    // A named pipe cannot be taken from its owner.
    await leadWith(options, { place: shared, socket: undefined }, signal);
  }
  if (typeof end === "object") await pause(clock, signal);
  else await clock.sleep(AGAIN_MS, signal).catch(() => undefined);
}

async function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  await clock.sleep(PAUSE_MS, signal).catch(() => undefined);
}

/** Ends with the work or the signal. It leaves no listener on the signal, because it is called repeatedly. */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const abort = (): void => resolve();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

/** The longest path that a socket can have on every system (macOS: 104 with its end). */
const LONGEST_PATH = 100;
const OTHERS = 0o077;
/** Time in which a client has to identify itself; ms. */
const HELLO_MS = 2_000;
/** More than the windows of any user. */
const MOST_PEERS = 100;
/** Interval in which a follower expects a heartbeat; ms. */
const CHECK_INTERVAL_MS = 2_500;
/** Missed intervals after which the leader counts as gone: at most 10 s after its last heartbeat. */
const SILENT_INTERVALS = 3;

/** Socket of a folder's windows, and their shared secret. */
export interface SharedSocket {
  readonly path: string;
  readonly key: string;
}

/** Returns the socket of a folder. @throws {Error} no location is private to this user */
export async function sharedSocket(folder: string): Promise<SharedSocket> {
  const key = await leaderKey(folder);
  const name = `finality-${proofOf(key, "socket").slice(0, 16)}`;
  if (process.platform === "win32") return { key, path: `\\\\.\\pipe\\${name}` };
  const inside = join(folder, "tracking.sock");
  return { key, path: inside.length <= LONGEST_PATH ? inside : join(await ownFolder(name), "tracking.sock") };
}

/** Returns a temporary folder that only this user can enter; its name cannot be guessed. */
async function ownFolder(name: string): Promise<string> {
  const folder = join(tmpdir(), name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = await lstat(folder);
  if (uid !== process.getuid?.() || (mode & OTHERS) !== 0) throw new Error(`${folder} is open to other users`);
  return folder;
}

/** Server side: sends heartbeats to followers and ignores other clients. */
class LeaderSocket {
  readonly #shared: SharedSocket;
  readonly #clock: Clock;
  readonly #server: Server;
  readonly #peers = new Set<Socket>();
  readonly #followers = new Map<Socket, string>();
  readonly #closing = new AbortController();
  #inode: number | undefined;
  #beats = 0;

  private constructor(shared: SharedSocket, clock: Clock) {
    this.#shared = shared;
    this.#clock = clock;
    this.#server = createServer((peer) => this.#welcome(peer));
    this.#server.maxConnections = MOST_PEERS;
  }

  /** Listens; undefined if the socket is in use. @throws any other error */
  static async listen(shared: SharedSocket, clock: Clock): Promise<LeaderSocket | undefined> {
    const socket = new LeaderSocket(shared, clock);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    socket.#server.once("error", (error) => (codeOf(error) === "EADDRINUSE" ? resolve(false) : reject(error)));
    socket.#server.listen(shared.path, () => resolve(true));
    if (!(await promise)) return undefined;
    socket.#inode = await inode(shared.path);
    return socket;
  }

  beat(): void {
    this.#beats++;
    for (const [follower, nonce] of this.#followers) this.#sendHeartbeat(follower, nonce);
  }

  /** Returns whether the path still leads to this socket: it may have been removed or replaced. */
  async isFound(): Promise<boolean> {
    return (
      process.platform === "win32" || (this.#inode !== undefined && (await inode(this.#shared.path)) === this.#inode)
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const peer of this.#peers) peer.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #welcome(peer: Socket): void {
    this.#peers.add(peer);
    const read = lineReader((line) => this.#admit(peer, line));
    peer.on("error", () => peer.destroy()).on("data", (piece: Buffer) => read(piece) || peer.destroy());
    peer.on("close", () => {
      this.#peers.delete(peer);
      this.#followers.delete(peer);
    });
    const late = (): unknown => this.#followers.has(peer) || peer.destroy();
    this.#clock.sleep(HELLO_MS, this.#closing.signal).then(late, () => undefined);
  }

  /** Admits a follower. @returns false for a client without the secret, or with a second message */
  #admit(peer: Socket, line: string): boolean {
    const nonce = this.#followers.has(peer) ? undefined : readHello(this.#shared.key, line);
    if (nonce === undefined) return false;
    this.#followers.set(peer, nonce);
    this.#sendHeartbeat(peer, nonce);
    return true;
  }

  /** A follower that has not read the last heartbeat gets no more. */
  #sendHeartbeat(follower: Socket, nonce: string): void {
    if (follower.writableLength === 0) follower.write(beatLine(this.#shared.key, nonce, this.#beats));
  }
}

/** Result of following: no listener, leader gone, silent or unproven, proven once, or no connection. */
export type Following = "nobody" | "gone" | "silent" | "heard" | { readonly failure: string };

/**
 * Connects to the leader and stays connected while it proves that it leads.
 *
 * @param once - stop after the first proof
 */
export async function follow(
  { path, key }: SharedSocket,
  clock: Clock,
  signal: AbortSignal,
  once = false,
): Promise<Following> {
  const nonce = randomBytes(16).toString("hex");
  const ended = new AbortController();
  let [heard, beats, failure, connected] = [-1, 0, "", false];
  const read = lineReader((line) => {
    const count = readBeat(key, nonce, line);
    if (count === undefined || count < heard) return false;
    heard = count;
    beats++;
    return !once;
  });
  const leader = connect(path, () => {
    connected = true;
    leader.write(helloLine(key, nonce));
  });
  leader.on("error", (error) => {
    failure = codeOf(error) ?? error.message;
  });
  leader.on("data", (piece: Buffer) => read(piece) || leader.destroy()).on("close", () => ended.abort());
  const stop = (): void => void leader.destroy();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  let fellSilent = false;
  for (let silent = 0; !ended.signal.aborted && !fellSilent; ) {
    const before = beats;
    await clock.sleep(CHECK_INTERVAL_MS, ended.signal).catch(() => undefined);
    // Intervals are counted instead of time, because a suspended computer or a changed clock says nothing about the
    // leader.
    silent = beats === before ? silent + 1 : 0;
    fellSilent = !ended.signal.aborted && silent >= SILENT_INTERVALS;
  }
  signal.removeEventListener("abort", stop);
  leader.destroy();
  if (beats > 0) return fellSilent ? "silent" : once ? "heard" : "gone";
  if (failure === "ENOENT" || failure === "ECONNREFUSED") return "nobody";
  return connected || failure === "" ? "silent" : { failure };
}

/** Returns the inode of a path: another window may have replaced a stale socket. */
async function inode(path: string): Promise<number | undefined> {
  return await stat(path).then(
    ({ ino }) => ino,
    () => undefined,
  );
}

/** Removes a socket unless it was replaced meanwhile. */
async function removeSocket(path: string, which: number | undefined): Promise<void> {
  if (which === undefined || which !== (await inode(path))) return;
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
}

/** Longest line of the protocol; longer ones come from other programs. */
const LONGEST_LINE = 160;

/** Returns a follower's hello with its fresh nonce. */
function helloLine(key: string, nonce: string): string {
  return `${nonce} ${proofOf(key, `follow ${nonce}`)}\n`;
}

/** Reads a hello; undefined if the proof is wrong. */
function readHello(key: string, line: string): string | undefined {
  const [nonce = "", proof = ""] = line.split(" ");
  return nonce !== "" && isProven(key, `follow ${nonce}`, proof) ? nonce : undefined;
}

/** Returns the heartbeat with this count for a follower. */
function beatLine(key: string, nonce: string, count: number): string {
  return `${count} ${proofOf(key, `lead ${nonce} ${count}`)}\n`;
}

/** Reads the count of a heartbeat for this follower; undefined if the proof is wrong. */
function readBeat(key: string, nonce: string, line: string): number | undefined {
  const [count = "", proof = ""] = line.split(" ");
  return isProven(key, `lead ${nonce} ${count}`, proof) ? Number(count) : undefined;
}

/** Assembles lines from chunks. @returns false for a line that is too long */
function lineReader(take: (line: string) => boolean): (piece: Buffer) => boolean {
  let rest = "";
  return (piece) => {
    rest += piece.subarray(0, 100 * LONGEST_LINE).toString("latin1");
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    return rest.length <= LONGEST_LINE && lines.every((line) => line.length <= LONGEST_LINE && take(line));
  };
}

const KEY = /^[0-9a-f]{64}$/;
const TRIES = 5;

/**
 * Returns the secret of a folder's windows. It is in a file that only this user can read, created by the first window
 * that needs it.
 *
 * @throws {Error} the folder cannot be used
 */
async function leaderKey(folder: string): Promise<string> {
  const file = join(folder, "tracking.key");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let tried = 0; tried < TRIES; tried++) {
    const key = await readKey(file);
    if (key !== undefined) return key;
    await makeKey(file);
  }
  throw new Error(`${file} cannot be made or read`);
}

/** Reads the secret; undefined if there is none. A damaged or readable-by-others file is removed. */
async function readKey(file: string): Promise<string | undefined> {
  try {
    const { mode } = await lstat(file);
    const key = await readFile(file, "utf8");
    if (KEY.test(key) && (process.platform === "win32" || (mode & OTHERS) === 0)) return key;
    await unlink(file);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return undefined;
}

/** Writes the secret atomically: the file gets its name when it is complete. */
async function makeKey(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(randomBytes(32).toString("hex"));
  } finally {
    await handle.close();
  }
  await link(draft, file).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  await unlink(draft);
}

/** Returns the proof of knowing the key for a text; hex. */
function proofOf(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

function isProven(key: string, text: string, proof: string): boolean {
  const [received, wanted] = [Buffer.from(proof), Buffer.from(proofOf(key, text))];
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}
