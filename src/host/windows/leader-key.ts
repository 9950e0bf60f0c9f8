import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { link, lstat, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../journal/journal-disk.ts";

const KEY = /^[0-9a-f]{64}$/;
const TRIES = 5;
const OTHERS = 0o077;

/**
 * The secret that the windows of one folder share, by which they know each other: it is in a file that only its user
 * can read, and made by the first window that needs it.
 *
 * @throws {Error} the folder cannot be used
 */
export async function leaderKey(folder: string): Promise<string> {
  const file = join(folder, "tracking.key");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let tried = 0; tried < TRIES; tried++) {
    const key = await readKey(file);
    if (key !== undefined) return key;
    await makeKey(file);
  }
  throw new Error(`${file} cannot be made or read`);
}

/** Undefined when there is none; one that is damaged, or that others can read, is removed. */
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

/** Whole or not at all: it gets its name when it is written. */
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

/** A proof that whoever says this text knows the key; hex. */
export function proofOf(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

export function isProven(key: string, text: string, proof: string): boolean {
  const [received, wanted] = [Buffer.from(proof), Buffer.from(proofOf(key, text))];
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}
