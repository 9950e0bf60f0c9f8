import type { NewRow, NewRun } from "@finality/client/runs";
import { decodeLine, encodeEntry } from "@finality/client/tracking";
import {
  address,
  byKind,
  hashOf,
  integerText,
  listOf,
  object,
  oneOf,
  type ReadOf,
  text,
  tryReadJson,
  txId,
  wholeNumber,
} from "@finality/tron/read";
import { readIntent } from "@finality/tron/transaction";

const newRow = object({ row: wholeNumber, key: text, intent: readIntent }, { label: text });

/** Row number with a fence. */
const fenced = object({ row: wholeNumber, fence: integerText });

/** Writer of an event and its number for that writer: a writer finds the result of its own event by them. */
const mark = { w: text, n: wholeNumber };

const runEvents = {
  /** Counts for the rows whose fence is `fence`, and raises it by one. */
  claim: object({ ...mark, until: wholeNumber, pid: wholeNumber, rows: listOf(fenced) }),
  extend: object({ ...mark, until: wholeNumber, rows: listOf(fenced) }),
  release: object({ ...mark, rows: listOf(fenced) }),
  /** Signed bytes as a line of the journal. Counts if the fence is the newest and the row has `after` attempts. */
  attempt: object({ ...mark, row: wholeNumber, fence: integerText, after: wholeNumber, txId, entry: text }),
  permit: object({ ...mark, row: wholeNumber, txId, reason: text, why: text }),
  control: object({ ...mark, control: oneOf("running", "paused", "stopping") }),
};

const readEvent = byKind(runEvents);

/** One line of a run's file after its rows. The state of a run is the fold of its lines, in the order of the file. */
export type RunEvent = ReadOf<typeof readEvent>;
export type RunEventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

type Unmarked<E> = E extends RunEvent ? Omit<E, "w" | "n"> : never;
/** Event before it is written. */
export type NewRunEvent = Unmarked<RunEvent>;

/** Parses a line; undefined if it is damaged, as by a program that ended while it wrote. */
export function readRunEvent(line: string): RunEvent | undefined {
  return tryReadJson(readEvent, line);
}

const readRows = object({ rows: listOf(newRow) });

/** Parses the first line of a run's file. */
export function readRowsLine(line: string): readonly NewRow[] | undefined {
  return tryReadJson(readRows, line)?.rows;
}

export function encodeRows(rows: readonly NewRow[]): string {
  return encode({ rows: rows.map(({ row, key, intent, label }) => ({ row, key, intent, label })) });
}

/** Encodes a value with amounts as decimal text. */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_name, it: unknown) => (typeof it === "bigint" ? it.toString() : it));
}

const storedRun = object({
  file: text,
  run: object({
    id: text,
    network: object({ network: text, chain: hashOf<NewRun["network"]["chain"]>() }),
    owner: address,
    title: text,
    fileHash: text,
    version: wholeNumber,
    createdAt: wholeNumber,
  }),
  keys: listOf(text),
});

/** Line of the index: a run counts if no earlier run of its chain and owner has one of its keys. */
export type IndexLine = { readonly file: string; readonly run: NewRun; readonly keys: readonly string[] };

export function readIndexLine(line: string): IndexLine | undefined {
  return tryReadJson(storedRun, line);
}

/** Encodes signed bytes as they are in the journal. */
export const encodeSigned = (entry: Parameters<typeof encodeEntry>[0]): string =>
  encodeEntry(entry, { writer: "run", sequence: 0 });

/** Decodes the signed bytes of an attempt. */
export function decodeSigned(line: string) {
  const decoded = decodeLine(line);
  return decoded.kind === "entry" && decoded.entry.kind === "signed" ? decoded.entry : undefined;
}
