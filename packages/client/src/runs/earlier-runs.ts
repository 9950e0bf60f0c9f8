import { localTime } from "@finality/tron/format";
import type { Address } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { NetworkRef } from "../gateway/network.ts";
import { intentKey } from "../retry/conflicting-transactions.ts";
import type { BoundRow } from "./run-binding.ts";
import type { RunFile } from "./run-file.ts";

/** A stored run, as far as a comparison needs it. */
interface EarlierRun {
  readonly id: string;
  readonly owner: Address;
  readonly network: NetworkRef;
  readonly fileHash: string;
  /** Unix ms. */
  readonly createdAt: number;
}

/** Runs of a store; `RunStore` is one. */
export interface EarlierRuns {
  runs(): Promise<readonly EarlierRun[]>;
  rows(
    run: string,
    query: { readonly from: number; readonly limit: number },
  ): Promise<readonly { readonly row: number; readonly intent: Intent }[]>;
}

/** Rows that an earlier run has with other keys. */
export interface PaidAgain {
  readonly run: string;
  readonly createdAt: number;
  readonly rows: readonly number[];
}

/** Rows read at once. */
const PAGE = 1_000;

/**
 * Finds rows without a key of the file that equal rows of an earlier run of the owner on this chain: the same recipient,
 * amount, token and memo. Their keys are made of the hash of the file, so a corrected file would pay them a second time.
 * A run of the same file is left out, because it has the same keys.
 */
export async function findPaidAgain(
  { file, rows }: { readonly file: RunFile; readonly rows: readonly BoundRow[] },
  owner: Address,
  { store, chain }: { readonly store: EarlierRuns; readonly chain: NetworkRef["chain"] },
): Promise<readonly PaidAgain[]> {
  const keyless = rowsWithoutKey(file, rows);
  const found: PaidAgain[] = [];
  const runs = (await store.runs()).filter((it) => it.owner === owner && it.network.chain === chain);
  for (const { id, createdAt, fileHash } of keyless.size === 0 ? [] : runs) {
    if (fileHash === file.fileHash) continue;
    const equal = await equalRows(store, id, keyless);
    if (equal.length > 0) found.push({ run: id, createdAt, rows: equal });
  }
  return found;
}

/** Numbers of the rows by their payment. */
function rowsWithoutKey(file: RunFile, rows: readonly BoundRow[]): ReadonlyMap<string, readonly number[]> {
  const withKey = new Set(file.kind === "calls" ? [] : file.rows.flatMap((it) => (it.hasOwnKey ? [it.row] : [])));
  const byPayment = new Map<string, number[]>();
  for (const { row, intent } of rows) {
    if (withKey.has(row)) continue;
    const key = paymentOf(intent);
    byPayment.set(key, [...(byPayment.get(key) ?? []), row]);
  }
  return byPayment;
}

async function equalRows(
  store: EarlierRuns,
  run: string,
  byPayment: ReadonlyMap<string, readonly number[]>,
): Promise<readonly number[]> {
  const equal = new Set<number>();
  for (let from = 1; ; ) {
    const page = await store.rows(run, { from, limit: PAGE });
    for (const { intent } of page) for (const row of byPayment.get(paymentOf(intent)) ?? []) equal.add(row);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return [...equal].sort((a, b) => a - b);
    from = last.row + 1;
  }
}

function paymentOf(intent: Intent): string {
  return `${intent.memo ?? ""} ${intentKey(intent)}`;
}

/** Describes the rows that would be paid again. @example "3 rows equal rows of the run 7f3a of 5/1/2026, 10:00" */
export function paidAgainText({ run, createdAt, rows }: PaidAgain): string {
  const number = rows.length;
  const of = t`the run ${run} of ${localTime(createdAt)}`;
  const [first = 0] = rows;
  return number === 1
    ? t`Row ${first} equals a row of ${of}, and has no key. It would be paid a second time.`
    : t`${number} rows, from row ${first} on, equal rows of ${of}, and have no keys. They would be paid a second time.`;
}
