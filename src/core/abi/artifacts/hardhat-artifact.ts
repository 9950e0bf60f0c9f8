import { type ArtifactFormat, bytecodeField, nothing, readAbi, sourceField } from "./artifact.ts";

/** What Hardhat 2 and 3 write to `artifacts`. The files beside them that name a build tell nothing. */
export const readHardhatArtifact: ArtifactFormat = ({ _format: format, contractName, abi: list, ...json }) => {
  if (typeof format !== "string" || !/^hh\d*-/.test(format)) return undefined;
  const abi = readAbi(list);
  if (typeof contractName !== "string") return format.includes("artifact") ? undefined : nothing;
  if (abi === undefined) return undefined;
  const contract = { name: contractName, abi, ...bytecodeField(json.bytecode), ...sourceField(json.sourceName) };
  return { contracts: [contract], deployments: [] };
};
