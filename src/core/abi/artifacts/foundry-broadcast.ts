import { isJsonObject, type Json } from "../../primitives/json.ts";
import { type ArtifactDeployment, type ArtifactFormat, folderOf, readAddress, txIdField } from "./artifact.ts";

/** What `forge script --broadcast` writes to `broadcast/SCRIPT/CHAIN/run-latest.json`: the contracts that it created. */
export const readFoundryBroadcast: ArtifactFormat = ({ transactions, receipts, chain }, path) => {
  if (!Array.isArray(transactions) || !Array.isArray(receipts)) return undefined;
  const network = typeof chain === "number" ? String(chain) : folderOf(path);
  return { contracts: [], deployments: transactions.flatMap((one: Json) => readCreation(one, network)) };
};

function readCreation(json: Json, network: string): readonly ArtifactDeployment[] {
  if (!isJsonObject(json) || !/^CREATE2?$/.test(String(json.transactionType))) return [];
  const { contractName: contract, contractAddress, hash } = json;
  const address = readAddress(contractAddress);
  if (typeof contract !== "string" || contract === "" || address === undefined) return [];
  return [{ contract, address, network, ...txIdField(hash) }];
}
