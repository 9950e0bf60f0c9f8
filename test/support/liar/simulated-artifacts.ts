import { ArtifactIndex } from "../../../src/core/abi/artifacts/artifact-index.ts";
import { type NameServices, SelectorNames } from "../../../src/host/artifacts/selector-names.ts";
import { lazily } from "../../../src/host/lazily.ts";

/** In the place of the artifacts of the workspace: there are none. */
export function artifactsOnDemand() {
  const index = new ArtifactIndex();
  const listen = () => ({ dispose: () => undefined });
  const workspace = { index, ready: async () => index, onDidChange: listen, dispose: () => undefined };
  return { get: async () => workspace, dispose: () => undefined };
}

/** The names of selectors as they are, with no artifacts to take them from. */
export function namesOnDemand(services: NameServices) {
  return lazily(async () => new SelectorNames(services));
}
