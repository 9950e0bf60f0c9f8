import type * as vscode from "vscode";
import type { ArtifactServices, WorkspaceArtifacts } from "./workspace-artifacts.ts";

/** The ABI index of the workspace: nothing of it is loaded, searched or read before somebody asks for it. */
export interface Artifacts extends vscode.Disposable {
  get(): Promise<WorkspaceArtifacts>;
}

export function artifactsOnDemand(services: ArtifactServices): Artifacts {
  let loaded: Promise<WorkspaceArtifacts> | undefined;
  const load = async () => new (await import("./workspace-artifacts.ts")).WorkspaceArtifacts(services);
  return {
    get: () => {
      loaded ??= load();
      return loaded;
    },
    dispose: () => void loaded?.then((it) => it.dispose()),
  };
}
