import { codeError, machine, windowOf } from "./machine.ts";

/** In the place of `node:fs/promises`, `node:fs` and `node:timers/promises` for the sources under test. */
export async function mkdir(): Promise<void> {}

export async function open(path: string, flags = "r") {
  const disk = machine();
  await disk.pass(windowOf(path), "before-write");
  if (flags === "r" && disk.find(path) === undefined) return folderHandle;
  if (flags === "wx" && disk.find(path) !== undefined) throw codeError("EEXIST");
  const file = disk.create(path);
  const write = async (bytes: Buffer): Promise<{ bytesWritten: number }> => ({
    bytesWritten: await disk.write(path, file, bytes),
  });
  return {
    write,
    writeFile: async (text: string): Promise<void> => {
      const bytes = Buffer.from(text);
      if ((await write(bytes)).bytesWritten < bytes.length) throw codeError("ENOSPC");
    },
    stat: async () => ({ size: file.bytes.length, ino: file.inode, nlink: disk.find(path) === file ? 1 : 0 }),
    read: async (into: Buffer, offset: number, length: number, position: number) => {
      await disk.pass(windowOf(path), "before-write");
      return { bytesRead: file.bytes.copy(into, offset, position, position + length) };
    },
    truncate: async (length = 0): Promise<void> => {
      file.bytes = file.bytes.subarray(0, length);
    },
    datasync: () => disk.sync(path, file),
    sync: () => disk.sync(path, file),
    close: async (): Promise<void> => undefined,
  };
}

const folderHandle = { sync: async () => undefined, close: async () => undefined };

export async function readFile(path: string): Promise<string> {
  const file = machine().find(path);
  if (file === undefined) throw codeError("ENOENT");
  return file.bytes.toString("utf8");
}

export async function readdir(folder: string): Promise<readonly string[]> {
  return machine().names(folder);
}

export async function stat(path: string): Promise<{ ino: number; size: number }> {
  const file = machine().find(path);
  if (file === undefined) throw codeError("ENOENT");
  return { ino: file.inode, size: file.bytes.length };
}

export async function unlink(path: string): Promise<void> {
  await machine().pass(windowOf(path), "before-write");
  machine().remove(path);
}

export async function rename(from: string, to: string): Promise<void> {
  await machine().pass(windowOf(from), "before-write");
  machine().rename(from, to);
}

export function watch(folder: string, _options: object, listener: () => void) {
  const close = machine().watch(folder, listener);
  return { close, on: () => undefined };
}

export async function setTimeout(ms: number): Promise<void> {
  await machine().clock.sleep(ms);
}
