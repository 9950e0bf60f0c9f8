import type { RunStore } from "@finality/client/runs";
import { FileRunStore } from "@finality/node/runs";
import { systemClock as clock } from "@finality/node/system-clock";
import type { Invocation } from "./command.ts";
import { openPostgresStore, storeUrl } from "./postgres-store.ts";
import type { SenderJournal } from "./sender.ts";
import type { Terminal } from "./terminal.ts";

/** Store of runs, and its journal for a sender. */
export interface OpenRunStore {
  readonly store: RunStore;
  readonly journal: SenderJournal;
}

/**
 * Opens the store of `--store`, or the one beside the journal in this folder.
 *
 * @throws {CliError} `USAGE`
 * @throws {ChainError} `RUN_STORE_UNAVAILABLE`
 */
export async function openRunStore(invocation: Invocation, terminal: Terminal, folder: string): Promise<OpenRunStore> {
  const url = storeUrl(invocation, terminal);
  if (url === undefined) {
    const store = new FileRunStore(folder, clock);
    const requireReadable = (): void => store.requireReadable();
    return { store, journal: { store: store.journal, requireReadable, close: () => store.close() } };
  }
  const store = await openPostgresStore(url, { invocation, terminal });
  // The journal refuses to add to a transaction with facts that it does not know.
  const journal = { store: store.journal, requireReadable: () => undefined, close: () => store.close() };
  return { store, journal };
}
