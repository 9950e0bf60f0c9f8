import type { EventEmitter } from "node:events";
import { basename, dirname, join } from "node:path";
import type { FakeClock } from "../fakes/fake-clock.ts";

/** Points at which a window may crash, in the order in which a broadcast passes them. */
export const POINTS = [
  "before-write",
  "torn-write",
  "after-write",
  "after-sync",
  "before-request",
  "after-request",
] as const;
export type Point = (typeof POINTS)[number];

/** Points at which a slow disk delays. */
const DISK_POINTS: readonly Point[] = ["before-write", "after-sync"];

/** A crash at the `after`-th visit of a point. */
export interface ArmedCrash {
  readonly point: Point;
  readonly after: number;
  readonly how: "kill" | "power-cut";
  /** Share of unsynced bytes, or of a cut write, that survives; 0 to 1. */
  readonly kept: number;
}

interface File {
  bytes: Buffer;
  synced: number;
  readonly inode: number;
}

/** Change of the journal by another program: deleted, emptied, or replaced by an older copy. */
export type Vandalism = "removed" | "emptied" | "replaced";

/**
 * Accepts a connection.
 *
 * @returns the server's end
 */
type Accept = (client: EventEmitter) => EventEmitter;

/** Window of the folders above those of windows. */
const NO_WINDOW = 0;
/** Delay of a file change event; ms. */
const NOTICE_MS = 20;

/**
 * One machine: a disk that loses what was not synced, sockets that die with their window, and windows that stop in the
 * middle of what they do. A window sees the disk below a folder that bears its number, so that everybody who calls is
 * known.
 */
export class Machine {
  readonly clock: FakeClock;
  #files = new Map<string, File>();
  /** File names that survive a power cut, and changes of names since their folder was synced. */
  readonly #kept = new Map<string, File>();
  #renaming: { readonly folder: string; readonly change: (names: Map<string, File>) => void }[] = [];
  readonly #servers = new Map<string, { readonly window: number; readonly accept: Accept }>();
  /** Both ends of each connection, with their windows. */
  readonly #connections = new Set<{ readonly windows: readonly number[]; readonly ends: readonly EventEmitter[] }>();
  readonly #watchers = new Set<{ readonly window: number; readonly tell: () => void }>();
  readonly #alive = new Set<number>();
  readonly #counts: { [name: string]: number };
  #armed: ArmedCrash | undefined;
  #inodes = 0;
  #noticed = false;
  /** Number of bytes that still fit. */
  room = Number.POSITIVE_INFINITY;
  /** Duration of each disk operation; ms. Other windows go on meanwhile. */
  delay = 0;

  constructor(clock: FakeClock, counts: { [name: string]: number }) {
    this.clock = clock;
    this.#counts = counts;
  }

  /** A folder for a new window. */
  open(window: number): string {
    this.#alive.add(window);
    return `/model@${window}`;
  }

  isAlive(window: number): boolean {
    return this.#alive.has(window);
  }

