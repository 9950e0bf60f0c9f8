import {
  type ArtifactFormat,
  bytecodeField,
  folderOf,
  nameOfFile,
  readAbi,
  readAddress,
  txIdField,
} from "./artifact.ts";

/** What hardhat-deploy writes to `deployments/NETWORK/Name.json`. */
export const readHardhatDeployment: ArtifactFormat = ({ abi: list, address: place, ...json }, path) => {
  const abi = readAbi(list);
  const address = readAddress(place);
  if (abi === undefined || address === undefined || json.contractName !== undefined) return undefined;
  const name = nameOfFile(path);
  return {
    contracts: [{ name, abi, ...bytecodeField(json.bytecode) }],
    deployments: [{ contract: name, address, network: folderOf(path), ...txIdField(json.transactionHash) }],
  };
};
