import { csvText, isoTime } from "@finality/tron/format";
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  type TxId,
  toBase58,
} from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import { parse } from "csv-parse/sync";
import { proofDocument } from "../proof/proof-document.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import { transferIn } from "./run-binding.ts";
import { rowState, rowStateNames } from "./run-progress.ts";
import type { StoredRow, StoredRun } from "./run-store.ts";

const FORMAT = "finality.run-reconciliation/1";

/** Columns of a reconciliation file: the row, what it pays, and what the chain has of it. */
const columns = [
  ...(["run", "chain", "owner", "row", "attempt", "key", "label"] as const),
  ...(["recipient", "token", "amount", "memo", "contract", "data", "callValue"] as const),
  ...(["state", "txID", "block", "blockID", "blockTime", "result", "proof"] as const),
] as const;

export type ReconciledColumn = (typeof columns)[number];

/**
 * One attempt of a row, or a row without an attempt. Empty text is an absent cell. Amounts are in sun or in the smallest
 * unit of the token, `blockTime` is chain time, and `proof` is the proof of absence as JSON.
 */
export type ReconciledLine = { readonly [C in ReconciledColumn]: string };

const EMPTY = Object.fromEntries(columns.map((it) => [it, ""])) as ReconciledLine;

/** Cells about what a transaction does. All of them are in its bytes. */
export type PaymentCells = Pick<
  ReconciledLine,
  "owner" | "recipient" | "token" | "amount" | "memo" | "contract" | "data" | "callValue"
>;

/** Describes an intent in cells. A call that is no transfer of a TRC-20 token has `contract`, `data` and `callValue`. */
export function paymentCells(intent: Intent): PaymentCells {
  const { owner, memo } = intent;
  const { recipient, token, amount, contract, data, callValue } = EMPTY;
  const cells = { recipient, token, amount, contract, data, callValue };
  const common = { ...cells, owner: toBase58(owner), memo: memo === undefined ? "" : memoText(memo) };
  switch (intent.kind) {
    case "transfer":
      return { ...common, recipient: toBase58(intent.to), amount: `${intent.amount}` };
    case "token-transfer":
      return { ...common, recipient: toBase58(intent.to), token: intent.tokenId, amount: `${intent.amount}` };
    case "contract-call": {
      const transfer = transferIn(intent.data);
      const { tokenId, tokenValue } = intent;
      if (transfer !== undefined && intent.callValue === 0n && tokenId === undefined)
        return {
          ...common,
          recipient: toBase58(transfer.to),
          token: toBase58(intent.contract),
          amount: `${transfer.units}`,
        };
      const tokens = tokenId === undefined ? {} : { token: `${tokenId}`, amount: `${tokenValue ?? 0n}` };
      const call = { contract: toBase58(intent.contract), data: intent.data, callValue: `${intent.callValue}` };
      return { ...common, ...tokens, ...call };
    }
    default:
      return { ...common, data: intent.kind };
  }
}

/** Memos that are no UTF-8 are hex. */
function memoText(memo: Hex): string {
  const text = Buffer.from(memo, "hex").toString("utf8");
  return bytesToHex(Buffer.from(text, "utf8")) === memo ? text : `0x${bytesToHex(hexToBytes(memo))}`;
}

/** Returns the lines of rows, with the facts of the journal. */
export function reconciledLines(
  run: StoredRun,
  rows: readonly StoredRow[],
  get: (txId: TxId) => TrackedTransaction | undefined,
): readonly ReconciledLine[] {
  return rows.flatMap((row) => {
    const { key, label = "", intent, attempts } = row;
    const whole = { run: run.id, chain: run.network.chain, row: `${row.row}`, key, label };
    const common = { ...EMPTY, ...whole, ...paymentCells(intent) };
    if (attempts.length === 0) return [{ ...common, state: rowStateNames.waiting }];
    return attempts.map((txId, index) => {
      const state = rowStateNames[rowState({ attempts: [txId] }, get)];
      return { ...common, attempt: `${index + 1}`, txID: txId, state, ...chainCells(get(txId)) };
    });
  });
}

/** Block and result, or the proof of absence. */
function chainCells(tracked: TrackedTransaction | undefined): Partial<ReconciledLine> {
  if (tracked === undefined) return {};
  const { state, absence, signed, txId, chain } = tracked;
  if (state.kind === "solidified") {
    const { number, id, timestamp } = state.block;
    const result = state.outcome.kind === "success" ? "SUCCESS" : state.outcome.result;
    return { block: `${number}`, blockID: id, blockTime: isoTime(timestamp), result };
  }
  if (absence === undefined || signed === undefined) return {};
  const document = { ...absence, txId, rawDataHex: signed.rawDataHex, ...(chain === undefined ? {} : { chain }) };
  return { proof: JSON.stringify(proofDocument(document)) };
}

/** Formats lines as CSV (RFC 4180). */
export function reconciliationCsv(lines: readonly ReconciledLine[]): string {
  return csvText(
    columns,
    lines.map((line) => columns.map((it) => line[it])),
  );
}

/** Formats lines as JSON, with the names of the columns. Absent cells are left out. */
export function reconciliationJson(lines: readonly ReconciledLine[]): string {
  const rows = lines.map((line): JsonObject => {
    const cells = columns.flatMap((it): [string, Json][] => (line[it] === "" ? [] : [[it, line[it]]]));
    return { ...Object.fromEntries(cells), ...(line.proof === "" ? {} : { proof: parseJson(line.proof) }) };
  });
  return `${JSON.stringify({ format: FORMAT, rows }, undefined, 2)}\n`;
}

/**
 * Reads a reconciliation file in either format. Returns undefined for any other file. Columns of other programs are
 * ignored.
 */
export function readReconciliation(text: string): readonly ReconciledLine[] | undefined {
  const body = text.replace(/^\uFEFF/, "");
  try {
    return body.trimStart().startsWith("{") ? linesInJson(parseJson(body)) : linesInCsv(body);
  } catch {
    // Neither JSON nor CSV.
    return undefined;
  }
}

function linesInJson(json: Json): readonly ReconciledLine[] | undefined {
  if (!isJsonObject(json) || json.format !== FORMAT || !Array.isArray(json.rows)) return undefined;
  const rows: readonly Json[] = json.rows;
  return rows.every(isJsonObject) ? rows.map(lineOf) : undefined;
}

function linesInCsv(text: string): readonly ReconciledLine[] | undefined {
  const records: unknown = parse(text, { relax_column_count: false });
  if (!Array.isArray(records)) return undefined;
  const [header = [], ...rows] = records as readonly (readonly string[])[];
  if (columns.some((it) => !header.includes(it))) return undefined;
  return rows.map((cells) =>
    lineOf(Object.fromEntries(header.map((name, index) => [name, unguarded(cells[index] ?? "")]))),
  );
}

/** Removes the apostrophe that `csvText` writes before a formula. */
function unguarded(cell: string): string {
  return /^'\s*[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}

function lineOf(cells: JsonObject): ReconciledLine {
  const text = (value: Json | undefined): string =>
    value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return Object.fromEntries(columns.map((it) => [it, text(cells[it])])) as ReconciledLine;
}
