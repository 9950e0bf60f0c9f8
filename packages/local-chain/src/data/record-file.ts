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

/** Before each value stand its length, 32 bits, and as much of its hash. */
const HEADER = 8;

/**
 * A file of values, one after the other, that only grows. A value is in the hands of the operating system before
 * `append` returns, so the end of this process cannot take it away; on the disk itself it is a little later.
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

  /** Opens a file, or makes it, and cuts off what was not wholly written at its end. */
  static open(path: string): { readonly file: RecordFile; readonly values: readonly unknown[] } {
    const { values, size } = readRecords(path);
    const file = openSync(path, "a");
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

  /** Never twice at once: what comes meanwhile goes to the disk together. */
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

/** What a file holds, up to the first value that is not whole, and how many bytes that are. */
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

/** Puts a value into the place of a file: whoever reads it finds the old content or the new one. @returns its bytes */
export function replaceRecord(path: string, value: unknown): number {
  return replaceFile(path, recordOf(value));
}

/** @returns how many bytes were written */
export function replaceFile(path: string, bytes: Uint8Array): number {
  const temporary = `${path}.new`;
  const file = openSync(temporary, "w");
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
  syncFolder(dirname(path));
  return bytes.length;
}

/** Where folders can be opened, a new name in one lasts only when the folder is written too. */
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
