import type { JournalEntry } from "../core/journal/journal.ts";
import { decodeLine, type LineMark } from "../core/journal/journal-codec.ts";
import { superfluousEntries } from "../core/journal/superfluous.ts";

/** An entry, and who wrote it as which of its lines. */
export interface MarkedEntry {
  readonly entry: JournalEntry;
  readonly mark: LineMark;
}

/** What a stretch of journal text holds. Blank lines are nothing: each append begins with an end of line (see `JournalFile`). */
export interface JournalText {
  readonly entries: readonly MarkedEntry[];
  readonly damaged: readonly string[];
  /** Lines of a newer version: whole, and none of our business. */
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

/** The lines that a journal cannot do without, as they are and in their order: damage and what a newer version wrote too. */
export function neededLines(text: string): readonly string[] {
  const decoded = linesOf(text).map((line) => ({ line, it: decodeLine(line) }));
  const superfluous = superfluousEntries(decoded.flatMap(({ it }) => (it.kind === "entry" ? [it.entry] : [])));
  const needed = decoded.filter(({ it }) => it.kind !== "entry" || !superfluous.has(it.entry));
  return [...new Set(needed.map(({ line }) => line))];
}

/** How many lines a text has, blank ones not counted. */
export function countLines(text: string): number {
  return linesOf(text).length;
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
