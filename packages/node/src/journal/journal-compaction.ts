import { randomBytes } from "node:crypto";
import { link, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AppendLog } from "../storage/append-log.ts";
import { codeOf, createFile, linesOf, readIfPresent, syncFolder } from "../storage/durable-file.ts";
import { missingLines, neededLines } from "./journal-text.ts";

/** Fewer lines to save than this, or a smaller share of the file, are not worth the work. */
const WORTH_LINES = 1_000;
const WORTH_SHARE = 0.25;
const DRAFT = /^journal\.[0-9a-f]{12}\.tmp$/;

/** Returns whether a compaction that leaves out so many of the lines is worth the work. */
export function isWorthwhile(saved: number, count: number): boolean {
  return saved >= WORTH_LINES && saved >= WORTH_SHARE * count;
}

/**
 * Returns the name of the journal before a compaction, used until its contents are in the new file. While this name
 * refers to a file other than the journal, each window that opens the journal first adds the missing lines.
 */
function predecessorOf(file: string): string {
  return join(dirname(file), "journal.old.jsonl");
}

/**
 * Replaces an open journal with one without superfluous lines: written to a new file, synced, renamed. Lines that other
 * windows append to the old file meanwhile are copied by `copyFromPredecessor`, which must be called next.
 *
 * @returns the number of lines left out; 0 if the file is not replaced
 */
export async function replaceWithNeededLines(log: AppendLog): Promise<number> {
  const text = await log.text();
  const complete = text.slice(0, text.lastIndexOf("\n") + 1);
  const needed = neededLines(complete);
  const count = linesOf(complete).length;
  const saved = count - needed.length;
  if (!isWorthwhile(saved, count)) return 0;
  const draft = join(dirname(log.file), `journal.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await createFile(draft, `${needed.join("\n")}\n`);
    return (await swap(log, draft)) ? saved : 0;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Renames the draft. The second name of the old file keeps two windows from doing this at once. */
async function swap(log: AppendLog, draft: string): Promise<boolean> {
  const old = predecessorOf(log.file);
  try {
    await link(log.file, old);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  if (!(await log.hasName(old)) || !(await log.hasName(log.file))) {
    await rm(old);
    return false;
  }
  await rename(draft, log.file);
  await syncFolder(dirname(log.file));
  return true;
}

/** Appends the lines that only the predecessor has to an open journal. A second call appends nothing. */
export async function copyFromPredecessor(log: AppendLog): Promise<void> {
  const old = predecessorOf(log.file);
  const text = await readIfPresent(old);
  if (text === undefined || (await log.hasName(old))) return;
  const missing = missingLines(await log.text(), text);
  if (missing.length > 0) await log.append(missing);
}

/** Removes files that a compaction no longer needs, or left behind when it was killed. The journal has their lines. */
export async function clearLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const drafts = (await readdir(folder)).filter((name) => DRAFT.test(name)).map((name) => join(folder, name));
  for (const path of [predecessorOf(file), ...drafts]) await rm(path, { force: true });
  await syncFolder(folder);
}
