import { hash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";

/** Bytes of the header of a value: length and hash, 32 bits each. */
const HEADER = 8;

/**
 * An append-only file of values. `append` returns when the operating system has the value, so an exit of this process
 * cannot lose it; the disk follows shortly after.
 */
export class RecordFile {
  readonly #file: number;
  #size: number;
  #syncing = false;
  #unsynced = false;

  private constructor(file: number, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** Opens or creates a file, and removes an incomplete value at its end. */
  static open(path: string): { readonly file: RecordFile; readonly values: readonly unknown[] } {
    const { values, size } = readRecords(path);
    const file = openSync(path, "a", 0o600);
    ftruncateSync(file, size);
    return { file: new RecordFile(file, size), values };
  }

  /** Bytes. */
  get size(): number {
    return this.#size;
  }

  append(value: unknown): void {
    const bytes = recordOf(value);
    writeSync(this.#file, bytes);
    this.#size += bytes.length;
    this.#sync();
  }

  close(): void {
    fdatasyncSync(this.#file);
    closeSync(this.#file);
    this.#unsynced = false;
  }

  /** Syncs to disk, once at a time; values that arrive meanwhile are synced together. */
  #sync(): void {
    this.#unsynced = true;
    if (this.#syncing) return;
    this.#syncing = true;
    this.#unsynced = false;
    fdatasync(this.#file, () => {
      this.#syncing = false;
      if (this.#unsynced) this.#sync();
    });
  }
}

/** Returns the complete values of a file, and their size in bytes. */
export function readRecords(path: string): { readonly values: readonly unknown[]; readonly size: number } {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const values: unknown[] = [];
  let size = 0;
  for (let content = contentAt(bytes, 0); content !== undefined; content = contentAt(bytes, size)) {
    values.push(deserialize(content));
    size += HEADER + content.length;
  }
  return { values, size };
}

/** Replaces a file with one value atomically. @returns its size in bytes */
export function replaceRecord(path: string, value: unknown): number {
  return replaceFile(path, recordOf(value));
}

/** Replaces a file atomically. @returns its size in bytes */
export function replaceFile(path: string, bytes: Uint8Array): number {
  const temporary = `${path}.new`;
  const file = openSync(temporary, "w", 0o600);
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
  syncFolder(dirname(path));
  return bytes.length;
}

/** Syncs a folder, where the system can, so that a new file name is durable. */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}

function recordOf(value: unknown): Uint8Array {
  const content = serialize(value);
  const header = Buffer.alloc(HEADER);
  header.writeUInt32LE(content.length);
  header.writeUInt32LE(checksum(content), 4);
  return Buffer.concat([header, content]);
}

function contentAt(bytes: Buffer, at: number): Buffer | undefined {
  if (bytes.length < at + HEADER) return undefined;
  const content = bytes.subarray(at + HEADER, at + HEADER + bytes.readUInt32LE(at));
  const whole = content.length === bytes.readUInt32LE(at) && content.length > 0;
  return whole && checksum(content) === bytes.readUInt32LE(at + 4) ? content : undefined;
}

function checksum(content: Uint8Array): number {
  return hash("sha256", content, "buffer").readUInt32LE();
}
