import type { NetworkProfile } from "@finality/client/gateway";
import { failureLines, lineSources, sourcesOfFrame, type TraceSources } from "@finality/client/traces";
import type { TxId } from "@finality/tron/primitives";
import type { Trace } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import { readRunNames } from "../../host/artifacts/traced-run.ts";
import type { TraceServices } from "./services.ts";
import type { TraceSubject } from "./trace-content.view.ts";

/** Traced run before its names are known. */
interface ReadRun {
  readonly trace: Trace;
  readonly txId: TxId | undefined;
  readonly network: NetworkProfile;
  readonly notes?: readonly string[];
}

/** Reads the names and sources of the contracts of a trace. */
export async function readSubject(
  services: TraceServices,
  { trace, txId, network, notes = [] }: ReadRun,
): Promise<TraceSubject> {
  const { names, sources, texts } = await readRunNames(services, trace, network);
  const sites = failureLines(trace, sources);
  const isNamed = sites[0]?.file !== undefined;
  const shown = {
    ...lineSources(trace, sources),
    sites,
    note: sites.length === 0 || isNamed ? undefined : noteOf(trace, sources),
    textOf: (file: string) => texts.get(file),
  };
  return { trace, txId, network: network.name, names, sources: shown, notes };
}

/** Returns the reason why no line is named. */
function noteOf(trace: Trace, sources: TraceSources): string {
  const isKnown = trace.frames.some((frame) => sourcesOfFrame(trace, frame, sources) !== undefined);
  return isKnown
    ? t`The source map of the compiler does not say in which line it failed.`
    : t`No artifact of the workspace with a source map has this code, so no line is named.`;
}
