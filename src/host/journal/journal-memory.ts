import { encodeEntry, type LineMark } from "../../core/journal/journal-codec.ts";
import type { JournalEntry } from "../../core/life/journal-entry.ts";

/** Every line that a window wrote to the journal or read there, by its mark: enough to write it again. */
export class JournalMemory {
  readonly #lines = new Map<string, Map<number, JournalEntry>>();

  /** How many writers there are. */
  get size(): number {
    return this.#lines.size;
  }

  /** A line may stand in the file twice. @returns whether it was not known */
  add({ writer, sequence }: LineMark, entry: JournalEntry): boolean {
    const known = this.#lines.get(writer) ?? new Map<number, JournalEntry>();
    if (known.has(sequence)) return false;
    this.#lines.set(writer, known.set(sequence, entry));
    return true;
  }

  has({ writer, sequence }: LineMark): boolean {
    return this.#lines.get(writer)?.has(sequence) === true;
  }

  clear(): void {
    this.#lines.clear();
  }

  /** All of it as lines of a journal. */
  text(): string {
    const entries = [...this.#lines].flatMap(([writer, its]) =>
      [...its].map(([sequence, entry]) => encodeEntry(entry, { writer, sequence })),
    );
    return entries.map((line) => `${line}\n`).join("");
  }
}
