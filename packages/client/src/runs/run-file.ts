import { type Address, bytesToHex, LARGEST_AMOUNT, sha256 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { CALL_FILE_SUFFIX } from "../call-sites/call-file.ts";
import type { TextRange } from "../call-sites/call-site.ts";
import { type CallFileSite, callSitesInCallFile, setupSitesInCallFile } from "../call-sites/find-call-sites.ts";
import type { ChainId } from "../gateway/network.ts";
import {
  type AddressTexts,
  addressCellIn,
  amountIn,
  type CellProblem,
  type CellResult,
  cellProblem,
  coinAmountIn,
  keyIn,
  labelIn,
  memoIn,
  type RunToken,
  tokenCellIn,
} from "./run-cell.ts";
import {
  type CellRefusalCode,
  type Delimiter,
  type RunColumn,
  type RunRefusal,
  type RunTable,
  readRunTable,
  shown,
  type TableCell,
  type TableRow,
} from "./run-table.ts";

/** A payment of a table. */
export interface PaymentRow {
  /** Line of the file, from 1. */
  readonly row: number;
  /** Idempotency key: of the file, or made of the hash of the file and the row. */
  readonly key: string;
  /** True if the file has the key. */
  readonly hasOwnKey: boolean;
  readonly recipient: Address;
  readonly token: RunToken;
  /** Plain decimal text, as in the file; in coins, or in whole units of the token. */
  readonly amount: string;
  readonly memo: string | undefined;
  readonly label: string | undefined;
  readonly range: TextRange;
  readonly ranges: ReadonlyMap<RunColumn, TextRange>;
}

/** A call of a call file. */
export interface CallRow {
  readonly row: number;
  readonly key: string;
  readonly site: CallFileSite;
  readonly range: TextRange;
}

interface RunFileBase {
  /** SHA-256 of the bytes, hex. */
  readonly fileHash: string;
  /** A run starts only if there are none. */
  readonly refusals: readonly RunRefusal[];
}

export interface PaymentFile extends RunFileBase {
  readonly kind: "payments";
  /** Undefined if the header does not have one. */
  readonly delimiter: Delimiter | undefined;
  readonly columns: RunTable["columns"];
  readonly rows: readonly PaymentRow[];
}

export interface CallsFile extends RunFileBase {
  readonly kind: "calls";
  readonly rows: readonly CallRow[];
}

export type RunFile = PaymentFile | CallsFile;

/** Options of reading a file. */
export interface RunFileOptions {
  /** Name of the file; `*.finality.jsonc` is a call file, any other name a table. */
  readonly name: string;
  /** Symbol of the network's coin, if known. */
  readonly coinSymbol?: string | undefined;
}

/** Largest file, in bytes. */
const LARGEST_FILE = 32_000_000;

/**
 * Reads a run file: a table of payments (CSV), or a call file. Total and synchronous: each value that could mean
 * something else is a refusal that names row and column, and no value is repaired.
 */
export function readRunFile(bytes: Uint8Array, { name, coinSymbol }: RunFileOptions): RunFile {
  const fileHash = bytesToHex(sha256(bytes));
  const isCallFile = name.endsWith(CALL_FILE_SUFFIX);
  const text = textOf(bytes);
  if (typeof text !== "string") {
    const base = { fileHash, refusals: [text], rows: [] };
    return isCallFile ? { kind: "calls", ...base } : { kind: "payments", delimiter: undefined, columns: [], ...base };
  }
  if (isCallFile) return readCalls(text, fileHash);
  const { rows, refusals, ...table } = readRunTable(text);
  return { kind: "payments", fileHash, ...table, ...paymentsOf({ rows, refusals, ...table }, fileHash, coinSymbol) };
}

const ID_LENGTH = 12;

/**
 * Returns the id of a run, made of the bytes of the file, the account and the chain. A file that is started again has
 * the same id, and goes on with the same rows.
 */
export function runIdOf(chain: ChainId, owner: Address, fileHash: string): string {
  return bytesToHex(sha256(Buffer.from(`${chain} ${owner} ${fileHash}`, "utf8"))).slice(0, ID_LENGTH);
}

/** Returns the text without its byte order mark, or the refusal of its encoding. */
function textOf(bytes: Uint8Array): string | RunRefusal {
  const refused = (code: "encoding" | "size", message: string): RunRefusal => ({
    code,
    row: 1,
    column: undefined,
    range: { start: 0, end: 0 },
    message,
  });
  if (bytes.length > LARGEST_FILE) return refused("size", t`The file has more than 32 MB. Split it.`);
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16 || bytes.subarray(0, 4_096).includes(0))
    return refused("encoding", t`The file is in UTF-16. Save it as CSV in UTF-8.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refused("encoding", t`The file is not in UTF-8. Save it as CSV in UTF-8.`);
  }
}

function readCalls(text: string, fileHash: string): CallsFile {
  const refusals: RunRefusal[] = [];
  const lineOf = lineCounter(text);
  const refuse = (row: number, range: TextRange, message: string): void => {
    refusals.push({ code: "call", row, column: undefined, range, message });
  };
  const [setup] = setupSitesInCallFile(text);
  if (setup !== undefined) {
    const row = lineCounter(text)(setup.range.start);
    refuse(row, setup.range, t`Row ${row}: a run has no setup, which is for tests on the embedded chain. Remove it.`);
  }
  const sites = callSitesInCallFile(text);
  if (sites.length === 0) refuse(1, { start: 0, end: 0 }, t`The file has no call that can be read.`);
  const lines = new Set<number>();
  const rows: CallRow[] = [];
  for (const site of sites) {
    const { range } = site;
    const row = lineOf(range.start);
    if (site.problem !== undefined) refuse(row, range, t`Row ${row}: ${site.problem}`);
    else if (lines.has(row)) refuse(row, range, t`Row ${row} has two calls. Begin each call on a line of its own.`);
    else rows.push({ row, key: `${fileHash}:${row}`, site, range });
    lines.add(row);
  }
  return { kind: "calls", fileHash, refusals, rows };
}

/** Returns the line of offsets that do not decrease, from 1. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let counted = 0;
  return (offset) => {
    for (; counted < offset; counted++) if (text[counted] === "\n") line++;
    return line;
  };
}

function paymentsOf(
  { rows, refusals: found, columns, delimiter = "," }: RunTable,
  fileHash: string,
  coinSymbol: string | undefined,
): Pick<PaymentFile, "rows" | "refusals"> {
  const names = new Map(columns.map(({ column, name }) => [column, name]));
  const addresses = addressesIn(rows);
  const read = rows.map((row) => {
    const reader: RowReader = { row, names, delimiter, addresses, coinSymbol, refusals: [] };
    return { payment: paymentOf(reader, fileHash), refusals: reader.refusals };
  });
  const payments = read.map(({ payment }) => payment).filter((it) => it !== undefined);
  const own = [...found, ...read.flatMap(({ refusals }) => refusals), ...missingKeys(rows, names)];
  const refusals = [...own, ...duplicatesIn(payments, names)].sort((a, b) => a.row - b.row);
  return { rows: payments, refusals };
}

function addressesIn(rows: readonly TableRow[]): AddressTexts {
  const texts = rows.flatMap(({ cells }) => [cells.get("recipient")?.text ?? "", cells.get("token")?.text ?? ""]);
  const parsed = [...new Set(texts)].map((text) => [text, addressCellIn(text, new Map())] as const);
  return new Map(parsed.flatMap(([text, result]) => ("value" in result ? [[text, result.value]] : [])));
}

interface RowReader {
  readonly row: TableRow;
  readonly names: ReadonlyMap<RunColumn, string>;
  readonly delimiter: Delimiter;
  readonly addresses: AddressTexts;
  readonly coinSymbol: string | undefined;
  readonly refusals: RunRefusal[];
}

const NO_CELL: TableCell = { text: "", range: { start: 0, end: 0 } };

/** Reads a cell, and notes its problem. */
function readCell<T>(reader: RowReader, column: RunColumn, parse: (text: string) => CellResult<T>): T | undefined {
  const { text, range } = reader.row.cells.get(column) ?? NO_CELL;
  const general = column === "label" ? undefined : cellProblem(text);
  const result = general === undefined ? parse(text) : { problem: general };
  if ("value" in result) return result.value;
  refuseCell(reader, column, range, result.problem);
  return undefined;
}

function refuseCell(
  { row: { row }, names, refusals }: RowReader,
  column: RunColumn,
  range: TextRange,
  problem: CellProblem,
): void {
  const name = names.get(column) ?? column;
  refusals.push({ code: problem.code, row, column: name, range, message: t`Row ${row}, ${name}: ${problem.reason}.` });
}

/** Reads the cells of a row. Returns undefined if one of them is refused. */
function paymentOf(reader: RowReader, fileHash: string): PaymentRow | undefined {
  const { row, delimiter, addresses, coinSymbol } = reader;
  const recipient = readCell(reader, "recipient", (text) => addressCellIn(text, addresses));
  const token = readCell(reader, "token", (text) => tokenCellIn(text, coinSymbol, addresses));
  const amount = readCell(reader, "amount", (text) => amountOf(text, delimiter, token));
  const memo = readCell(reader, "memo", (text) => memoOf(text, token));
  const label = readCell(reader, "label", labelIn);
  const key = readCell(reader, "key", (text) => (text === "" ? { value: "" } : keyIn(text)));
  if (reader.refusals.length > 0) return undefined;
  if (recipient === undefined || token === undefined || amount === undefined || key === undefined) return undefined;
  return {
    row: row.row,
    key: key === "" ? `${fileHash}:${row.row}` : key,
    hasOwnKey: key !== "",
    recipient,
    token,
    amount,
    memo: memo === "" ? undefined : memo,
    label: label === "" ? undefined : label,
    range: row.range,
    ranges: new Map([...row.cells].map(([column, { range }]) => [column, range])),
  };
}

function amountOf(text: string, delimiter: Delimiter, token: RunToken | undefined): CellResult<string> {
  const plain = amountIn(text, delimiter);
  if ("problem" in plain || token === undefined) return plain;
  switch (token.kind) {
    case "coin": {
      const coins = coinAmountIn(text);
      return "problem" in coins ? coins : plain;
    }
    case "trc10":
      if (text.includes("."))
        return refused(
          "decimals",
          t`${shown(text)} has decimals. An amount of a TRC-10 token is in its smallest units`,
        );
      return BigInt(text) > LARGEST_AMOUNT
        ? refused("too-large", t`${shown(text)} is larger than any amount on the chain`)
        : plain;
    case "trc20":
      return plain;
  }
}

function refused(code: CellRefusalCode, reason: string): { readonly problem: CellProblem } {
  return { problem: { code, reason } };
}

function memoOf(text: string, token: RunToken | undefined): CellResult<string> {
  if (text !== "" && token !== undefined && token.kind !== "coin")
    return refused("memo", t`a payment of tokens has no memo. Remove it`);
  return memoIn(text);
}

/** Refuses rows without a key in a file whose other rows have one: it was forgotten, or a spreadsheet lost it. */
function missingKeys(rows: readonly TableRow[], names: ReadonlyMap<RunColumn, string>): readonly RunRefusal[] {
  const keyOf = ({ cells }: TableRow): TableCell => cells.get("key") ?? NO_CELL;
  const missing = rows.filter((it) => keyOf(it).text === "");
  if (missing.length === rows.length) return [];
  const column = names.get("key") ?? "";
  return missing.map((it) => ({
    ...{ code: "empty", row: it.row, column, range: keyOf(it).range },
    message: t`Row ${it.row}, ${column}: the key is missing, and other rows have one. Write a key, or remove the keys of all rows.`,
  }));
}

/** Refuses rows with the key of another row, and equal payments unless each has a key of its own. */
function duplicatesIn(payments: readonly PaymentRow[], names: ReadonlyMap<RunColumn, string>): readonly RunRefusal[] {
  const refusals: RunRefusal[] = [];
  const keys = new Map<string, PaymentRow>();
  const equal = new Map<string, PaymentRow>();
  for (const payment of payments) {
    const { row, key, range, ranges, hasOwnKey } = payment;
    const column = names.get("key");
    const other = keys.get(key.toLowerCase());
    const message = t`Row ${row}, ${column ?? ""}: row ${other?.row ?? 0} has this key already. A key identifies one payment.`;
    if (other !== undefined)
      refusals.push({ code: "duplicate-key", row, column, range: ranges.get("key") ?? range, message });
    else keys.set(key.toLowerCase(), payment);
    const same = equal.get(paymentKey(payment));
    if (same === undefined) equal.set(paymentKey(payment), payment);
    else if (!hasOwnKey || !same.hasOwnKey) refusals.push(duplicatePayment(payment, same));
  }
  return refusals;
}

function duplicatePayment({ row, range }: PaymentRow, same: PaymentRow): RunRefusal {
  const message = t`Row ${row} equals row ${same.row}: the same recipient, amount and token. Remove one, or give each row a key if both are meant.`;
  return { code: "duplicate-payment", row, column: undefined, range, message };
}

/** Amounts are equal if only zeros at the end of their decimals differ. */
function paymentKey({ recipient, token, amount }: PaymentRow): string {
  const written = amount.includes(".") ? amount.replace(/\.?0+$/, "") : amount;
  return [recipient, JSON.stringify(token), written].join(" ");
}
