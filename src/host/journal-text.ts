import type { JournalEntry } from "../core/journal/journal.ts";
import { type DecodedLine, decodeLine, type LineMark } from "../core/journal/journal-codec.ts";
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
  const decoded = decodedLines(text);
  return {
    entries: decoded.map(({ it }) => it).filter((it) => it.kind === "entry"),
    damaged: decoded.filter(({ it }) => it.kind === "malformed").map(({ line }) => line),
    newer: decoded.filter(({ it }) => it.kind === "newer").length,
  };
}

/** The lines that a journal cannot do without, as they are and in their order: damage and what a newer version wrote too. */
export function neededLines(text: string): readonly string[] {
  const decoded = decodedLines(text);
  const superfluous = superfluousEntries(decoded.flatMap(({ it }) => (it.kind === "entry" ? [it.entry] : [])));
  const needed = decoded.filter(({ it }) => it.kind !== "entry" || !superfluous.has(it.entry));
  return [...new Set(needed.map(({ line }) => line))];
}

/** How many lines a text has, blank ones not counted. */
export function countLines(text: string): number {
  return linesOf(text).length;
}

function decodedLines(text: string): readonly { readonly line: string; readonly it: DecodedLine }[] {
  return linesOf(text).map((line) => ({ line, it: decodeLine(line) }));
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
