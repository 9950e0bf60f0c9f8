import type * as vscode from "vscode";
import { type Lazily, lazily } from "../lazily.ts";
import type { NameServices, SelectorNames } from "./selector-names.ts";
import type { ArtifactServices, WorkspaceArtifacts } from "./workspace-artifacts.ts";

/** The ABI index of the workspace: nothing of it is loaded, searched or read before somebody asks for it. */
export interface Artifacts extends vscode.Disposable {
  get(): Promise<WorkspaceArtifacts>;
}

export function artifactsOnDemand(services: ArtifactServices): Artifacts {
  const get = lazily(async () => new (await import("./workspace-artifacts.ts")).WorkspaceArtifacts(services));
  return { get, dispose: () => get.ifLoaded((it) => it.dispose()) };
}

/** Names of selectors, loaded when somebody first asks for them. */
export type NamesOnDemand = Lazily<SelectorNames>;

export function namesOnDemand(services: NameServices): NamesOnDemand {
  return lazily(async () => new (await import("./selector-names.ts")).SelectorNames(services));
}