  get windows(): readonly number[] {
    return [...this.#alive];
  }

  arm(crash: ArmedCrash | undefined): void {
    this.#armed = crash;
  }

  /** Ends a process; its writes stay with the operating system. */
  kill(window: number): void {
    if (!this.#alive.delete(window)) return;
    for (const it of this.#watchers) if (it.window === window) this.#watchers.delete(it);
    for (const it of this.#connections) {
      if (!it.windows.includes(window)) continue;
      this.#connections.delete(it);
      for (const end of it.ends) process.nextTick(() => end.emit("close"));
    }
  }

  /** Ends all processes and loses a part of the unsynced bytes. */
  powerCut(kept: number): void {
    for (const window of this.#alive) this.kill(window);
    for (const { change } of this.#renaming.slice(0, Math.floor(this.#renaming.length * kept))) change(this.#kept);
    this.#count("names lost", Math.ceil(this.#renaming.length * (1 - kept)));
    this.#renaming = [];
    this.#files = new Map(this.#kept);
    for (const file of new Set(this.#files.values())) {
      const left = file.synced + Math.floor((file.bytes.length - file.synced) * kept);
      this.#count("bytes lost", file.bytes.length - left);
      file.bytes = file.bytes.subarray(0, left);
      file.synced = left;
    }
  }

  /** Continues unless the window has crashed or crashes here. */
  async pass(window: number, point: Point): Promise<void> {
    if (window === NO_WINDOW) return;
    if (this.delay > 0 && DISK_POINTS.includes(point)) await this.clock.sleep(this.delay);
    if (this.#alive.has(window) && this.#strikes(point)) this.#crash(window);
    if (!this.#alive.has(window)) await never();
  }

  find(path: string): File | undefined {
    return this.#files.get(diskPath(path));
  }

  names(folder: string): readonly string[] {
    const parent = diskPath(folder);
    return [...this.#files.keys()].filter((it) => dirname(it) === parent).map((it) => basename(it));
  }

  create(path: string): File {
    const known = this.find(path);
    if (known !== undefined) return known;
    const file = { bytes: Buffer.alloc(0), synced: 0, inode: ++this.#inodes };
    this.#rename(path, (names) => names.set(diskPath(path), file));
    return file;
  }

  rename(from: string, to: string): void {
    const file = this.find(from);
    if (file === undefined) throw codeError("ENOENT");
    this.#rename(from, (names) => {
      names.delete(diskPath(from));
      names.set(diskPath(to), file);
    });
    this.#count("renamed");
    this.#notice();
  }

  /** Creates a second name for a file. */
  link(path: string, second: string): void {
    const file = this.find(path);
    if (file === undefined) throw codeError("ENOENT");
    if (this.find(second) !== undefined) throw codeError("EEXIST");
    this.#rename(second, (names) => names.set(diskPath(second), file));
  }

  /** Makes changes of names in a folder permanent. */
  async syncNames(path: string): Promise<void> {
    const folder = diskPath(path);
    for (const it of this.#renaming) if (it.folder === folder) it.change(this.#kept);
    this.#renaming = this.#renaming.filter((it) => it.folder !== folder);
    await this.pass(windowOf(path), "after-sync");
  }

  #rename(path: string, change: (names: Map<string, File>) => void): void {
    change(this.#files);
    this.#renaming.push({ folder: dirname(diskPath(path)), change });
  }

  remove(path: string): void {
    if (this.find(path) === undefined) throw codeError("ENOENT");
    this.#rename(path, (names) => names.delete(diskPath(path)));
    this.#servers.delete(diskPath(path));
  }

  /** @returns how many bytes fitted */
  async write(path: string, file: File, bytes: Buffer): Promise<number> {
    const window = windowOf(path);
    await this.pass(window, "before-write");
    const fitting = bytes.subarray(0, Math.max(0, Math.min(bytes.length, this.room)));
    if (fitting.length < bytes.length) this.#count("disk was full");
    this.room -= fitting.length;
    if (this.#alive.has(window) && this.#strikes("torn-write")) {
      file.bytes = Buffer.concat([file.bytes, fitting.subarray(0, fitting.length * (this.#armed?.kept ?? 0))]);
      this.#crash(window);
      await never();
    }
    file.bytes = Buffer.concat([file.bytes, fitting]);
    this.#notice();
    await this.pass(window, "after-write");
    return fitting.length;
  }

  async sync(path: string, file: File): Promise<void> {
    file.synced = file.bytes.length;
    await this.pass(windowOf(path), "after-sync");
  }

  /** Changes a file as another program would, without a sync. */
  vandalise(path: string, how: Vandalism): void {
    const file = this.find(path);
    if (file === undefined) return;
    const half = file.bytes.subarray(0, file.bytes.lastIndexOf("\n", file.bytes.length / 2) + 1);
    if (how === "emptied") [file.bytes, file.synced] = [Buffer.alloc(0), 0];
    else this.remove(path);
    if (how === "replaced") this.create(path).bytes = Buffer.from(half);
    this.#count(`journal ${how}`);
    this.#notice();
  }

  watch(path: string, tell: () => void): () => void {
    const watcher = { window: windowOf(path), tell };
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** @throws {Error} `EADDRINUSE` */
  listen(path: string, accept: Accept): void {
    if (this.find(path) !== undefined) throw codeError("EADDRINUSE");
    this.create(path);
    this.#servers.set(diskPath(path), { window: windowOf(path), accept });
    this.#count("led");
  }

  unlisten(path: string): void {
    // As a real server, removes any file with the name.
    if (this.isAlive(windowOf(path)) && this.find(path) !== undefined) this.remove(path);
  }

  /** @throws {Error} `ENOENT` without a file, `ECONNREFUSED` without a listener */
  connect(path: string, socket: EventEmitter): void {
    if (this.find(path) === undefined) throw codeError("ENOENT");
    const server = this.#servers.get(diskPath(path));
    if (server === undefined || !this.#alive.has(server.window)) throw codeError("ECONNREFUSED");
    const windows = [server.window, windowOf(path)];
    this.#connections.add({ windows, ends: [socket, server.accept(socket)] });
    this.#count("followed");
  }

  #strikes(point: Point): boolean {
    if (this.#armed?.point !== point) return false;
    this.#armed = { ...this.#armed, after: this.#armed.after - 1 };
    return this.#armed.after <= 0;
  }

  #crash(window: number): void {
    const crash = this.#armed;
    this.#armed = undefined;
    if (crash === undefined) return;
    this.#count(`crash ${crash.point}`);
    this.#count(`crash by ${crash.how}`);
    if (crash.how === "kill") this.kill(window);
    else this.powerCut(crash.kept);
  }

  #notice(): void {
    if (this.#noticed) return;
    this.#noticed = true;
    void this.clock.sleep(NOTICE_MS).then(() => {
      this.#noticed = false;
      for (const { tell } of [...this.#watchers]) tell();
    });
  }

  #count(name: string, by = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + by;
  }
}

/**
 * Returns a promise that never resolves, for a dead window. Nothing else refers to it, so the window can be collected.
 */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

let mounted: Machine | undefined;

/** Sets the machine on which every window runs. */
export function mount(machine: Machine): void {
  mounted = machine;
}

export function machine(): Machine {
  if (mounted === undefined) throw new Error("No machine is mounted.");
  return mounted;
}

/** Returns the window that a path belongs to. */
export function windowOf(path: string): number {
  return Number(/^\/model@(\d+)/.exec(path)?.[1] ?? NO_WINDOW);
}

function diskPath(path: string): string {
  return join("/", path.replace(/^\/model@\d+/, ""));
}

export function codeError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
