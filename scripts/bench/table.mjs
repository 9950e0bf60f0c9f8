// The table of `npm run bench`: a row for each peer, with what it means to a user.

import { cpus, loadavg } from "node:os";
import { ratioOf, shown } from "../../test/bench/row.ts";

/** @typedef {import("../../test/bench/row.ts").BenchRow} BenchRow */

const [BEGIN, END] = ["<!-- table -->", "<!-- /table -->"];
/** A machine whose cores have this much other work says little. */
const BUSY = 1.5;

/**
 * @param {readonly BenchRow[]} rows
 * @returns {{ markdown: string, unexplained: readonly string[] }} the table, and what is behind without a reason
 */
export function performanceTable(rows) {
  const areas = [...new Set(rows.map(({ area }) => area))];
  const lines = areas.flatMap((area) => rows.filter((it) => it.area === area).map(line));
  const markdown = [
    `Measured with Node ${process.version} on ${cpus().length} cores${busy()}. Ratios above 1 are in favour of Finality.`,
    "",
    "| area | what | ours | peer | ratio | meaning |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
  const unexplained = rows.filter((it) => ratioOf(it) < 1 && it.reason === undefined).map(({ what }) => what);
  return { markdown, unexplained };
}

/**
 * @param {string} text the page as it is
 * @param {string} table
 */
export function withTable(text, table) {
  const [before, rest = ""] = text.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error(`docs/performance.md has no place between ${BEGIN} and ${END}.`);
  return [before, BEGIN, "\n\n", table, "\n\n", END, after].join("");
}

/** @param {BenchRow} row */
function line(row) {
  const { area, what, peer, unit, ours, theirs, meaning, reason } = row;
  const ratio = ratioOf(row);
  const shownRatio = ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2);
  const words = ratio < 1 ? `${meaning} *Behind:* ${reason ?? "no reason is known"}.` : meaning;
  const figure = (/** @type {number} */ value) => `${shown(value)} ${unit}`.trim();
  return `| ${area} | ${what} | ${figure(ours)} | ${peer}: ${figure(theirs)} | **${shownRatio}** | ${words} |`;
}

function busy() {
  const [load = 0] = loadavg();
  return load / cpus().length > BUSY
    ? ` that had other work too (load ${load.toFixed(1)}): take the ratios, not the figures`
    : "";
}
