import { isJsonObject } from "../../primitives/json.ts";
import {
  type ArtifactDeployment,
  type ArtifactFormat,
  entriesOf,
  nameOfFile,
  readAddress,
  txIdField,
} from "./artifact.ts";

/** A record of deployments by hand or by a script: `{ "network": …, "contracts": { "Leaf": { "address": … } } }`. */
export const readDeploymentRecord: ArtifactFormat = ({ contracts, network }, path) => {
  const deployments = entriesOf(contracts).flatMap(([contract, place]): readonly ArtifactDeployment[] => {
    const address = readAddress(isJsonObject(place) ? place.address : place);
    if (address === undefined) return [];
    const txId = isJsonObject(place) ? txIdField(place.transaction) : {};
    return [{ contract, address, network: typeof network === "string" ? network : nameOfFile(path), ...txId }];
  });
  return deployments.length > 0 ? { contracts: [], deployments } : undefined;
};
