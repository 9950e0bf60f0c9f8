import { finalRows, type RowCounts, rowStateNames, rowStates, type StoredRun } from "@finality/client/runs";
import { ChainError } from "@finality/tron/errors";
import { grouped, localTime } from "@finality/tron/format";
import { type JsonObject, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { notify } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import type { RunParts } from "./services.ts";
import type { StoredRunPages } from "./stored-run-pages.ts";

/** A stored run with the number of its rows in each state. */
interface CountedRun {
  readonly run: StoredRun;
  readonly counts: RowCounts;
}

/**
 * Shows the page of a stored run, which the argument names or the user chooses. A program gets the runs, and a page
 * opens only for the run that it names.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `RUN_STORE_UNAVAILABLE`
 */
export async function showRuns(
  services: RunParts,
  pages: StoredRunPages,
  { run: id }: CommandArguments["finality.showRuns"],
  raw: unknown,
): Promise<{ readonly runs: readonly JsonObject[] } | undefined> {
  const all = await countedRuns(services);
  const named = id === undefined ? undefined : all.find(({ run }) => run.id === id);
  if (id !== undefined && named === undefined) {
    const reason = t`there is no such run`;
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "run", reason });
  }
  const isProgram = isCallOfProgram(raw);
  const chosen = named ?? (isProgram ? undefined : await chooseRun(services, all));
  if (chosen !== undefined) await pages.show(chosen.run);
  return isProgram ? { runs: (named === undefined ? all : [named]).map(runJson) } : undefined;
}

/** Newest first. */
async function countedRuns({ runs }: RunParts): Promise<readonly CountedRun[]> {
  const { store } = await runs.open();
  const counted: CountedRun[] = [];
  for (const run of await store.runs()) {
    const progress = await runs.progressOf(run.id);
    counted.unshift({ run, counts: progress.counts() });
    progress.dispose();
  }
  return counted;
}

async function chooseRun({ transactions, keys }: RunParts, all: readonly CountedRun[]) {
  if (all.length === 0) {
    void notify("information", t`There is no run yet. Run File… starts one from a table of payments.`);
    return undefined;
  }
  const items = all.map(({ run, counts }) => ({
    label: visibleLine(run.title, 60),
    description: t`${grouped(finalRows(counts))} of ${grouped(run.rows)} rows are final`,
    detail: [
      visibleLine(transactions.networkOf(run.network)),
      keys.nameOf(run.owner) ?? toBase58(run.owner),
      localTime(run.createdAt),
      run.id,
    ].join(" · "),
    counted: { run, counts },
  }));
  const options = { title: t`Runs`, placeHolder: t`Which run?`, matchOnDescription: true, matchOnDetail: true };
  return (await quickPick(items, options))?.counted;
}

function runJson({ run, counts }: CountedRun): JsonObject {
  const { id, title, network, control, rows, createdAt } = run;
  const states = Object.fromEntries(rowStates.map((it) => [rowStateNames[it], counts[it]]));
  return { run: id, title, network: network.network, control, rows, createdAt, counts: states };
}
