import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { JournalEntry, JournalStore } from "@finality/client/tracking";
import { JournalFile } from "@finality/node/journal";
import type { TxId } from "@finality/tron/primitives";
import type { Invocation } from "./command.ts";
import type { Configuration } from "./configuration.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Returns the folder of the journal: of `--journal`, `FINALITY_JOURNAL`, the configuration, or the state folder of the
 * user. The editor uses the same format.
 */
export function journalFolder(invocation: Invocation, terminal: Terminal, { journal }: Configuration): string {
  const { env } = terminal;
  const named = invocation.text("journal") ?? env.FINALITY_JOURNAL ?? journal;
  if (named !== undefined) return terminal.resolve(named);
  return join(env.XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "finality");
}

/** Entries of one transaction in a journal, and the store that adds to them. */
export interface TransactionJournal {
  readonly store: JournalStore;
  readonly entries: readonly JournalEntry[];
  close(): Promise<void>;
}

/**
 * Opens the entries of one transaction. Undefined if the journal does not exist or does not have it.
 *
 * @param warn - Called with messages about damaged lines, which are reported once.
 */
export async function openTransaction(
  folder: string,
  txId: TxId,
  warn: (message: string) => void,
): Promise<TransactionJournal | undefined> {
  if (!existsSync(join(folder, "journal.jsonl"))) return undefined;
  const file = new JournalFile(folder);
  const isOfIt = (entry: JournalEntry): boolean => entry.txId === txId;
  const { entries, warnings } = await file.load();
  for (const warning of warnings) warn(warning);
  const known = entries.filter(isOfIt);
  if (known.length === 0) {
    await file.close();
    return undefined;
  }
  const store: JournalStore = {
    load: async () => ({ entries: known, warnings: [] }),
    append: (added) => file.append(added),
    catchUp: () => file.catchUp(),
    onDidAppend: (listener) => file.onDidAppend((added) => listener(added.filter(isOfIt))),
  };
  return { store, entries: known, close: () => file.close() };
}

/** Journal of a transaction that this computer did not sign. Nothing is written. */
export const noJournal: JournalStore = {
  load: async () => ({ entries: [], warnings: [] }),
  append: async () => undefined,
};
