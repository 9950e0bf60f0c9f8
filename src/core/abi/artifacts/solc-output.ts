import { isJsonObject, type Json } from "../../primitives/json.ts";
import { type ArtifactContract, type ArtifactFormat, bytecodeField, entriesOf, readAbi } from "./artifact.ts";

/** The standard JSON output of solc, also inside of the build information that Hardhat and Foundry keep. */
export const readSolcOutput: ArtifactFormat = (json) => {
  const output = isJsonObject(json.output) ? json.output : json;
  const files = entriesOf(output.contracts).map(
    ([source, contracts]) => [source, entriesOf(contracts).flatMap((one) => readContract(source, one))] as const,
  );
  const contracts = files.flatMap(([, found]) => found);
  return contracts.length > 0 ? { contracts, deployments: [] } : undefined;
};

function readContract(source: string, [name, json]: readonly [string, Json | undefined]): readonly ArtifactContract[] {
  const abi = isJsonObject(json) ? readAbi(json.abi) : undefined;
  if (!isJsonObject(json) || abi === undefined) return [];
  const bytecode = isJsonObject(json.evm) && isJsonObject(json.evm.bytecode) ? json.evm.bytecode.object : undefined;
  return [{ name, source, abi, ...bytecodeField(bytecode) }];
}
