import { counted } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { parse } from "csv-parse/sync";
import type { TextRange } from "../call-sites/call-site.ts";

/** Meaning of a column of a payment file. */
const runColumns = ["recipient", "amount", "token", "memo", "label", "key"] as const;
export type RunColumn = (typeof runColumns)[number];

/** Rule that a part of the file breaks. */
export type RunRefusalCode = TableRefusalCode | CellRefusalCode | RowRefusalCode;

type TableRefusalCode =
  | "encoding"
  | "size"
  | "delimiter"
  | "header"
  | "column-unknown"
  | "column-missing"
  | "column-duplicate"
  | "quotes"
  | "cell-count"
  | "empty-row"
  | "no-rows";

export type CellRefusalCode =
  | "empty"
  | "invisible"
  | "outer-space"
  | "apostrophe"
  | "formula"
  | "quotes"
  | "negative"
  | "zero"
  | "scientific"
  | "date"
  | "currency"
  | "thousands"
  | "decimal-comma"
  | "ambiguous-point"
  | "leading-zero"
  | "fifteen-digits"
  | "malformed"
  | "decimals"
  | "too-large"
  | "hex-address"
  | "shortened-address"
  | "address-length"
  | "address-case"
  | "checksum"
  | "address"
  | "token"
  | "memo"
  | "label"
  | "key";

type RowRefusalCode = "duplicate-key" | "duplicate-payment" | "call";

/** Part of a run file that cannot be used. */
export interface RunRefusal {
  readonly code: RunRefusalCode;
  /** Line of the file, from 1; the header of a table is line 1. */
  readonly row: number;
  /** Name of the column as the file has it; undefined for a whole row. */
  readonly column: string | undefined;
  /** Offsets into the text without its byte order mark. */
  readonly range: TextRange;
  /** A sentence that names row and column, and what to write instead. */
  readonly message: string;
}

/** A cell with its range. */
export interface TableCell {
  readonly text: string;
  readonly range: TextRange;
}

/** A row of the table: a cell for each column of the header. */
export interface TableRow {
  readonly row: number;
  readonly range: TextRange;
  readonly cells: ReadonlyMap<RunColumn, TableCell>;
}

/** Delimiters, with their names in messages. */
const DELIMITERS = [",", ";", "\t"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface RunTable {
  readonly delimiter: Delimiter | undefined;
  /** Columns in the order of the file, with their names there. */
  readonly columns: readonly { readonly column: RunColumn; readonly name: string }[];
  readonly rows: readonly TableRow[];
  readonly refusals: readonly RunRefusal[];
}

/** Other names of columns. Case, spaces, `-` and `_` make no difference. */
const SYNONYMS: ReadonlyMap<string, RunColumn> = new Map([
  ...runColumns.map((it) => [it, it] as const),
  ["to", "recipient"],
  ["address", "recipient"],
  ["contract", "token"],
  ["name", "label"],
  ["idempotencykey", "key"],
]);

const REQUIRED: readonly RunColumn[] = ["recipient", "amount"];

/** Largest number of rows of one run. */
const MOST_ROWS = 100_000;

/**
 * Reads the table of a payment file. Total: every problem is a refusal, and a row with one is not in `rows`. The
 * header alone decides the delimiter and the meaning of columns.
 */
export function readRunTable(text: string): RunTable {
  const lines = linesOf(text);
  const header = headerOf(text, lines);
  if ("refusals" in header) return { delimiter: undefined, columns: [], rows: [], ...header };
  const { delimiter, columns } = header;
  const reader: TableReader = { text, lines, delimiter, columns, rows: [], refusals: [] };
  readRecords(reader);
  return { delimiter, columns, rows: reader.rows, refusals: reader.refusals };
}

interface Header {
  readonly delimiter: Delimiter;
  readonly columns: RunTable["columns"];
}

interface TableReader extends Header {
  readonly text: string;
  /** Ranges of the lines without their ends. */
  readonly lines: readonly TextRange[];
  readonly rows: TableRow[];
  readonly refusals: RunRefusal[];
}

function linesOf(text: string): readonly TextRange[] {
  const lines: TextRange[] = [];
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf("\n", start);
    const next = found < 0 ? text.length : found;
    const end = text[next - 1] === "\r" && next > start && found >= 0 ? next - 1 : next;
    lines.push({ start, end });
    start = next + 1;
  }
  return lines;
}

/** Shows a text of the file in a sentence. */
export function shown(text: string): string {
  return `“${visibleLine(text, 60)}”`;
}

type HeaderRefused = { readonly refusals: readonly RunRefusal[] };

