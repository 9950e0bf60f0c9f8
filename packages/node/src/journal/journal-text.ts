import { randomBytes } from "node:crypto";
import {
  decodeLine,
  encodeEntry,
  type JournalEntry,
  type LineMark,
  superfluousEntries,
} from "@finality/client/tracking";
import { linesOf } from "../storage/durable-file.ts";

/** An entry, its writer, and its number among the lines of that writer. */
interface MarkedEntry {
  readonly entry: JournalEntry;
  readonly mark: LineMark;
}

/**
 * Contents of a section of journal text. Blank lines are ignored: each append begins with a line break (see
 * `JournalFile`).
 */
interface JournalText {
  readonly entries: readonly MarkedEntry[];
  readonly damaged: readonly string[];
  /** Number of lines of a newer version, which this version cannot interpret. */
  readonly newer: number;
}

export function readJournalText(text: string): JournalText {
  const entries: MarkedEntry[] = [];
  const damaged: string[] = [];
  let newer = 0;
  for (const line of linesOf(text)) {
    const decoded = decodeLine(line);
    if (decoded.kind === "entry") entries.push(decoded);
    else if (decoded.kind === "malformed") damaged.push(line);
    else newer += 1;
  }
  return { entries, damaged, newer };
}

/**
 * Returns the lines that a journal needs, unchanged and in order, including damaged ones. Returns all lines if a newer
 * version wrote one of them: only that version knows which other lines it needs.
 */
export function neededLines(text: string): readonly string[] {
  const lines = decodedLines(text);
  const isRead = lines.every(({ it }) => it.kind !== "newer");
  return (isRead ? neededOf(lines) : lines).map(({ line }) => line);
}

/** Returns the needed lines that are in the text `elsewhere` and not in the text `here`. */
export function missingLines(here: string, elsewhere: string): readonly string[] {
  const known = decodedLines(here);
  const isKnown = new Set(known.map(({ key }) => key));
  return neededOf([...known, ...decodedLines(elsewhere)])
    .filter(({ key }) => !isKnown.has(key))
    .map(({ line }) => line);
}

interface Line {
  readonly line: string;
  readonly it: ReturnType<typeof decodeLine>;
  /** Unique key of the line: its writer and sequence number, or the text if the line is not an entry. */
  readonly key: string;
}

function decodedLines(text: string): readonly Line[] {
  return linesOf(text).map((line) => {
    const it = decodeLine(line);
    return { line, it, key: it.kind === "entry" ? `${it.mark.writer} ${it.mark.sequence}` : line };
  });
}

/** Returns each needed line once, at its first position. */
function neededOf(lines: readonly Line[]): readonly Line[] {
  const once = [...Map.groupBy(lines, ({ key }) => key).values()].flatMap(([first]) => first ?? []);
  const superfluous = superfluousEntries(once.flatMap(({ it }) => (it.kind === "entry" ? [it.entry] : [])));
  return once.filter(({ it }) => it.kind !== "entry" || !superfluous.has(it.entry));
}

/** All lines that a window wrote to the journal or read there, by their marks, to write lost lines again. */
export class JournalMemory {
  readonly #lines = new Map<string, Map<number, JournalEntry>>();

  /** Number of writers. */
  get size(): number {
    return this.#lines.size;
  }

  /** Adds a line, which may be in the file twice. Returns false if it was known. */
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

  /** Returns the number of lines, and how many of them a compaction leaves out. */
  counts(): { readonly lines: number; readonly superfluous: number } {
    const entries = [...this.#lines.values()].flatMap((its) => [...its.values()]);
    return { lines: entries.length, superfluous: superfluousEntries(entries).size };
  }

  /** Returns all lines as the text of a journal. */
  text(): string {
    const entries = [...this.#lines].flatMap(([writer, its]) =>
      [...its].map(([sequence, entry]) => encodeEntry(entry, { writer, sequence })),
    );
    return entries.map((line) => `${line}\n`).join("");
  }
}

/** Random bytes of a birth line: no two files begin alike. */
const BIRTH_BYTES = 8;

/** Returns a unique blank line for the start of a file, by which a window notices that the file was emptied. */
export function birthLine(): string {
  const bits = [...randomBytes(BIRTH_BYTES)].map((it) => it.toString(2).padStart(8, "0")).join("");
  return bits.replaceAll("0", " ").replaceAll("1", "\t");
}
