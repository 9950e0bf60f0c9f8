import type { ContractRun, NetworkProfile } from "@finality/client/gateway";
import { isReplayable, type TrackedTransaction } from "@finality/client/tracking";
import { requestTrace, type TracedRun } from "@finality/node/local-trace";
import { ChainError, isChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import type { Trace } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { findSource } from "../../host/artifacts/source-files.ts";
import { isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { confirmInStatusBar, notify, whileWorking } from "../../host/prompts/notify.ts";
import { folderAtHand } from "../../host/prompts/quick-input.ts";
import { chooseTransaction } from "../../sending/dialogs.ts";
import { chooseTraced, localNetwork, type TracedTransaction } from "../../sending/traced-transaction.ts";
import type { TraceAction } from "../../webview-messages/trace.ts";
import { LineEnergyDecorations } from "./line-energy.ts";
import { openSource } from "./open-source.ts";
import { replayNotes } from "./replay-notes.view.ts";
import type { CallTraces, TraceServices } from "./services.ts";
import { TraceContent, type TraceSubject } from "./trace-content.view.ts";
import { type ShownTrace, TracePanels } from "./trace-panel.ts";
import { traceJson, traceReport } from "./trace-report.view.ts";
import { readSubject } from "./trace-subject.ts";

interface TracePart extends CallTraces, vscode.Disposable {
  readonly commands: Commands<"traces">;
}

/** Implements the commands of traces. Loaded with the first of them. */
export function createTraces(services: TraceServices): TracePart {
  const { log } = services;
  const lineEnergy = new LineEnergyDecorations();
  const panels = new TracePanels({
    extensionUri: services.extensionUri,
    openSource,
    act: async (action, shown) => {
      if (action === "show-line-energy") await lineEnergy.show(shown);
      else await act(services, action, shown);
    },
    report: (error) => log.error("The trace page could not do that.", error),
  });
  const showRead = (shown: ShownTrace, raw: unknown): object => {
    lineEnergy.traced(shown);
    panels.show(shown);
    const { trace } = shown.content.subject;
    return isCallOfProgram(raw) ? { txId: trace.txId, result: trace.result, energy: trace.energy } : {};
  };
  const show = async (run: ShownRun, raw: unknown): Promise<object> =>
    showRead(await whileWorking(t`Tracing`, (cancelled) => readTraced(services, run, cancelled)), raw);
  const showReplay = async (chosen: TracedTransaction, raw: unknown): Promise<object> =>
    showRead(await whileWorking(t`Replaying the failure`, () => readReplayed(services, chosen)), raw);
  return {
    commands: {
      "finality.traceTransaction": async (argument, raw) => {
        const chosen = await chooseTraced(services, argument, t`Trace Transaction`);
        if (chosen === undefined) return undefined;
        const { txId, network } = chosen;
        if (!network.local) return await showReplay(chosen, raw);
        return await show({ traced: { kind: "transaction", txId }, network }, raw);
      },
      "finality.traceFailure": async (argument, raw) => {
        const chosen = await failureOf(services, argument);
        return chosen === undefined ? undefined : await showReplay(chosen, raw);
      },
      "finality.showLineEnergy": () => lineEnergy.show(),
      "finality.compareLineEnergy": () => lineEnergy.compare(),
      "finality.hideLineEnergy": () => {
        lineEnergy.hide();
        confirmInStatusBar(t`Energy per line is hidden`);
      },
    },
    traceCall: async ({ run, network: name }) => {
      const network = localNetwork(services, name);
      return await show({ traced: { kind: "call", run }, network }, undefined);
    },
    thrownSite: async ({ run, network: name }) => {
      const network = services.networks.find(name);
      return network?.local === true ? await thrownSite(services, run, network) : undefined;
    },
    dispose: () => vscode.Disposable.from(panels, lineEnergy).dispose(),
  };
}

/** A failure to trace costs the line only. */
async function thrownSite(services: TraceServices, run: ContractRun, network: NetworkProfile) {
  try {
    const traced = { kind: "call", run } as const;
    const trace = await requestTrace(network.baseUrl, traced, { steps: true, maxSteps: FIRST_STEPS });
    const { sources } = await readSubject(services, { trace, txId: undefined, network });
    const [site] = sources.sites;
    if (site?.file === undefined || site.line === undefined) return undefined;
    const uri = await findSource(site.file);
    return {
      label: `${site.file.split("/").at(-1) ?? site.file}:${site.line}`,
      link: uri?.with({ fragment: `L${site.line}` }).toString(),
    };
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

/** Run to trace, with its network. */
interface ShownRun {
  readonly traced: TracedRun;
  readonly network: NetworkProfile;
}

/** Instructions that are read before the page opens: with them, the line of a failure is known. */
const FIRST_STEPS = 200_000;
/** With stack and memory, the keys of mappings are known. */
const WITH_VALUES = { steps: true, stack: true, memory: true } as const;
/** Most instructions of a chart. */
const MOST_STEPS = 2_500_000;

async function readTraced(
  services: TraceServices,
  { traced, network }: ShownRun,
  cancelled: AbortSignal,
): Promise<ShownTrace> {
  const { baseUrl } = network;
  const first = await requestTrace(baseUrl, traced, { ...WITH_VALUES, maxSteps: FIRST_STEPS }, cancelled);
  const isComplete = first.steps !== undefined && first.instructions === first.steps.pc.length;
  const txId = traced.kind === "transaction" ? traced.txId : undefined;
  const subjectOf = (trace: Trace): Promise<TraceSubject> => readSubject(services, { trace, txId, network });
  const content = new TraceContent(await subjectOf(isComplete ? first : withoutSteps(first)));
  let reading: Promise<void> | undefined;
  const readSteps = (): Promise<void> => {
    reading ??= requestTrace(baseUrl, traced, { steps: true, maxSteps: MOST_STEPS }).then(async (detailed) =>
      content.addSteps(await subjectOf(detailed)),
    );
    return reading;
  };
  const id = traced.kind === "transaction" ? traced.txId : JSON.stringify(traced.run, bigintText);
  return { id, title: t`Trace of ${content.head().title}`, content, readSteps };
}

/** Replays a transaction of another network on the state that was recorded before it was signed. */
async function readReplayed(services: TraceServices, { txId, network }: TracedTransaction): Promise<ShownTrace> {
  const { trace, ...replay } = await (await services.failureRecords()).replay(network, txId);
  const content = new TraceContent(await readSubject(services, { trace, txId, network, notes: replayNotes(replay) }));
  return { id: txId, title: t`Trace of ${content.head().title}`, content, readSteps: async () => undefined };
}

function withoutSteps({ steps: _, ...trace }: Trace): Trace {
  return { ...trace, truncated: trace.truncated.filter(({ part }) => part !== "steps") };
}

function bigintText(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/**
 * Returns a failed transaction of another network with a record of its state; undefined if the user cancels.
 *
 * @throws {ChainError} `TRACE_UNAVAILABLE` it has no record
 */
async function failureOf(
  { transactions, networks, failureRecords, nameOf }: TraceServices,
  argument: CommandArguments["finality.traceFailure"],
): Promise<TracedTransaction | undefined> {
  const networkOf = (it: TrackedTransaction) => networks.find(transactions.networkOf(it));
  const tracked = await chooseTransaction(transactions, argument, {
    title: t`Trace This Failure`,
    fits: (it) => isReplayable(it) && networkOf(it)?.local === false,
    forWhat: t`failed calls on networks other than the local chain`,
    nameOf,
  });
  const network = tracked && networkOf(tracked);
  if (tracked === undefined || network === undefined) return undefined;
  if ((await (await failureRecords()).recorded()).has(tracked.txId)) return { txId: tracked.txId, network };
  const reason = t`no state was recorded before it was signed. Turn on finality.transaction.recordState to record that of the next calls`;
  throw new ChainError("TRACE_UNAVAILABLE", { reason });
}

async function act(
  services: TraceServices,
  action: Exclude<TraceAction, "show-line-energy">,
  { content }: ShownTrace,
): Promise<void> {
  const { subject } = content;
  switch (action) {
    case "copy-report":
      await vscode.env.clipboard.writeText(services.masked(traceReport(content)));
      confirmInStatusBar(t`Report copied`);
      return;
    case "export-json":
      await exportJson(services.masked(traceJson(subject)), subject.txId);
      return;
    case "show-transaction":
    case "debug":
      if (subject.txId === undefined) return;
      await vscode.commands.executeCommand(
        action === "debug" ? "finality.debugTransaction" : "finality.showTimeline",
        services.clicks.of({ kind: "trace", txId: subject.txId }),
      );
      return;
  }
}

async function exportJson(text: string, txId: TxId | undefined): Promise<void> {
  const name = `trace-${txId?.slice(0, 8) ?? "call"}.json`;
  const file = await vscode.window.showSaveDialog({
    title: t`Export Trace`,
    filters: { JSON: ["json"] },
    saveLabel: t`Export`,
    defaultUri: vscode.Uri.joinPath(folderAtHand(), name),
  });
  if (file === undefined) return;
  await vscode.workspace.fs.writeFile(file, Buffer.from(text, "utf8"));
  void notify("information", t`Trace written to ${file.fsPath}.`);
}
