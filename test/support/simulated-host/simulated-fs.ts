import { codeError, machine, windowOf } from "./machine.ts";

/** Replaces `node:fs/promises`, `node:fs` and `node:timers/promises` for the sources under test. */
export const constants = {};

export async function realpath(path: string): Promise<string> {
  return path;
}

export async function mkdir(): Promise<void> {}

export async function open(path: string, flags = "r") {
  const disk = machine();
  await disk.pass(windowOf(path), "before-write");
  if (flags === "r" && disk.find(path) === undefined) return folderHandle(path);
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
    stat: async () => ({ size: file.bytes.length, ino: file.inode, dev: 0 }),
    read: async (into: Buffer, offset: number, length: number, position: number) => {
      await disk.pass(windowOf(path), "before-write");
      return { bytesRead: file.bytes.copy(into, offset, position, position + length) };
    },
    datasync: () => disk.sync(path, file),
    sync: () => disk.sync(path, file),
    close: async (): Promise<void> => undefined,
  };
}

function folderHandle(path: string) {
  return { sync: () => machine().syncNames(path), close: async (): Promise<void> => undefined };
}

/** Replaces the content of a file. */
export async function writeFile(path: string, text: string): Promise<void> {
  await rm(path);
  await appendFile(path, text);
}

export async function appendFile(path: string, text: string): Promise<void> {
  const handle = await open(path, "a");
  if (!("writeFile" in handle)) throw codeError("EISDIR");
  await handle.writeFile(text);
}

/** Removes a file; a missing file is no error. */
export async function rm(path: string): Promise<void> {
  if (machine().find(path) === undefined) return;
  await machine().pass(windowOf(path), "before-write");
  if (machine().find(path) !== undefined) machine().remove(path);
}

export async function readFile(path: string): Promise<string> {
  const file = machine().find(path);
  if (file === undefined) throw codeError("ENOENT");
  return file.bytes.toString("utf8");
}

/** Returns the names in a folder. A folder below that of the window exists once it has a file. */
export async function readdir(folder: string): Promise<readonly string[]> {
  const names = machine().names(folder);
  if (names.length === 0 && !/^\/model@\d+$/.test(folder)) throw codeError("ENOENT");
  return names;
}

export async function stat(path: string): Promise<{ ino: number; dev: number; size: number }> {
  const file = machine().find(path);
  if (file === undefined) throw codeError("ENOENT");
  return { ino: file.inode, dev: 0, size: file.bytes.length };
}

/** Every file belongs to the user alone. */
export async function lstat(path: string): Promise<{ mode: number }> {
  await stat(path);
  return { mode: 0o100600 };
}

export async function unlink(path: string): Promise<void> {
  await machine().pass(windowOf(path), "before-write");
  machine().remove(path);
}

export async function rename(from: string, to: string): Promise<void> {
  await machine().pass(windowOf(from), "before-write");
  machine().rename(from, to);
  await machine().pass(windowOf(from), "after-write");
}

export async function link(path: string, second: string): Promise<void> {
  await machine().pass(windowOf(path), "before-write");
  machine().link(path, second);
  await machine().pass(windowOf(path), "after-write");
}

export function watch(folder: string, _options: object, listener: () => void) {
  const close = machine().watch(folder, listener);
  return { close, on: () => undefined };
}

export async function setTimeout(ms: number): Promise<void> {
  await machine().clock.sleep(ms);
}
