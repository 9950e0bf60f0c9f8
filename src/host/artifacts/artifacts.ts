import type * as vscode from "vscode";
import { type Lazy, lazy } from "../async.ts";
import type { NameServices, SelectorNames } from "./selector-names.ts";
import type { ArtifactServices, WorkspaceArtifacts } from "./workspace-artifacts.ts";

/** ABI index of the workspace. Nothing is loaded, searched or read before its first use. */
export interface Artifacts extends vscode.Disposable {
  get(): Promise<WorkspaceArtifacts>;
}

export function artifactsOnDemand(services: ArtifactServices): Artifacts {
  const get = lazy(async () => new (await import("./workspace-artifacts.ts")).WorkspaceArtifacts(services));
  return { get, dispose: () => get.ifLoaded((it) => it.dispose()) };
}

/** Names of selectors, loaded on first use. */
export type NamesOnDemand = Lazy<SelectorNames>;

export function namesOnDemand(services: NameServices): NamesOnDemand {
  return lazy(async () => new (await import("./selector-names.ts")).SelectorNames(services));
}
