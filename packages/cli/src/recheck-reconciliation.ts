import {
  type ReconciledLine,
  type RunMismatch,
  type RunRecheck,
  recheckLines,
  recheckRun,
} from "@finality/client/runs";
import { systemClock as clock } from "@finality/node/system-clock";
import { counted, grouped } from "@finality/tron/format";
import { visibleText } from "@finality/tron/primitives";
import { EXIT } from "./cli-error.ts";
import type { CommandResult, Context, Invocation } from "./command.ts";
import { chooseNetwork, connect } from "./network.ts";

/** Checks a reconciliation file: its lines against each other, and with the blocks of a network if one is chosen. */
export async function recheckReconciliation(
  lines: readonly ReconciledLine[],
  invocation: Invocation,
  { terminal, progress }: Context,
): Promise<CommandResult> {
  const rows = new Set(lines.map(({ run, row }) => `${run} ${row}`)).size;
  if (invocation.text("network") === undefined && !invocation.isOn("local")) {
    const reason = "No network was chosen, so no block was read.";
    return resultOf(rows, recheckLines(lines), { kind: "alone", text: `The lines are consistent. ${reason}`, reason });
  }
  const connection = connect(await chooseNetwork(invocation, terminal));
  const total = new Set(lines.map(({ block }) => block).filter((it) => it !== "")).size;
  try {
    const rechecked = await recheckRun(lines, connection.gateway, {
      ...{ clock, signal: new AbortController().signal, sources: connection.sources },
      chain: await connection.chain(),
      read: (blocks) => progress("scan", { blocks, total }, `${grouped(blocks)} of ${grouped(total)} blocks`),
    });
    const { name } = connection.profile;
    const transactions = lines.filter(({ block }) => block !== "").length;
    const text = `Confirmed: ${name} has the ${grouped(transactions)} transactions of ${grouped(rows)} rows in ${grouped(rechecked.blocks)} blocks, as the file says.`;
    return resultOf(rows, rechecked, { kind: "confirmed", text });
  } finally {
    await connection.close();
  }
}

/** Mismatches that the text lists; JSON has all. */
const LISTED = 50;

function resultOf(
  rows: number,
  { mismatches, open, blocks }: RunRecheck,
  good: { readonly kind: "alone" | "confirmed"; readonly text: string; readonly reason?: string },
): CommandResult {
  const listed = mismatches.map((it) => ({ row: it.row, column: it.column, message: sentence(it) }));
  const result = { rows, blocks, mismatches: listed, open: [...open] };
  const unsettled = open.length === 0 ? [] : [`Not final in the file: ${openText(open)}.`];
  if (mismatches.length > 0) {
    const reasons = listed.slice(0, LISTED).map(({ message }) => message);
    const more = listed.length > LISTED ? [`… and ${grouped(listed.length - LISTED)} more.`] : [];
    const text = `Refused: ${counted(listed.length, "cell is", "cells are")} wrong.\n${[...reasons, ...more, ...unsettled].join("\n")}\n`;
    return { result: { kind: "refused", reasons, ...result }, text, exitCode: EXIT.negative };
  }
  const reasons = [...(good.reason === undefined ? [] : [good.reason]), ...unsettled];
  const text = `${[good.text, ...unsettled].join("\n")}\n`;
  return { result: { kind: good.kind, reasons, ...result }, text, exitCode: open.length > 0 ? EXIT.unknown : EXIT.ok };
}

function openText(rows: readonly string[]): string {
  const more = rows.length > LISTED ? ` and ${grouped(rows.length - LISTED)} more` : "";
  return `${rows.length === 1 ? "row" : "rows"} ${rows.slice(0, LISTED).join(", ")}${more}`;
}

/** Characters of a cell that a sentence shows. */
const SHOWN = 80;

function sentence({ row, column, problem, inFile, onChain }: RunMismatch): string {
  const place = `Row ${visibleText(row, 20)}, ${column}`;
  const cell = `"${visibleText(inFile, SHOWN)}"`;
  switch (problem) {
    case "differs":
      return `${place}: the file has ${cell}, and the chain "${visibleText(onChain, SHOWN)}".`;
    case "missing":
      return `${place}: the chain does not have ${cell} there.`;
    case "repeated":
      return `${place}: another line has ${cell} too.`;
    case "unusable":
      return `${place}: ${cell} cannot be used, or the network does not show what is needed to check it.`;
  }
}
