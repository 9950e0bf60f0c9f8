import { open, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ChainError } from "@finality/tron/errors";
import { counted } from "@finality/tron/format";
import { t } from "@vscode/l10n";

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
  return new ChainError("JOURNAL_UNREADABLE", {
    file,
    reason: counted(unseen.length, t`damaged line`, t`damaged lines`),
  }).message;
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
