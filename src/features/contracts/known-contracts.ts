import { type ContractProxy, resolveProxy } from "@finality/client/contracts";
import type { DeployedContract } from "@finality/client/gateway";
import { codeDoubt } from "@finality/client/reviews";
import { deploymentOf } from "@finality/client/tracking";
import {
  type AbiIndex,
  type ArtifactIndex,
  type ContractFunction,
  candidateFromJson,
  createAbiIndex,
  functionsOf,
  type JsonAbiEntry,
  joinAbiIndexes,
  lostFunctions,
  type WorkspaceContract,
} from "@finality/tron/abi";
import { ChainError, isChainError } from "@finality/tron/errors";
import {
  type Address,
  type ForeignText,
  foreignText,
  parseAddress,
  parseTxId,
  toBase58,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { AddedContract } from "../../host/contracts/contract-book.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import type { ContractContext } from "./services.ts";

/** Contract that can be called. */
export interface CallableContract {
  readonly address: Address;
  /** Empty if unknown. */
  readonly name: ForeignText;
  /** Source of the ABI. */
  readonly origin: ForeignText;
  readonly functions: readonly ContractFunction[];
  /** Functions that cannot be called, because their parameter types are unknown. */
  readonly lost: readonly ForeignText[];
  /** Names of errors and events: its own first, then those of the workspace, because a call may fail elsewhere. */
  readonly abi: AbiIndex;
  /** Compares its code with that of the artifact that provides its ABI. Returns a message if they differ. */
  readonly codeWarning: () => Promise<string | undefined>;
}

/** Contract as the chain and the workspace describe it. */
export interface ContractDescription extends CallableContract {
  /** Undefined if the gateway reports no contract at the address. */
  readonly deployed: DeployedContract | undefined;
  /** Artifact that provides its own ABI. */
  readonly artifact: WorkspaceContract | undefined;
  /** Undefined if it is no proxy. The functions of the implementation are among its functions. */
  readonly proxy: ContractProxy | undefined;
  /** Entries of its ABI and of its implementation's. */
  readonly entries: readonly JsonAbiEntry[];
}

/** Address of a contract, found in the journal and the artifacts. */
export interface KnownContract {
  readonly address: Address;
  readonly name: ForeignText;
  readonly origin: ForeignText;
}

/** Returns the contracts of a network: own deployments first, then added ones, then those of workspace artifacts. */
export async function contractsOn({ services, network }: ContractContext): Promise<readonly KnownContract[]> {
  const index = await indexOf(services.artifacts);
  const own = deploymentsHere(services, network).map(({ address, name, isSolid }) => {
    const origin = isSolid ? t`deployed from here` : t`deployed from here, not solidified yet`;
    return { address, name: foreignText(name), origin: foreignText(origin) };
  });
  const recorded = index.deployments.map(({ address, contract, path, network: where }) => {
    return { address, name: foreignText(contract), origin: foreignText(t`${path}, network ${where}`) };
  });
  const book = await services.contractBook();
  const chain = book.isEmpty ? undefined : (await services.chains.networkRefOf(network)).chain;
  const added = (chain === undefined ? [] : book.on(chain)).map(({ address }) => {
    const name = foreignText(services.keys.nameOf(address) ?? "");
    return { address, name, origin: foreignText(t`added by you`) };
  });
  const all = [...own, ...added, ...recorded].filter(({ address }) => !(chain && book.isRemoved(chain, address)));
  return all.filter(({ address }, at) => all.findIndex((it) => it.address === address) === at);
}

/**
 * Finds a contract by its address, its name on this network, or the txID of its deployment.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN`
 */
export async function findContract(context: ContractContext, text: string): Promise<CallableContract> {
  return await contractAt(context, await addressOf(context, text));
}

/**
 * Resolves a contract argument to an address, with the rules of `findContract`.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN`
 */
export async function addressOf(context: ContractContext, text: string): Promise<Address> {
  return addressIn(context, text) ?? (await addressNamed(context, text));
}

/**
 * Returns the contract at an address, with the ABI that the user added, else that of the workspace, else that of the
 * chain. A proxy has the functions of its implementation, too.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN`
 */
export async function contractAt(context: ContractContext, address: Address): Promise<CallableContract> {
  const title = t`Reading the contract`;
  const contract = await whileWorking(title, (signal) => describeContract(context, address, signal));
  if (contract.entries.length === 0) throw unknownAt(context, address, contract.deployed);
  return contract;
}

/** Describes the address like `contractAt`, without progress, and also if its ABI is unknown. */
export async function describeContract(
  context: ContractContext,
  address: Address,
  signal?: AbortSignal,
): Promise<ContractDescription> {
  const { services, gateway } = context;
  const own = await readAbi(context, address, signal);
  const { deployed, artifact, name } = own;
  const candidate = { address, runtimeCode: deployed?.runtimeCode };
  const proxy = deployed === undefined ? undefined : await resolveProxy(gateway, candidate, signal);
  const behind = proxy?.implementation && (await readAbi(context, proxy.implementation, signal));
  const entries = behind === undefined ? own.abi : [...own.abi, ...withoutThese(behind.abi, own.abi)];
  const origins = [own, ...(behind === undefined ? [] : [behind])].filter(({ abi }) => abi.length > 0);
  const candidates = origins.flatMap(({ abi, origin }) => abi.flatMap((it) => candidateFromJson(it, origin) ?? []));
  return {
    address,
    name: foreignText(name),
    origin: foreignText(origins.map(({ origin }) => origin).join(t` and `)),
    functions: functionsOf(entries),
    lost: lostFunctions(entries).map(foreignText),
    abi: joinAbiIndexes(createAbiIndex(candidates), await indexOf(services.artifacts)),
    codeWarning: async () => (artifact && deployed ? await otherCode(services, artifact, deployed) : undefined),
    deployed,
    artifact,
    proxy,
    entries,
  };
}

/** ABI of one address, without that of an implementation. */
interface AbiAtAddress extends Pick<ContractDescription, "deployed" | "artifact"> {
  readonly abi: readonly JsonAbiEntry[];
  readonly name: string;
  readonly origin: string;
}

async function readAbi(
  { services, network, gateway }: ContractContext,
  address: Address,
  signal: AbortSignal | undefined,
): Promise<AbiAtAddress> {
  const [index, added, deployed] = await Promise.all([
    indexOf(services.artifacts),
    addedAt(services, network, address),
    gateway.deployedContract(address, signal).catch(refusalMeansNone),
  ]);
  if (deployed !== undefined) await (await services.names()).keep(network.name, address, deployed.abi);
  const own = deploymentsHere(services, network).find((it) => it.address === address);
  const [artifact] = [...index.contractsAt(address), ...index.contractsNamed(own?.name ?? deployed?.name ?? "")];
  const name = own?.name || artifact?.name || deployed?.name || "";
  if (added?.abi !== undefined)
    return { deployed, artifact, abi: added.abi, name, origin: added.abiFile ?? t`the ABI that you added` };
  const origin = artifact?.origin ?? t`the ABI on the chain`;
  return { deployed, artifact, abi: artifact?.abi() ?? chainAbi(deployed), name, origin };
}

/** Returns what the user added for an address. Asks for the chain only if there is anything. */
async function addedAt(
  { contractBook, chains }: ContractContext["services"],
  network: ContractContext["network"],
  address: Address,
): Promise<AddedContract | undefined> {
  const book = await contractBook();
  if (book.isEmpty) return undefined;
  const { chain } = await chains.networkRefOf(network);
  return chain && book.find(chain, address);
}

/** Returns the entries that the others do not have: a proxy runs its own function of a signature. */
function withoutThese(entries: readonly JsonAbiEntry[], others: readonly JsonAbiEntry[]): readonly JsonAbiEntry[] {
  const known = new Set(others.map(entryKey));
  return entries.filter((it) => it.type?.toLowerCase() !== "constructor" && !known.has(entryKey(it)));
}

function entryKey({ type = "function", name = "", inputs = [] }: JsonAbiEntry): string {
  return `${type.toLowerCase()} ${name}(${inputs.map((it) => it.type).join()})`;
}

/** Names of functions and arguments come from the artifact and do not apply to different code. */
async function otherCode(
  { artifacts }: Pick<ContractContext["services"], "artifacts">,
  artifact: WorkspaceContract,
  { created }: DeployedContract,
): Promise<string | undefined> {
  const bytecode = await (await artifacts.get()).bytecodeOf(artifact);
  return codeDoubt(created, { bytecode, path: artifact.path });
}

/** Returns the artifacts that can be deployed. Some of them need deployed libraries first. */
export async function deployableContracts({
  services,
}: Pick<ContractContext, "services">): Promise<readonly WorkspaceContract[]> {
  const { contracts } = await indexOf(services.artifacts);
  return contracts.filter(({ hasBytecode, libraries }) => hasBytecode || libraries.length > 0);
}

export async function indexOf(artifacts: ContractContext["services"]["artifacts"]): Promise<ArtifactIndex> {
  return await (await artifacts.get()).ready();
}

/** Parses an address in either form, or finds the contract that a tracked transaction deployed. */
function addressIn({ services }: ContractContext, text: string): Address | undefined {
  const txId = parseTxId(text.trim());
  const tracked = txId === undefined ? undefined : services.transactions.get(txId);
  if (tracked !== undefined) return deploymentOf(tracked)?.address;
  try {
    return parseAddress(text.trim());
  } catch (error) {
    if (isChainError(error) && error.code === "ADDRESS_MALFORMED") return undefined;
    throw error;
  }
}

/** Deployments in artifacts may belong to another network, so only those that exist on this chain count. */
async function addressNamed(context: ContractContext, name: string): Promise<Address> {
  const { services, network, gateway } = context;
  const own = deploymentsHere(services, network).find((it) => it.name === name);
  if (own !== undefined) return own.address;
  const recorded = (await indexOf(services.artifacts)).deploymentsOf(name);
  const found = await whileWorking(t`Searching for the contract`, async (signal) => {
    for (const { address } of recorded) {
      if ((await gateway.deployedContract(address, signal).catch(refusalMeansNone)) !== undefined) return address;
    }
    return undefined;
  });
  if (found !== undefined) return found;
  const reason = t`no contract with this name was deployed on ${network.name}; deploy it, or enter its address`;
  throw new ChainError("CONTRACT_UNKNOWN", { contract: name, reason });
}

function chainAbi(deployed: DeployedContract | undefined): readonly JsonAbiEntry[] {
  return (deployed?.abi ?? []) as readonly JsonAbiEntry[];
}

/** Returns the error for an address without a contract, or without an ABI. */
export function unknownAt(
  { network }: ContractContext,
  address: Address,
  deployed: DeployedContract | undefined,
): ChainError {
  const contract = toBase58(address);
  const reason =
    deployed === undefined
      ? t`there is no contract at this address on ${network.name}; check the address and the network`
      : t`its owner published no ABI on the chain; open the workspace that has its artifact`;
  return new ChainError("CONTRACT_UNKNOWN", { contract, reason });
}

/** A node answers with an error body if there is no contract, and some gateways do not serve contracts at all. */
function refusalMeansNone(error: unknown): undefined {
  if (isChainError(error) && (error.code === "NODE_REFUSED" || error.code === "PATH_NOT_SERVED")) return undefined;
  throw error;
}
