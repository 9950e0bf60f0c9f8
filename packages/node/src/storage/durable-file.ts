import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { t } from "@vscode/l10n";

/** Function that opens a file: `open` of Node, or a replacement in tests. */
export type OpenFile = (path: string, flags: string, mode: number) => Promise<FileHandle>;

/** Opens or creates a file for appending, so that its name survives a power cut. */
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

/** Syncs a folder, so that the names in it survive a power cut. Windows cannot open a folder, and does not need to. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/**
 * Appends lines in one synced write. The line break in front separates them from a line that another process left
 * incomplete.
 *
 * @returns the number of bytes written
 */
export async function appendLines(handle: FileHandle, lines: readonly string[]): Promise<number> {
  const bytes = Buffer.from(`\n${lines.join("\n")}\n`);
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten !== bytes.length) throw new Error(t`only ${bytesWritten} of ${bytes.length} bytes fit on the disk`);
  await handle.datasync();
  return bytes.length;
}

/** Appends lines to a file that is not open; creates it if it is missing. */
export async function appendToFile(file: string, lines: readonly string[]): Promise<void> {
  const handle = await openDurably(file);
  await appendLines(handle, lines).finally(() => handle.close());
}

/** Creates a file with this text, synced. Leaves no file behind if it fails. */
export async function createFile(path: string, text: string): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Replaces a file atomically with this text, synced. Creates the file and its folder if they are missing. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const draft = draftOf(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await createFile(draft, text);
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Returns a new name beside a file, for its next version. */
export function draftOf(path: string): string {
  return `${path}.${randomBytes(6).toString("hex")}.tmp`;
}

/** Returns the text of a file; undefined if there is no such file. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  return await readFile(path, "utf8").catch(undefinedIfMissing);
}

/** Returns whether the path refers to the open file, and the size of the open file in bytes. */
export async function fileStatus(handle: FileHandle, path: string): Promise<{ named: boolean; size: number }> {
  const [open, named] = await Promise.all([
    handle.stat({ bigint: true }),
    stat(path, { bigint: true }).catch(undefinedIfMissing),
  ]);
  return { named: named !== undefined && named.ino === open.ino && named.dev === open.dev, size: Number(open.size) };
}

/** Reads an open file from this byte to its end, or at most so many bytes. */
export async function readFrom(handle: FileHandle, start: number, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(Math.min(Math.max(0, size - start), most));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Returns the lines of a text, without blank ones. */
export function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

/** Returns the code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function undefinedIfMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}
