import { type FileHandle, mkdir, open, readdir, readFile, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ChainError } from "../../core/errors/chain-error.ts";
import { counted } from "../../words/forms/numbers.ts";

/** How a file is opened: `open` of Node, or what a test puts in its place. */
export type OpenFile = (path: string, flags: string, mode: number) => Promise<FileHandle>;

/** Opens a file for appending and makes sure that its name survives a power cut too. */
export async function openDurably(file: string, openFile: OpenFile = open): Promise<FileHandle> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await openFile(file, "a+", 0o600);
  try {
    await syncFolder(folder);
    await syncFolder(dirname(folder));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Windows cannot open a folder, and does not need to. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/**
 * One write of whole lines, synced. The end of line in front keeps them from a line that another process left torn.
 *
 * @returns how many bytes it took
 */
export async function appendLines(handle: FileHandle, lines: readonly string[]): Promise<number> {
  const bytes = Buffer.from(`\n${lines.join("\n")}\n`);
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten !== bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes fit on the disk`);
  await handle.datasync();
  return bytes.length;
}

/**
 * Whether the path still names the open file: another window may have put a shorter one in its place, or somebody
 * removed it.
 */
export async function isNamed(handle: FileHandle, path: string): Promise<boolean> {
  return (await standing(handle, path)).named;
}

/** Whether the path still names the open file, and how many bytes that has. */
export async function standing(handle: FileHandle, path: string): Promise<{ named: boolean; size: number }> {
  const [open, named] = await Promise.all([handle.stat({ bigint: true }), statOf(path)]);
  return { named: named !== undefined && named.ino === open.ino && named.dev === open.dev, size: Number(open.size) };
}

async function statOf(path: string) {
  return await stat(path, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
}

export async function readFrom(handle: FileHandle, start: number): Promise<Buffer> {
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(Math.max(0, size - start));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** What the system says, with the next step where it is known. */
export function unwritable(file: string, cause: unknown): ChainError {
  if (cause instanceof ChainError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const step = NEXT_STEPS[codeOf(cause) ?? ""] ?? "Look at its folder, then try again";
  return new ChainError("JOURNAL_UNWRITABLE", { file, reason, step }, { cause });
}

const FULL = "Free some space on that disk, then try again";
const FORBIDDEN = "Let your user write to that folder, then try again";
const NEXT_STEPS: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: "That disk is read-only: make it writable, or start the editor with another --user-data-dir, then try again",
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EMFILE: "Too many files are open: close some windows, then try again",
  EIO: "The disk reports a fault: check it before you send anything",
};

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

const FILE = /^journal\.quarantine-(\d+)\.jsonl$/;

/**
 * Keeps damaged lines in a file of their own, once: lines that an earlier start kept are not kept, nor told, again. The
 * journal itself is never rewritten, because another window may be appending to it.
 *
 * @returns a sentence for people, or undefined when there is nothing new
 */
export async function quarantine(folder: string, damaged: readonly string[]): Promise<string | undefined> {
  if (damaged.length === 0) return undefined;
  const { lines, next } = await quarantined(folder);
  const unseen = damaged.filter((line) => !lines.has(line));
  if (unseen.length === 0) return undefined;
  const file = join(folder, `journal.quarantine-${next}.jsonl`);
  await writeSynced(file, `${unseen.join("\n")}\n`);
  return new ChainError("JOURNAL_UNREADABLE", { file, reason: counted(unseen.length, "damaged line") }).message;
}

async function quarantined(folder: string): Promise<{ lines: Set<string>; next: number }> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const numbers = names.map((name) => Number(FILE.exec(name)?.[1]));
  return { lines: new Set(texts.flatMap((text) => text.split("\n"))), next: Math.max(0, ...numbers) + 1 };
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } catch (error) {
    await unlink(file);
    throw error;
  } finally {
    await handle.close();
  }
}
