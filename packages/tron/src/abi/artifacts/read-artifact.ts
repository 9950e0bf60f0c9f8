import { t } from "@vscode/l10n";
import { isJsonObject, type Json, type JsonObject } from "../../primitives/json.ts";
import { DEEPEST_JSON, jsonDepth } from "../../primitives/json-checks.ts";
import {
  type ArtifactContents,
  type ArtifactContract,
  type ArtifactDeployment,
  type ArtifactFormat,
  bytecodeField,
  entriesOf,
  folderOf,
  nameOfFile,
  nothing,
  readAbi,
  readAddress,
  sourceField,
  txIdField,
} from "./artifact.ts";
import { withEnumMembers } from "./enum-members.ts";

/** `foreign` is other JSON, which is no error, because globs match more files. */
export type ArtifactResult =
  | { readonly kind: "artifact"; readonly contents: ArtifactContents }
  | { readonly kind: "foreign" }
  | { readonly kind: "broken"; readonly reason: string };

/**
 * Parses a file of TronBox, Truffle, Hardhat, Foundry or solc, or a record of deployments. Total: problems of a file
 * are values.
 *
 * @param path - Relative to the workspace folder, with `/`: some formats store names there.
 */
export function readArtifact(text: string, path: string): ArtifactResult {
  if (jsonDepth(text) > DEEPEST_JSON) {
    return { kind: "broken", reason: t`its brackets are nested more than ${DEEPEST_JSON} deep` };
  }
  const json = parse(text);
  if (json instanceof Error) return { kind: "broken", reason: t`it is not JSON (${json.message.slice(0, 120)})` };
  if (Array.isArray(json)) return ofList(json, path);
  if (!isJsonObject(json)) return { kind: "foreign" };
  for (const format of ARTIFACT_FORMATS) {
    const contents = format(json, path);
    if (contents === undefined) continue;
    const contracts = contents.contracts.map((it) => ({ ...it, abi: withEnumMembers(it.abi, json.ast) }));
    return { kind: "artifact", contents: { ...contents, contracts } };
  }
  const claims = (Array.isArray(json.abi) && json.abi.length > 0) || typeof json.contractName === "string";
  return claims ? { kind: "broken", reason: t`its abi is not a list of entries with types` } : { kind: "foreign" };
}

/** An ABI alone, as written by `solc --abi`. */
function ofList(json: Json, path: string): ArtifactResult {
  const abi = readAbi(json);
  const isAbi = abi?.some(({ type }) => type !== undefined && KINDS.includes(type)) === true;
  if (abi === undefined || !isAbi) return { kind: "foreign" };
  return { kind: "artifact", contents: { ...nothing, contracts: [{ name: nameOfFile(path), abi }] } };
}

const KINDS = ["function", "event", "error", "constructor", "fallback", "receive"];

