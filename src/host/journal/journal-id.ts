import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { t } from "@vscode/l10n";

const ID = /^[0-9a-f-]{36}$/;

/**
 * Returns the ID of the journal in this folder: random, created once, the same for all windows that share the journal.
 *
 * @throws {Error} the folder cannot be written, or the file has no ID
 */
export async function journalId(folder: string): Promise<string> {
  const file = join(folder, "journal-id");
  await mkdir(folder, { recursive: true });
  const made = join(folder, `journal-id.${randomUUID()}`);
  await writeFile(made, randomUUID());
  // A link is created atomically: all windows read the ID of the first one.
  await link(made, file).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
  await rm(made);
  const id = (await readFile(file, "utf8")).trim();
  if (!ID.test(id)) throw new Error(t`${file} contains no journal ID. Delete it, and confirm each account again.`);
  return id;
}
