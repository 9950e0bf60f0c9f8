import type { TxId } from "@finality/tron/primitives";

/** Notes of the user on transactions. Their file is read when the list is first shown. */
export class TransactionNotes {
  readonly #folder: string;
  #notes: ReadonlyMap<TxId, string> = new Map();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the note as of the last read of the file. */
  of(txId: TxId): string | undefined {
    return this.#notes.get(txId);
  }

  /** Reads the file, because other windows may have written. */
  async read(): Promise<void> {
    const { readNotes } = await import("./notes-file.ts");
    this.#notes = await readNotes(this.#folder);
  }

  /** Stores a note, or removes it if it is empty. @throws {ChainError} `NOTE_UNWRITABLE` */
  async write(txId: TxId, note: string): Promise<void> {
    const { writeNote } = await import("./notes-file.ts");
    await writeNote(this.#folder, txId, note);
    await this.read();
  }
}
