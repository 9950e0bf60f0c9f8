import type { WorkspaceContract } from "@finality/tron/abi";

/**
 * Returns the contracts of an artifact or of a Solidity source. Tools write the source as an absolute path, or relative
 * to their own folder. An artifact without a source is that of the contract with the name of the file.
 *
 * @param path - relative to the workspace folder, with `/`
 */
export function contractsOfFile<C extends Pick<WorkspaceContract, "name" | "path" | "source">>(
  all: readonly C[],
  path: string,
): readonly C[] {
  if (!path.endsWith(".sol")) return all.filter((it) => it.path === path);
  const bySource = all.filter(({ source }) => source !== undefined && isSamePath(source.replaceAll("\\", "/"), path));
  const name = path.slice(path.lastIndexOf("/") + 1, -".sol".length);
  return bySource.length > 0 ? bySource : all.filter((it) => it.source === undefined && it.name === name);
}

function isSamePath(source: string, path: string): boolean {
  return source === path || source.endsWith(`/${path}`) || path.endsWith(`/${source}`);
}
