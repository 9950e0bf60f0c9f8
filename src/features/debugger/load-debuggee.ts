import { MOST_INSTRUCTIONS } from "@finality/client/debugger";
import type { NetworkProfile } from "@finality/client/gateway";
import { contractText, sourcesOfFrame, type TraceNames, type TraceSources } from "@finality/client/traces";
import { requestTrace } from "@finality/node/local-trace";
import { ChainError } from "@finality/tron/errors";
import { shorten, visibleLine } from "@finality/tron/primitives";
import type { Trace } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { findSource, readSmall } from "../../host/artifacts/source-files.ts";
import { readRunNames } from "../../host/artifacts/traced-run.ts";
import { localNetwork } from "../../sending/traced-transaction.ts";
import { callFields, type DebugTarget, parseTarget } from "./debug-target.ts";
import { createDebuggee, type Debuggee, type EditorSource } from "./debuggee.ts";
import { comparable } from "./run-sources.ts";
import type { DebuggerServices } from "./services.ts";

const WITH_VALUES = { steps: true, stack: true, memory: true, maxSteps: MOST_INSTRUCTIONS } as const;

/** Loads the run that a configuration names. Nothing is signed or sent. @throws {ChainError} it cannot be read */
export async function loadDebuggee(services: DebuggerServices, configuration: object): Promise<Debuggee> {
  const target = parseTarget(configuration);
  if ("problem" in target) throw new Error(target.problem);
  if (target.kind === "file") return await loadDebuggee(services, await callInFile(services, target));
  const { trace, network } = await readRun(services, target);
  if ((trace.steps?.pc.length ?? 0) === 0)
    throw new ChainError("TRACE_UNAVAILABLE", { reason: t`the transaction runs no code` });
  const { names, sources, texts } = await readRunNames(services, trace, network);
  const { files, differing, notes } = await editorSources(texts, sources);
  const [first] = trace.frames;
  const title = target.kind === "transaction" ? shorten(target.txId) : t`Call`;
  const contract = first === undefined ? "" : names.contractNameOf(first.codeAddress);
  return createDebuggee({
    title: contract === undefined || contract === "" ? title : `${contract} · ${title}`,
    ...{ trace, sources, names, files, differing },
    notes: [...codeNotes(trace, sources, names), ...notes],
  });
}

/** Returns a sentence for each code whose lines are not known. */
function codeNotes(trace: Trace, sources: TraceSources, names: TraceNames): readonly string[] {
  const seen = new Set<number>();
  return trace.frames.flatMap((frame) => {
    if (frame.code === undefined || seen.has(frame.code)) return [];
    seen.add(frame.code);
    if (sourcesOfFrame(trace, frame, sources) !== undefined) return [];
    const name = contractText(frame.codeAddress, names);
    return [
      t`No artifact with a source map has the code of ${name}: the source differs, or it was not compiled here. Its instructions are shown.`,
    ];
  });
}

/** Returns the configuration of a call of a file of the workspace. */
async function callInFile(
  services: DebuggerServices,
  { callFile, line }: DebugTarget & { readonly kind: "file" },
): Promise<object> {
  const uri = await findSource(callFile);
  if (uri === undefined) throw new Error(t`The workspace has no file ${visibleLine(callFile, 200)}.`);
  const document = await vscode.workspace.openTextDocument(uri);
  const offset = document.offsetAt(new vscode.Position(line - 1, 0));
  const { run, network } = await services.callOfFile({ uri: uri.toString(), offset: String(offset) });
  return { call: callFields(run), network };
}

async function readRun(
  services: DebuggerServices,
  target: Exclude<DebugTarget, { readonly kind: "file" }>,
): Promise<{ readonly trace: Trace; readonly network: NetworkProfile }> {
  const known = target.network === undefined ? undefined : services.networks.find(target.network);
  if (target.kind === "transaction" && known !== undefined && !known.local) {
    const { trace } = await (await services.failureRecords()).replay(known, target.txId);
    return { trace, network: known };
  }
  const network = localNetwork(services, target.network);
  return { trace: await requestTrace(network.baseUrl, target, WITH_VALUES), network };
}

/** Files of the editor for compiled sources. */
interface EditorSources {
  readonly files: ReadonlyMap<string, EditorSource>;
  readonly differing: ReadonlySet<string>;
  readonly notes: readonly string[];
}

/** Finds the files of compiled sources. A file whose text is another one now is not shown for them. */
async function editorSources(texts: ReadonlyMap<string, string>, sources: TraceSources): Promise<EditorSources> {
  const compiled = new Map(sources.files().map(({ path, source }) => [path, source.text]));
  const files = new Map<string, EditorSource>();
  const differing = new Set<string>();
  const notes: string[] = [];
  for (const name of texts.keys()) {
    const uri = await findSource(name);
    const text = compiled.get(name);
    const isSame = uri !== undefined && text !== undefined && (await readSmall(uri)) === text;
    if (text !== undefined) files.set(name, isSame ? { path: uri.fsPath, text } : { text });
    if (uri === undefined || isSame) continue;
    differing.add(comparable(uri.fsPath));
    notes.push(t`${visibleLine(name, 200)} was changed after it was compiled: the source differs. Compile it again.`);
  }
  return { files, differing, notes };
}
