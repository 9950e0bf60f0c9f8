import { isJsonObject, type Json } from "../../primitives/json.ts";
import { type ArtifactFormat, bytecodeField, entriesOf, nameOfFile, readAbi, sourceField } from "./artifact.ts";

/** What Foundry writes to `out`: bytecode is an object, and the name is in the metadata or is that of the file. */
export const readFoundryArtifact: ArtifactFormat = ({ abi: list, bytecode, metadata }, path) => {
  const abi = readAbi(list);
  if (abi === undefined || !isJsonObject(bytecode) || bytecode.object === undefined) return undefined;
  const [source, name] = compilationTarget(metadata) ?? [undefined, undefined];
  const named = { name: typeof name === "string" ? name : nameOfFile(path), abi };
  return { contracts: [{ ...named, ...bytecodeField(bytecode.object), ...sourceField(source) }], deployments: [] };
};

function compilationTarget(metadata: Json | undefined): readonly [string, Json | undefined] | undefined {
  const settings = isJsonObject(metadata) ? metadata.settings : undefined;
  return entriesOf(isJsonObject(settings) ? settings.compilationTarget : undefined)[0];
}
