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
  /** Number of rows. */
  readonly rows: number;
  /** Number of rows that were signed. */
  readonly attempted: number;
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

/** Rows that equal rows of earlier runs. */
interface EarlierRows {
  /** Rows without a key of the file, by run. */
  readonly paidAgain: readonly PaidAgain[];
  /** Rows with a key of the file that equal a row of an unfinished run. The journal has the rows of the others. */
  readonly planned: ReadonlySet<number>;
}

/** Rows read at once. */
const PAGE = 1_000;

/**
 * Finds rows that equal rows of an earlier run of the owner on this chain: the same recipient, amount, token and memo.
 * The key of a row without one is made of the hash of the file, so a corrected file would pay it a second time. A run of
 * the same file is left out, because it has the same keys.
 */
export async function findEarlierRows(
  { file, rows }: { readonly file: RunFile; readonly rows: readonly BoundRow[] },
  owner: Address,
  { store, chain }: { readonly store: EarlierRuns; readonly chain: NetworkRef["chain"] },
): Promise<EarlierRows> {
  const withKey = new Set(file.kind === "calls" ? [] : file.rows.flatMap((it) => (it.hasOwnKey ? [it.row] : [])));
  const keyed = byPayment(rows.filter(({ row }) => withKey.has(row)));
  const keyless = byPayment(rows.filter(({ row }) => !withKey.has(row)));
  const paidAgain: PaidAgain[] = [];
  const planned = new Set<number>();
  const runs = (await store.runs()).filter((it) => it.owner === owner && it.network.chain === chain);
  for (const run of runs) {
    if (run.fileHash === file.fileHash) continue;
    const compared = run.attempted < run.rows ? [keyless, keyed] : [keyless];
    const [again = [], other = []] = await equalRows(store, run.id, compared);
    if (again.length > 0) paidAgain.push({ run: run.id, createdAt: run.createdAt, rows: again });
    for (const row of other) planned.add(row);
  }
  return { paidAgain, planned };
}

type RowsByPayment = ReadonlyMap<string, readonly number[]>;

function byPayment(rows: readonly BoundRow[]): RowsByPayment {
  const found = new Map<string, number[]>();
  for (const { row, intent } of rows) {
    const key = paymentOf(intent);
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
}

/** Returns for each group the rows that the run has, in order. */
async function equalRows(
  store: EarlierRuns,
  run: string,
  groups: readonly RowsByPayment[],
): Promise<readonly (readonly number[])[]> {
  const equal = groups.map(() => new Set<number>());
  if (groups.every(({ size }) => size === 0)) return [];
  for (let from = 1; ; ) {
    const page = await store.rows(run, { from, limit: PAGE });
    for (const { intent } of page) {
      const key = paymentOf(intent);
      for (const [at, rows] of groups.entries()) for (const row of rows.get(key) ?? []) equal[at]?.add(row);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return equal.map((rows) => [...rows].sort((a, b) => a - b));
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
