import { ArtifactIndex } from "../../../src/core/abi/artifacts/artifact-index.ts";

/** In the place of the artifacts of the workspace: there are none. */
export function artifactsOnDemand() {
  const index = new ArtifactIndex();
  const listen = () => ({ dispose: () => undefined });
  const workspace = { index, ready: async () => index, onDidChange: listen, dispose: () => undefined };
  return { get: async () => workspace, dispose: () => undefined };
}