function parse(text: string): Json | Error {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Reads `artifacts` files of Hardhat 2 and 3. The build files beside them have no content for the index. */
const readHardhatArtifact: ArtifactFormat = ({ _format: format, contractName, abi: list, ...json }) => {
  if (typeof format !== "string" || !/^hh\d*-/.test(format)) return undefined;
  const abi = readAbi(list);
  if (typeof contractName !== "string") return format.includes("artifact") ? undefined : nothing;
  if (abi === undefined) return undefined;
  const code = bytecodeField(json.bytecode, json.linkReferences);
  const contract = { name: contractName, abi, ...code, ...sourceField(json.sourceName) };
  return { contracts: [contract], deployments: [] };
};

/** Reads `build/contracts` files of TronBox and Truffle: the contract and its deployments by network. */
const readTruffleArtifact: ArtifactFormat = (json) => {
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

/** Reads `out` files of Foundry: bytecode is an object, and the name comes from the metadata or the file name. */
const readFoundryArtifact: ArtifactFormat = ({ abi: list, bytecode, metadata }, path) => {
  const abi = readAbi(list);
  if (abi === undefined || !isJsonObject(bytecode) || bytecode.object === undefined) return undefined;
  const [source, name] = compilationTarget(metadata) ?? [undefined, undefined];
  const named = { name: typeof name === "string" ? name : nameOfFile(path), abi };
  return { contracts: [{ ...named, ...bytecodeField(bytecode), ...sourceField(source) }], deployments: [] };
};

function compilationTarget(metadata: Json | undefined): readonly [string, Json | undefined] | undefined {
  const settings = isJsonObject(metadata) ? metadata.settings : undefined;
  return entriesOf(isJsonObject(settings) ? settings.compilationTarget : undefined)[0];
}

/** Reads `deployments/NETWORK/Name.json` files of hardhat-deploy. */
const readHardhatDeployment: ArtifactFormat = ({ abi: list, address: place, ...json }, path) => {
  const abi = readAbi(list);
  const address = readAddress(place);
  if (abi === undefined || address === undefined || json.contractName !== undefined) return undefined;
  const name = nameOfFile(path);
  return {
    contracts: [{ name, abi, ...bytecodeField(json.bytecode) }],
    deployments: [{ contract: name, address, network: folderOf(path), ...txIdField(json.transactionHash) }],
  };
};

/** Reads the created contracts from `broadcast/SCRIPT/CHAIN/run-latest.json` files of `forge script --broadcast`. */
const readFoundryBroadcast: ArtifactFormat = ({ transactions, receipts, chain }, path) => {
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

/** Parses the standard JSON output of solc, also inside the build information of Hardhat and Foundry. */
const readSolcOutput: ArtifactFormat = (json) => {
  const output = isJsonObject(json.output) ? json.output : json;
  const files = entriesOf(output.contracts).map(
    ([source, contracts]) => [source, entriesOf(contracts).flatMap((one) => readContract(source, one))] as const,
  );
  const contracts = [...files.flatMap(([, found]) => found), ...entriesOf(output.contracts).flatMap(readCombined)];
  return contracts.length > 0 ? { contracts, deployments: [] } : undefined;
};

function readContract(source: string, [name, json]: readonly [string, Json | undefined]): readonly ArtifactContract[] {
  const abi = isJsonObject(json) ? readAbi(json.abi) : undefined;
  if (!isJsonObject(json) || abi === undefined) return [];
  return [{ name, source, abi, ...codeFieldOf(json) }];
}

/** Parses an entry of `solc --combined-json abi,bin`: `contracts/Leaf.sol:Leaf`. */
function readCombined([key, json]: readonly [string, Json | undefined]): readonly ArtifactContract[] {
  const abi = isJsonObject(json) ? readAbi(json.abi) : undefined;
  if (!isJsonObject(json) || abi === undefined) return [];
  const [source, name] = key.includes(":") ? [key.slice(0, key.lastIndexOf(":")), key.split(":").at(-1)] : ["", key];
  return [{ name: name ?? key, abi, ...bytecodeField(json.bin), ...sourceField(source) }];
}

/** Fields in which tools store creation code beside an ABI: Waffle, solc, Remix, `solc --combined-json`. */
function codeFieldOf({ bytecode, evm, data, bin, linkReferences }: JsonObject): ReturnType<typeof bytecodeField> {
  if (typeof bytecode === "string" && bytecode !== "") return bytecodeField(bytecode, linkReferences);
  const inside = [evm, data].find(isJsonObject)?.bytecode;
  return bytecodeField(bytecode ?? inside ?? bin);
}

/**
 * Reads an ABI in an object, with or without code: Remix, Waffle, packages, a manual `{abi}`, and TRON's own
 * `{entrys}`. It also reads the answer of `getcontract`, without its code, which includes the constructor arguments.
 */
const readPlainArtifact: ArtifactFormat = (json, path) => {
  const isStored = json.contract_address !== undefined || json.origin_address !== undefined;
  const abi = readAbi(json.abi ?? (Array.isArray(json.entrys) ? json : undefined));
  const code = isStored ? {} : codeFieldOf(json);
  if (abi === undefined || json._format !== undefined) return undefined;
  if (abi.length === 0 && Object.keys(code).length === 0) return undefined;
  const stored = isStored ? json.name : json.contractName;
  const name = typeof stored === "string" && stored !== "" ? stored : nameOfFile(path);
  return { contracts: [{ name, abi, ...code }], deployments: [] };
};

/** Reads `ignition/deployments/chain-ID/deployed_addresses.json` of Hardhat Ignition: `{ "LeafModule#Leaf": "0x…" }`. */
const readIgnitionAddresses: ArtifactFormat = (json, path) => {
  if (!/(^|\/)deployed_addresses\.json$/.test(path)) return undefined;
  const deployments = entriesOf(json).flatMap(([future, place]): readonly ArtifactDeployment[] => {
    const address = readAddress(place);
    const contract = future.split("#").at(-1) ?? future;
    return address === undefined ? [] : [{ contract, address, network: folderOf(path).replace(/^chain-/, "") }];
  });
  return { contracts: [], deployments };
};

/**
 * Parses the file of *Write Deployments File…*, or a deployment record that was written by hand or by a script:
 * `{ "network": …, "chainId": …, "contracts": { "Leaf": { "address": … } } }`. The chain ID counts before the name.
 */
const readDeploymentRecord: ArtifactFormat = ({ contracts, network: name, chainId }, path) => {
  const named = typeof name === "string" ? name : nameOfFile(path);
  const network = typeof chainId === "number" ? String(chainId) : named;
  const deployments = entriesOf(contracts).flatMap(([contract, place]): readonly ArtifactDeployment[] => {
    const address = readAddress(isJsonObject(place) ? place.address : place);
    if (address === undefined) return [];
    const txId = isJsonObject(place) ? txIdField(place.transaction) : {};
    return [{ contract, address, network, ...txId }];
  });
  return deployments.length > 0 ? { contracts: [], deployments } : undefined;
};

/** Formats of artifacts, in the order in which they are tried. */
const ARTIFACT_FORMATS: readonly ArtifactFormat[] = [
  readHardhatArtifact,
  readTruffleArtifact,
  readFoundryArtifact,
  readHardhatDeployment,
  readFoundryBroadcast,
  readSolcOutput,
  readIgnitionAddresses,
  readDeploymentRecord,
  readPlainArtifact,
];
