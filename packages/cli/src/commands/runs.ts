import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type RunControl,
  RunProgress,
  type RunStore,
  reconciledLines,
  reconciliationCsv,
  reconciliationJson,
  type StoredRun,
} from "@finality/client/runs";
import { TransactionTracker } from "@finality/client/tracking";
import { systemClock as clock } from "@finality/node/system-clock";
import { ChainError } from "@finality/tron/errors";
import { grouped } from "@finality/tron/format";
import { visibleText } from "@finality/tron/primitives";
import { CliError } from "../cli-error.ts";
import type { CommandResult, Invocation, RunCommand } from "../command.ts";
import { readConfiguration } from "../configuration.ts";
import { journalFolder } from "../journal.ts";
import { storeUrl } from "../postgres-store.ts";
import { openRunStore } from "../run-store.ts";
import { countsJson, countsText, runJson } from "../run-text.ts";
import type { Terminal } from "../terminal.ts";

const CONTROLS: { readonly [action: string]: RunControl } = { pause: "paused", resume: "running", stop: "stopping" };

/** Lists the runs of the journal, or pauses, resumes, stops or exports one. Sends no request. */
export const runRuns: RunCommand = async (invocation, { terminal, warn }) => {
  const [action, id] = invocation.positionals;
  const configuration = await readConfiguration(invocation, terminal);
  const folder = journalFolder(invocation, terminal, configuration);
  if (storeUrl(invocation, terminal) === undefined && !existsSync(join(folder, "runs"))) {
    if (action !== undefined) throw missing(id ?? "");
    return { result: { runs: [] }, text: "There is no run.\n" };
  }
  const { store } = await openRunStore(invocation, terminal, folder);
  const tracker = new TransactionTracker({ store: store.journal, clock, gatewayFor: noGateway });
  try {
    for (const warning of await tracker.load()) warn(warning);
    if (action === undefined) return await listRuns(store, tracker);
    const run = id === undefined ? undefined : await store.run(id);
    if (id === undefined) throw new CliError("USAGE", { cause: `finality runs ${action} needs the ID of a run.` });
    if (run === undefined) throw missing(id);
    if (action === "export") return await exportRun(run, { store, tracker, invocation, terminal });
    return await control(action, run, store);
  } finally {
    tracker.dispose();
    await store.close();
  }
};

function missing(id: string): CliError {
  return new CliError("RUN_MISSING", { cause: `The journal has no run ${visibleText(id, 40)}.` });
}

const noGateway = async (network: string): Promise<never> => {
  throw new ChainError("NETWORK_UNKNOWN", { network });
};

async function listRuns(store: RunStore, tracker: TransactionTracker): Promise<CommandResult> {
  const runs = [];
  for (const run of await store.runs()) {
    const progress = await RunProgress.load(store, tracker, run.id);
    runs.push({ run, counts: progress.counts(), state: progress.open === 0 ? "finished" : run.control });
    progress.dispose();
  }
  const lines = runs.map(({ run, counts, state }) => {
    const rows = `${grouped(run.rows)} rows on ${run.network.network}: ${countsText(counts)}`;
    return `${run.id}  ${state}  ${visibleText(run.title, 60)}, ${rows}\n`;
  });
  const result = { runs: runs.map(({ run, counts }) => ({ ...runJson(run), counts: countsJson(counts) })) };
  return { result, text: lines.length === 0 ? "There is no run.\n" : lines.join("") };
}

async function control(action: string, run: StoredRun, store: RunStore): Promise<CommandResult> {
  const chosen = CONTROLS[action];
  if (chosen === undefined)
    throw new CliError("USAGE", {
      cause: `finality runs has no "${visibleText(action, 40)}". Use pause, resume, stop or export.`,
    });
  await store.setControl(run.id, chosen);
  return { result: { runs: [runJson({ ...run, control: chosen })] }, text: `${run.id}  ${chosen}\n` };
}

interface ExportContext {
  readonly store: RunStore;
  readonly tracker: TransactionTracker;
  readonly invocation: Invocation;
  readonly terminal: Terminal;
}

/** Writes the reconciliation file of a run, or prints it. */
async function exportRun(
  run: StoredRun,
  { store, tracker, invocation, terminal }: ExportContext,
): Promise<CommandResult> {
  const format = invocation.text("format") ?? "csv";
  if (format !== "csv" && format !== "json")
    throw new CliError("USAGE", { cause: `--format has to be csv or json, not "${visibleText(format, 40)}".` });
  const progress = await RunProgress.load(store, tracker, run.id);
  const rows = [...progress.rows()];
  progress.dispose();
  const lines = reconciledLines(run, rows, (txId) => tracker.get(txId));
  const text = format === "csv" ? reconciliationCsv(lines) : reconciliationJson(lines);
  const result = { run: run.id, format, rows: rows.length };
  const file = invocation.text("out");
  if (file === undefined) return { result: { ...result, text }, text };
  await writeFile(terminal.resolve(file), text, { flag: "wx" });
  const next = `Next: finality recheck ${file} --network NAME\n`;
  return { result: { ...result, file }, text: `${grouped(rows.length)} rows are in ${file}.\n${next}` };
}
