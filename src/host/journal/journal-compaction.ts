import { randomBytes } from "node:crypto";
import { type FileHandle, link, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { appendLines, codeOf, isNamed, readFrom, syncFolder } from "./journal-disk.ts";
import { countLines, missingLines, neededLines } from "./journal-text.ts";

/** Fewer lines to save than this, or a smaller share of the file, are not worth the work. */
const WORTH_LINES = 1_000;
const WORTH_SHARE = 0.25;
const DRAFT = /^journal\.[0-9a-f]{12}\.tmp$/;

/**
 * Returns the name of the journal before a compaction, used until its contents are in the new file. While this name
 * refers to a file other than the journal, each window that opens the journal first adds the missing lines.
 */
function predecessorOf(file: string): string {
  return join(dirname(file), "journal.old.jsonl");
}

/**
 * Replaces an open journal with one without superfluous lines: written to a new file, synced, renamed. Lines that other
 * windows append to the old file meanwhile are copied by `bringOver`, which must be called next.
 *
 * @returns how many lines it left out; 0 when the file stays as it is
 */
export async function putShorterInPlace(file: string, handle: FileHandle): Promise<number> {
  const bytes = await readFrom(handle, 0);
  const text = bytes.toString("utf8", 0, bytes.lastIndexOf("\n") + 1);
  const needed = neededLines(text);
  const count = countLines(text);
  const saved = count - needed.length;
  if (saved < WORTH_LINES || saved < WORTH_SHARE * count) return 0;
  const draft = join(dirname(file), `journal.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeSynced(draft, needed);
    return (await swap(file, draft, handle)) ? saved : 0;
  } finally {
    await unlinkIfThere(draft);
  }
}

/** The second name of the old file is what keeps two windows from doing this at once. */
async function swap(file: string, draft: string, handle: FileHandle): Promise<boolean> {
  const old = predecessorOf(file);
  try {
    await link(file, old);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  if (!(await isNamed(handle, old)) || !(await isNamed(handle, file))) {
    await unlink(old);
    return false;
  }
  await rename(draft, file);
  await syncFolder(dirname(file));
  return true;
}

/** Appends to an open journal what only its predecessor holds. Done twice, it brings nothing the second time. */
export async function bringOver(file: string, handle: FileHandle): Promise<void> {
  const old = predecessorOf(file);
  const text = await readFile(old, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined || (await isNamed(handle, old))) return;
  const missing = missingLines((await readFrom(handle, 0)).toString("utf8"), text);
  if (missing.length > 0) await appendLines(handle, missing);
}

/** Removes what a compaction needs no more, or left behind when it was killed: everything is in the journal by now. */
export async function clearLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const drafts = (await readdir(folder)).filter((name) => DRAFT.test(name)).map((name) => join(folder, name));
  for (const path of [predecessorOf(file), ...drafts]) await unlinkIfThere(path);
  await syncFolder(folder);
}

async function writeSynced(path: string, lines: readonly string[]): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(`${lines.join("\n")}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
}
