import { isJsonObject } from "../../primitives/json.ts";
import {
  type ArtifactDeployment,
  type ArtifactFormat,
  bytecodeField,
  entriesOf,
  readAbi,
  readAddress,
  sourceField,
  txIdField,
} from "./artifact.ts";

/** What TronBox and Truffle write to `build/contracts`: the contract, and where it was deployed on each network. */
export const readTruffleArtifact: ArtifactFormat = (json) => {
  const { contractName: name, abi: list, bytecode, sourcePath, networks } = json;
  const abi = readAbi(list);
  if (typeof name !== "string" || abi === undefined || json._format !== undefined) return undefined;
  const deployments = entriesOf(networks).flatMap(([network, place]): readonly ArtifactDeployment[] => {
    const address = isJsonObject(place) ? readAddress(place.address) : undefined;
    if (!isJsonObject(place) || address === undefined) return [];
    return [{ contract: name, address, network, ...txIdField(place.transactionHash) }];
  });
  return { contracts: [{ name, abi, ...bytecodeField(bytecode), ...sourceField(sourcePath) }], deployments };
};
