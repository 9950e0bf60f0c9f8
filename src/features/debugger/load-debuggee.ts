import { MOST_INSTRUCTIONS } from "@finality/client/debugger";
import type { NetworkProfile } from "@finality/client/gateway";
import { requestTrace } from "@finality/node/local-trace";
import { ChainError } from "@finality/tron/errors";
import { shorten } from "@finality/tron/primitives";
import type { Trace } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import { findSource, readSmall } from "../../host/artifacts/source-files.ts";
import { readRunNames } from "../../host/artifacts/traced-run.ts";
import { localNetwork } from "../../sending/traced-transaction.ts";
import { type DebugTarget, parseTarget } from "./debug-target.ts";
import { createDebuggee, type Debuggee, type EditorSource } from "./debuggee.ts";
import { comparable } from "./run-sources.ts";
import type { DebuggerServices } from "./services.ts";

const WITH_VALUES = { steps: true, stack: true, memory: true, maxSteps: MOST_INSTRUCTIONS } as const;

/** Loads the run that a configuration names. Nothing is signed or sent. @throws {ChainError} it cannot be read */
export async function loadDebuggee(services: DebuggerServices, configuration: object): Promise<Debuggee> {
  const target = parseTarget(configuration);
  if ("problem" in target) throw new Error(target.problem);
  const { trace, network } = await readRun(services, target);
  if ((trace.steps?.pc.length ?? 0) === 0)
    throw new ChainError("TRACE_UNAVAILABLE", { reason: t`the transaction runs no code` });
  const { names, sources, texts } = await readRunNames(services, trace, network);
  const { files, differing } = await editorSources(texts);
  const [first] = trace.frames;
  const title = target.kind === "transaction" ? shorten(target.txId) : t`Call`;
  const contract = first === undefined ? "" : names.contractNameOf(first.codeAddress);
  return createDebuggee({
    title: contract === undefined || contract === "" ? title : `${contract} · ${title}`,
    ...{ trace, sources, names, files, differing, notes: [] },
  });
}

async function readRun(
  services: DebuggerServices,
  target: DebugTarget,
): Promise<{ readonly trace: Trace; readonly network: NetworkProfile }> {
  const known = target.network === undefined ? undefined : services.networks.find(target.network);
  if (target.kind === "transaction" && known !== undefined && !known.local) {
    const { trace } = await (await services.failureRecords()).replay(known, target.txId);
    return { trace, network: known };
  }
  const network = localNetwork(services, target.network);
  return { trace: await requestTrace(network.baseUrl, target, WITH_VALUES), network };
}

/** Finds the files of compiled sources. A file whose text is another one now is not shown for them. */
async function editorSources(
  texts: ReadonlyMap<string, string>,
): Promise<{ readonly files: ReadonlyMap<string, EditorSource>; readonly differing: ReadonlySet<string> }> {
  const files = new Map<string, EditorSource>();
  const differing = new Set<string>();
  for (const [name, text] of texts) {
    const uri = await findSource(name);
    const isSame = uri !== undefined && (await readSmall(uri)) === text;
    if (uri !== undefined && !isSame) differing.add(comparable(uri.fsPath));
    files.set(name, isSame ? { path: uri.fsPath, text } : { text });
  }
  return { files, differing };
}
