import { joinAbiIndexes } from "../../../packages/tron/src/abi/abi-index.ts";
import { ArtifactIndex } from "../../../packages/tron/src/abi/artifacts/artifact-index.ts";

const listen = () => ({ dispose: () => undefined });

/** In the place of the artifacts of the workspace: there are none. */
export function artifactsOnDemand() {
  const index = new ArtifactIndex();
  const workspace = { index, ready: async () => index, onDidChange: listen, dispose: () => undefined };
  return { get: async () => workspace, dispose: () => undefined };
}

/** In the place of the names of selectors: nobody knows one. */
export function namesOnDemand() {
  const index = joinAbiIndexes();
  const nothing = async (): Promise<void> => undefined;
  const names = {
    workspace: undefined,
    index,
    indexAt: () => index,
    keep: nothing,
    nearlyReady: nothing,
    ready: nothing,
    onDidChange: listen,
    dispose: () => undefined,
  };
  return Object.assign(async () => names, { ifLoaded: () => undefined });
}