function headerOf(text: string, lines: readonly TextRange[]): Header | HeaderRefused {
  const range = lines[0] ?? { start: 0, end: 0 };
  const line = text.slice(range.start, range.end);
  const refuse = (code: RunRefusalCode, message: string, column?: string): HeaderRefused => ({
    refusals: [{ code, row: 1, column, range, message }],
  });
  if (/^"?sep=/i.test(line))
    return refuse("header", t`Row 1: remove the line ${shown(line)}. Row 1 has the names of the columns.`);
  if (line.trim() === "")
    return refuse(
      "header",
      t`Row 1 is empty. It must have the names of the columns, such as recipient,amount,token,key.`,
    );
  const delimiters = DELIMITERS.filter((it) => cellRanges(line, it).length > 1);
  const [delimiter] = delimiters;
  if (delimiter === undefined) {
    const missing = REQUIRED.join(", ");
    return refuse(
      "delimiter",
      t`Row 1: no comma, semicolon or tab separates the names of columns. At least these are needed: ${missing}.`,
    );
  }
  if (delimiters.length > 1)
    return refuse(
      "delimiter",
      t`Row 1 has more than one of comma, semicolon and tab. Use one of them between the names of the columns.`,
    );
  const cells = parseLine(line, delimiter);
  if (cells === undefined)
    return refuse("quotes", t`Row 1: a quote is not closed, or is inside a name without quotes.`);
  return columnsOf(cells, delimiter, range);
}

function columnsOf(cells: readonly string[], delimiter: Delimiter, range: TextRange): Header | HeaderRefused {
  const refusals: RunRefusal[] = [];
  const columns: { column: RunColumn; name: string }[] = [];
  const refuse = (code: RunRefusalCode, column: string, message: string): void => {
    refusals.push({ code, row: 1, column, range, message });
  };
  cells.forEach((name, index) => {
    const column = SYNONYMS.get(name.toLowerCase().replaceAll(/[\s_-]/g, ""));
    const first = columns.find((it) => it.column === column);
    if (column === undefined) refuse("column-unknown", name, unknownColumn(name, index + 1));
    else if (first !== undefined)
      refuse(
        "column-duplicate",
        name,
        t`Row 1: ${shown(first.name)} and ${shown(name)} are the same column. Remove one.`,
      );
    else columns.push({ column, name: visibleLine(name, 60) });
  });
  for (const column of REQUIRED) {
    if (columns.every((it) => it.column !== column))
      refuse("column-missing", column, t`Row 1: the column ${column} is missing.`);
  }
  return refusals.length > 0 ? { refusals } : { delimiter, columns };
}

function unknownColumn(name: string, number: number): string {
  const allowed = runColumns.join(", ");
  if (name.trim() === "")
    return t`Row 1: column ${number} has no name. Remove the column or name it; allowed: ${allowed}.`;
  return t`Row 1: the column ${shown(name)} has no meaning in a run. Remove it or rename it; allowed: ${allowed}.`;
}

/** Reads each line as a row. Rows without any text are allowed at the end only. */
function readRecords(reader: TableReader): void {
  const { text, delimiter, lines, columns, refusals } = reader;
  const records = parseLines(text, lines, delimiter);
  const last = records.findLastIndex((it) => it === undefined || it.some((cell) => cell !== ""));
  if (last < 1) refusals.push(wholeRow(reader, 1, "no-rows", t`The file has a header and no rows.`));
  if (last > MOST_ROWS)
    refusals.push(
      wholeRow(reader, last + 1, "size", t`The file has ${last} rows, more than the limit of ${MOST_ROWS}. Split it.`),
    );
  for (let index = 1; index <= Math.min(last, MOST_ROWS); index++) {
    const cells = records[index];
    const row = index + 1;
    const refuse = (code: RunRefusalCode, message: string) => refusals.push(wholeRow(reader, row, code, message));
    if (cells === undefined)
      refuse(
        "quotes",
        t`Row ${row}: a quote is not closed in this line, or is inside a cell without quotes. A cell has no line break.`,
      );
    else if (cells.every((cell) => cell === ""))
      refuse("empty-row", t`Row ${row} is empty, and rows follow it. Remove the row.`);
    else if (cells.length !== columns.length) refuse("cell-count", cellCountMessage(row, cells.length, columns.length));
    else reader.rows.push(rowOf(reader, index, cells));
  }
}

function wholeRow({ lines }: TableReader, row: number, code: RunRefusalCode, message: string): RunRefusal {
  return { code, row, column: undefined, range: lines[row - 1] ?? { start: 0, end: 0 }, message };
}

function cellCountMessage(row: number, count: number, expected: number): string {
  const counts = t`Row ${row} has ${counted(count, t`cell`, t`cells`)}, and the header has ${expected} columns.`;
  if (count < expected) return counts;
  return t`${counts} A decimal comma splits an amount; a cell with the delimiter inside needs quotes.`;
}

function rowOf({ text, lines, delimiter, columns }: TableReader, index: number, cells: readonly string[]): TableRow {
  const range = lines[index] ?? { start: 0, end: 0 };
  const ranges = cellRanges(text.slice(range.start, range.end), delimiter);
  const located = columns.map(({ column }, at) => {
    const { start = 0, end = 0 } = ranges[at] ?? {};
    return [column, { text: cells[at] ?? "", range: { start: range.start + start, end: range.start + end } }] as const;
  });
  return { row: index + 1, range, cells: new Map(located) };
}

/** Returns the cells of each line; undefined for a line with wrong quotes, or with a cell that goes on in the next. */
function parseLines(
  text: string,
  lines: readonly TextRange[],
  delimiter: Delimiter,
): readonly (readonly string[] | undefined)[] {
  const whole = parseWhole(text, delimiter);
  // A parser that goes on after a wrong quote joins lines, so each line is then parsed by itself.
  const end = lines.at(-1);
  const count = end !== undefined && end.start === end.end ? lines.length - 1 : lines.length;
  if (whole?.length === count) return whole;
  return lines.map(({ start, end }) => (start === end ? [""] : parseLine(text.slice(start, end), delimiter)));
}

function parseWhole(text: string, delimiter: Delimiter): readonly (readonly string[])[] | undefined {
  try {
    return parse(text, { delimiter, relax_column_count: true, record_delimiter: ["\r\n", "\n"] });
  } catch {
    return undefined;
  }
}

/** Returns the cells of one line; undefined if its quotes are wrong. */
function parseLine(line: string, delimiter: Delimiter): readonly string[] | undefined {
  return parseWhole(line, delimiter)?.[0];
}

/** Returns the ranges of the cells in a line, with their quotes. */
function cellRanges(line: string, delimiter: Delimiter): readonly TextRange[] {
  const ranges: TextRange[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (at < line.length && (isQuoted || line[at] !== delimiter)) continue;
    ranges.push({ start, end: at });
    start = at + 1;
  }
  return ranges;
}
