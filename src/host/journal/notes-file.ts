import { join } from "node:path";
import { appendToFile, linesOf, readIfPresent } from "@finality/node/storage";
import { ChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import { object, text, tryReadJson, txId } from "@finality/tron/read";

const noteLine = object({ txId, note: text });
const fileIn = (folder: string): string => join(folder, "transaction-notes.jsonl");

/**
 * Reads the notes from the file beside the journal that all windows append to. The last line of a transaction counts,
 * and an empty note removes it. A line that cannot be read is skipped.
 */
export async function readNotes(folder: string): Promise<ReadonlyMap<TxId, string>> {
  const notes = new Map<TxId, string>();
  for (const line of linesOf((await readIfPresent(fileIn(folder))) ?? "")) {
    const read = tryReadJson(noteLine, line);
    if (read?.note === "") notes.delete(read.txId);
    else if (read !== undefined) notes.set(read.txId, read.note);
  }
  return notes;
}

/** Appends a note to the file. @throws {ChainError} `NOTE_UNWRITABLE` */
export async function writeNote(folder: string, id: TxId, note: string): Promise<void> {
  const file = fileIn(folder);
  try {
    await appendToFile(file, [JSON.stringify({ txId: id, note })]);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ChainError("NOTE_UNWRITABLE", { file, reason }, { cause });
  }
}
