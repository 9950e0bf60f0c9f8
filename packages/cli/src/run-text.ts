import { failedRows, finalRows, type RowCounts, rowStateNames, rowStates, type StoredRun } from "@finality/client/runs";
import { grouped, timeLeft } from "@finality/tron/format";
import { type JsonObject, toBase58 } from "@finality/tron/primitives";

/** Names of the states for programs. */
export function countsJson(counts: RowCounts): JsonObject {
  return Object.fromEntries(rowStates.map((it) => [rowStateNames[it], counts[it]]));
}

/** Returns the counts in a line, without those that are 0. */
export function countsText(counts: RowCounts): string {
  const parts = rowStates.filter((it) => counts[it] > 0).map((it) => `${grouped(counts[it])} ${WORDS[it]}`);
  return parts.join(", ");
}

const WORDS: { readonly [S in keyof RowCounts]: string } = {
  ...rowStateNames,
  "proven-absent": "proven absent",
  pending: "in the pool",
  included: "in a block",
};

const BAR = 20;

/** Position of a run at a time. */
export interface RunPosition {
  readonly counts: RowCounts;
  readonly total: number;
  /** Final rows at the start of this process, and the time since then, ms. */
  readonly before: number;
  readonly elapsedMs: number;
}

/** Returns the progress bar: final rows, those that were sent and are not final, rate and time left. */
export function progressText({ counts, total, before, elapsedMs }: RunPosition): string {
  const done = finalRows(counts);
  const filled = total === 0 ? BAR : Math.floor((done * BAR) / total);
  const bar = `${"█".repeat(filled)}${"░".repeat(BAR - filled)}`;
  const rate = elapsedMs < 1_000 ? 0 : ((done - before) * 1_000) / elapsedMs;
  const left = rate === 0 ? "" : `, ${rate.toFixed(rate < 10 ? 1 : 0)}/s, ${timeLeft(((total - done) / rate) * 1_000)}`;
  const bad = failedRows(counts);
  const failed = bad === 0 ? "" : `, ${grouped(bad)} failed`;
  const sent = counts.pending + counts.included + counts.unknown;
  const waiting = sent === 0 ? "" : `, ${grouped(sent)} sent`;
  return `${bar} ${grouped(done)} of ${grouped(total)} rows final${waiting}${failed}${left}`;
}

export function runJson({
  id,
  network,
  owner,
  title,
  fileHash,
  createdAt,
  control,
  rows,
  attempted,
}: StoredRun): JsonObject {
  return {
    ...{ run: id, network: network.network, chain: network.chain, owner: toBase58(owner), title, fileHash },
    ...{ createdAt, control, rows, attempted },
  };
}
