import type { BindingContext, KnownContract } from "@finality/client/call-sites";
import type { EstimateSource } from "@finality/client/estimates";
import type { ContractRun, NetworkProfile } from "@finality/client/gateway";
import type { Deployment } from "@finality/client/tracking";
import type { Chains } from "@finality/node/chains";
import {
  type ArtifactIndex,
  type ContractFunction,
  constructorOf,
  functionsOf,
  type KnownDeployment,
  unlessMalformed,
  type WorkspaceContract,
} from "@finality/tron/abi";
import { type Address, addressIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import type { Artifacts } from "../../host/artifacts/artifacts.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { Log } from "../../host/log/log.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import type { ThrownSite } from "./hint.view.ts";

/** Data that the workspace has about one network. */
interface ContextParts extends Pick<EnergyServices, "networks" | "chains"> {
  readonly keys: Pick<SigningKeys, "listOn">;
  readonly transactions: Pick<TransactionService, "list">;
  readonly index: Pick<ArtifactIndex, "contractsNamed" | "contractsAt" | "functionsNamed" | "deploymentsOf">;
  readonly network: NetworkProfile;
  readonly bytecodes: ReadonlyMap<WorkspaceContract, string>;
  readonly answer: (key: string) => string | undefined;
}

/** Caller of calls that name none: the user's answer for this key, else the first account. */
export const CALLER_KEY = "caller";

/** Contracts, accounts and answers for the calls of a network. Uses memory only. */
export function workspaceContext(parts: ContextParts): BindingContext {
  const { index, network, keys, answer } = parts;
  const own = deploymentsHere(parts, network);
  const known = new Map<WorkspaceContract, KnownContract>();
  const describe = (contract: WorkspaceContract): KnownContract => {
    const described = known.get(contract) ?? describeContract(contract, deploymentOf(contract, own, parts), parts);
    known.set(contract, described);
    return described;
  };
  const accounts = keys.listOn(network);
  const addressOf = (name: string): Address | undefined =>
    accounts.find(({ label }) => label === name)?.address ?? addressIn(name) ?? addressOfContract(name);
  const addressOfContract = (name: string): Address | undefined =>
    index
      .contractsNamed(name)
      .map(describe)
      .find(({ address }) => address !== undefined)?.address;
  const chosen = answer(CALLER_KEY);
  const caller = accounts.find(({ label, address }) => label === chosen || address === chosen) ?? accounts[0];
  return {
    contractsNamed: (name) => index.contractsNamed(name).map(describe),
    contractsAt: (address) =>
      [
        ...own.filter((it) => it.address === address).flatMap(({ name }) => index.contractsNamed(name)),
        ...index.contractsAt(address),
      ].map(describe),
    contractsWith: (name) => [...new Set(index.functionsNamed(name).map(({ contract }) => contract))].map(describe),
    addressOf,
    caller: caller && { name: caller.label, address: caller.address },
    answer,
  };
}

interface FoundDeployment {
  readonly address: Address | undefined;
  readonly addressSource: string;
}

/**
 * Returns the newest tracked deployment, else one recorded for this network, else one recorded for an unknown network.
 */
function deploymentOf({ name }: WorkspaceContract, own: readonly Deployment[], parts: ContextParts): FoundDeployment {
  const ours = own.find((it) => it.name === name);
  if (ours !== undefined) return { address: ours.address, addressSource: t`it was deployed from here` };
  const recorded = parts.index.deploymentsOf(name).filter((it) => !belongsElsewhere(it, parts));
  const best = recorded.find((it) => isSame(it.network, parts.network.name)) ?? recorded[0];
  return { address: best?.address, addressSource: best === undefined ? "" : t`according to ${best.path}` };
}

function belongsElsewhere({ network }: KnownDeployment, { networks, network: here }: ContextParts): boolean {
  return !isSame(network, here.name) && networks.find(network) !== undefined;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

const functions = new WeakMap<WorkspaceContract, readonly ContractFunction[]>();

function describeContract(
  contract: WorkspaceContract,
  found: FoundDeployment,
  { bytecodes }: ContextParts,
): KnownContract {
  const { name, origin } = contract;
  const abi = contract.abi();
  const described = functions.get(contract) ?? functionsOf(abi);
  functions.set(contract, described);
  const creation = unlessMalformed(() => ({ ...constructorOf(abi), signature: "constructor", outputs: [] }));
  return { name, origin, ...found, functions: described, abi, creation, bytecode: bytecodes.get(contract) };
}

/** Call that is not sent, with the name of its network. */
export interface TracedCall {
  readonly run: ContractRun;
  readonly network: string;
}

/** Traces of calls, on the local chain alone. */
interface CallTraces {
  /** Starts to debug a call. */
  debugCall(call: TracedCall): Promise<object | undefined>;
  /** Shows the trace of a call. @throws {ChainError} `TRACE_UNAVAILABLE`, `LOCAL_CHAIN_STOPPED` */
  traceCall(call: TracedCall): Promise<object | undefined>;
  /** Returns the source line where a call reverts; undefined if it is not known. */
  thrownSite(call: TracedCall): Promise<ThrownSite | undefined>;
}

/** Services that this feature needs from the rest of the extension. */
export interface EnergyServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Pick<Networks, "find" | "active" | "isLocalStopped" | "get" | "list" | "onDidChange">;
  readonly gateways: { for(network: NetworkProfile): Promise<EstimateSource> };
  readonly chains: Pick<Chains, "known">;
  readonly keys: Pick<SigningKeys, "listActive" | "listOn" | "nameOf" | "onDidChange">;
  readonly transactions: Pick<TransactionService, "list" | "ready" | "onDidChange">;
  readonly artifacts: Artifacts;
  /** Storage of the workspace for answers of the user. */
  readonly answers: vscode.Memento;
  readonly now: () => number;
  readonly log: Log;
  readonly traces: CallTraces;
}
