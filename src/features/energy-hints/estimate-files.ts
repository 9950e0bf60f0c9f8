import { type CallSite, costName } from "@finality/client/call-sites";
import type { FileEstimate } from "@finality/client/labels";
import * as vscode from "vscode";
import type { EnergyEstimate } from "../../public/api.ts";
import type { CostRecord } from "./cost-record.ts";
import { callsIn, documentsWithCalls } from "./documents.ts";
import type { HintState } from "./hint.view.ts";
import type { Hints } from "./hints.ts";

/** Estimates the calls in files of a folder. */
export type EstimateFiles = (
  folder: vscode.WorkspaceFolder,
  files: string | undefined,
  signal: AbortSignal,
) => AsyncIterable<FileEstimate>;

interface FileEstimateServices {
  readonly hints: Hints;
  readonly record: CostRecord;
  readonly publicEstimate: (callSite: CallSite, state: HintState) => EnergyEstimate;
}

/**
 * Estimates the calls of a folder one after another, and compares them with its snapshot.
 *
 * @param files - glob below the folder
 */
export async function* estimateFiles(
  { hints, record, publicEstimate }: FileEstimateServices,
  folder: vscode.WorkspaceFolder,
  files: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<FileEstimate> {
  await record.read();
  const snapshot = record.before;
  for (const document of await documentsWithCalls(folder, files))
    for (const callSite of callsIn(document)) {
      const state = await hints.estimate(callSite, { refresh: true, signal });
      const { line, character } = document.positionAt(callSite.range.start);
      const name = state.kind === "known" ? costName(state.bound) : (callSite.label ?? callSite.method ?? "");
      const before = snapshot.get(name);
      const estimate = publicEstimate(callSite, state);
      const { kind, text, problems } = estimate;
      yield {
        file: vscode.workspace.asRelativePath(document.uri, false),
        ...{ line: line + 1, column: character + 1, name },
        ...{ kind, text, problems },
        energy: "energy" in estimate ? estimate.energy : undefined,
        before: before === undefined ? undefined : Number(before),
      };
    }
}
