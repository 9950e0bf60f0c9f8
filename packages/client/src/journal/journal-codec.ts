import type { ErrorCode } from "@finality/tron/errors";
import { object, ReadError, record, text, wholeNumber } from "@finality/tron/read";
import { intentKinds } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { foldEntries, type History } from "../transaction-state/history.ts";
import { entryKinds, type JournalEntry, readEntry } from "../transaction-state/journal-entry.ts";

const VERSION = 1;

/**
 * Writer of a line and the line's sequence number for that writer. The pair distinguishes a line from its duplicate and
 * from an echo.
 */
export interface LineMark {
  readonly writer: string;
  readonly sequence: number;
}

/**
 * Result of decoding one journal line. Only `malformed` is damage: a line of a newer version is intact and stays in
 * place.
 */
export type DecodedLine =
  | { readonly kind: "entry"; readonly entry: JournalEntry; readonly mark: LineMark }
  | { readonly kind: "newer" }
  | { readonly kind: "malformed"; readonly reason: string };

/** Encodes an entry as one line of JSON without a line break; amounts are decimal text. */
export function encodeEntry(entry: JournalEntry, { writer, sequence }: LineMark): string {
  return JSON.stringify({ v: VERSION, w: writer, n: sequence, ...entry }, (_name, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

/** Decodes a line of this or another version, or a damaged one. Never throws. */
export function decodeLine(line: string): DecodedLine {
  try {
    return decodeObject(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: "malformed", reason: error.message };
    if (error instanceof ReadError) return { kind: "malformed", reason: t`line${error.path} is not ${error.expected}` };
    throw error;
  }
}

const head = object({ v: wholeNumber, w: text, n: wholeNumber, kind: text });

function decodeObject(value: unknown): DecodedLine {
  const { v, w, n, kind } = head(value);
  if (v > VERSION || !Object.hasOwn(entryKinds, kind) || isNewerIntent(value)) return { kind: "newer" };
  return { kind: "entry", entry: asUnderstoodNow(readEntry(value)), mark: { writer: w, sequence: n } };
}

const NOT_OF_THE_NODE: ReadonlySet<string> = new Set<ErrorCode>([
  ...(["GATEWAY_HTTP_STATUS", "GATEWAY_UNAUTHORIZED", "GATEWAY_RATE_LIMITED"] as const),
]);

/** Early versions treated a 4xx status as a refusal by the node, and allowed a replacement without a proof. */
function asUnderstoodNow(entry: JournalEntry): JournalEntry {
  if (entry.kind !== "broadcast-answered" || entry.outcome.kind !== "rejected") return entry;
  const { code, message } = entry.outcome;
  if (!NOT_OF_THE_NODE.has(code)) return entry;
  return { ...entry, outcome: { kind: "unknown", code, message, turnedAway: true } };
}

/** A signed transaction of a kind that this version does not know is intact, not damaged. */
function isNewerIntent(value: unknown): boolean {
  const { intent } = record(value);
  if (typeof intent !== "object" || intent === null || !("kind" in intent)) return false;
  return typeof intent.kind === "string" && !Object.hasOwn(intentKinds, intent.kind);
}

/**
 * Returns the entries that a journal can do without: those of a finished transaction that its history does not hold.
 * Another fact says the same or more (an earlier sighting in the head, a second report about the same solidified
 * block). Never includes entries of a transaction that may still be executed, nor signed bytes, attempts, answers or
 * proofs.
 */
export function superfluousEntries(entries: readonly JournalEntry[]): ReadonlySet<JournalEntry> {
  const histories = foldEntries(entries);
  const isSuperfluous = (entry: JournalEntry): boolean => {
    const history = isSighting(entry) ? histories.get(entry.txId) : undefined;
    return history !== undefined && isAtItsEnd(history) && !sightingsOf(history).includes(entry);
  };
  return new Set(entries.filter(isSuperfluous));
}

/** Returns true if an entry holds a fact that only the chain reports, and reports again when it is queried. */
function isSighting({ kind }: JournalEntry): boolean {
  switch (kind) {
    case "head-time":
    case "seen-in-pool":
    case "seen-in-head":
    case "lost-from-head":
    case "solidified":
      return true;
    case "signed":
    case "adopted":
    case "broadcast-started":
    case "broadcast-answered":
    case "outcome-told":
    case "not-found":
    case "proven-absent":
    case "replaced":
    case "hidden":
      return false;
  }
}

/** A solidified block is never reverted. Entries of other final states stay, which costs a few lines. */
function isAtItsEnd({ solidified }: History): boolean {
  return solidified !== undefined;
}

function sightingsOf({ headTime, pool, head, solidified }: History): readonly unknown[] {
  return [headTime, pool, head, solidified];
}
