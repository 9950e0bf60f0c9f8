import type { JournalEntry } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { MemoryJournal } from "./memory-journal.ts";

/** Before the first line of this window is on the disk, another window writes its own there. */
export class OvertakenJournal extends MemoryJournal {
  #overtaking: JournalEntry | undefined;

  constructor(overtaking: JournalEntry) {
    super();
    this.#overtaking = overtaking;
  }

  override async append(entries: readonly JournalEntry[]): Promise<void> {
    const first = this.#overtaking;
    this.#overtaking = undefined;
    if (first !== undefined) this.write(first);
    await super.append(entries);
  }
}
