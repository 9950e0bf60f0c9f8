import { type FileHandle, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";

/** Function that opens a file: `open` of Node, or a replacement in tests. */
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
  if (bytesWritten !== bytes.length) throw new Error(t`only ${bytesWritten} of ${bytes.length} bytes fit on the disk`);
  await handle.datasync();
  return bytes.length;
}

/**
 * Returns true if the path still refers to the open file. Another window may have replaced it with a shorter one, or it
 * was removed.
 */
export async function isNamed(handle: FileHandle, path: string): Promise<boolean> {
  return (await fileStatus(handle, path)).named;
}

/** Returns whether the path still refers to the open file, and the size of the open file in bytes. */
export async function fileStatus(handle: FileHandle, path: string): Promise<{ named: boolean; size: number }> {
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

/** Returns an error with the message of the system, and the next step if known. */
export function unwritable(file: string, cause: unknown): ChainError {
  if (cause instanceof ChainError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const step = NEXT_STEPS[codeOf(cause) ?? ""] ?? t`Look at its folder, then try again`;
  return new ChainError("JOURNAL_UNWRITABLE", { file, reason, step }, { cause });
}

const FULL = t`Free some space on that disk, then try again`;
const FORBIDDEN = t`Let your user write to that folder, then try again`;
const NEXT_STEPS: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: t`That disk is read-only: make it writable, or start the editor with another --user-data-dir, then try again`,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EMFILE: t`Too many files are open: close some windows, then try again`,
  EIO: t`The disk reports a fault: check it before you send anything`,
};

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
