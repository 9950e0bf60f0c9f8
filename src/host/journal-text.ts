import type { JournalEntry } from "../core/journal/journal.ts";
import { type DecodedLine, decodeLine, type LineMark } from "../core/journal/journal-codec.ts";

/** What a stretch of journal text holds. Blank lines are nothing: each append begins with an end of line (see `JournalFile`). */
export interface JournalText {
  readonly entries: readonly { readonly entry: JournalEntry; readonly mark: LineMark }[];
  readonly damaged: readonly string[];
  /** Lines of a newer version: whole, and none of our business. */
  readonly newer: number;
}

export function readJournalText(text: string): JournalText {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const decoded = lines.map((line): DecodedLine & { line: string } => ({ ...decodeLine(line), line }));
  return {
    entries: decoded.filter((it) => it.kind === "entry"),
    damaged: decoded.filter((it) => it.kind === "malformed").map(({ line }) => line),
    newer: decoded.filter((it) => it.kind === "newer").length,
  };
}
