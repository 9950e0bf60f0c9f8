import {
  type BindingContext,
  callSitesInCallFile,
  type SetupSite,
  setupSitesInCallFile,
} from "@finality/client/call-sites";
import {
  type CallTestContext,
  type CallTestResult,
  executeSetupStep,
  type FinishedCallTest,
  isCallTest,
  type RunCallTests,
  runCallTest,
} from "@finality/client/call-tests";
import { type HttpGateway, LOCAL_NETWORK_NAME, type NetworkProfile } from "@finality/client/gateway";
import { ACCOUNT_NAMES } from "@finality/node/account-names";
import { endCoverage, startCoverage } from "@finality/node/local-trace";
import { UnsignedChain } from "@finality/node/setup-chain";
import type { ArtifactIndex, WorkspaceContract } from "@finality/tron/abi";
import { type Address, defined } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { startTestChain } from "../../host/local-chain/test-chain.ts";
import { localProfile } from "../../host/networks/networks.ts";
import type { SigningAccount } from "../../host/secrets/signing-keys.ts";
import { type Hints, noNetwork } from "./hints.ts";
import { type EnergyServices, workspaceContext } from "./workspace-context.ts";

export interface CallTestServices extends Omit<EnergyServices, "gateways"> {
  readonly gateways: {
    for(network: NetworkProfile): Promise<HttpGateway>;
    at(network: NetworkProfile, url: string): Promise<HttpGateway>;
  };
  /** dist/local-chain.js */
  readonly chainProgram: string;
}

/** Chain that answers the calls of a file, with the names on it. */
interface CallTestTarget extends CallTestContext {
  readonly gateway: HttpGateway;
  /** URL of the chain if it counts what it executes. */
  readonly countedAt?: string;
}

/**
 * Runs call tests with constant calls. A file with a setup gets a chain of its own, which ends with the run; any other
 * file uses its network, or the active one.
 *
 * @throws {ChainError} the chain of the run does not start, or the network cannot be used
 */
export async function* runCallTests(
  services: CallTestServices,
  hints: Hints,
  ...[text, indexes, signal, onCoverage]: Parameters<RunCallTests>
): AsyncGenerator<FinishedCallTest> {
  await Promise.all([hints.open(), services.transactions.ready()]);
  const sites = callSitesInCallFile(text);
  const setup = setupSitesInCallFile(text);
  const network = sites[0]?.network;
  const isOnOwnChain = setup.length > 0 && (network === undefined || network === LOCAL_NETWORK_NAME);
  await using stack = new AsyncDisposableStack();
  const target = isOnOwnChain
    ? await ownChain(services, hints, { setup, counts: onCoverage !== undefined }, stack)
    : await networkOf(services, hints, network, onCoverage !== undefined);
  for (const index of indexes) {
    const site = sites[index];
    if (site === undefined || !isCallTest(site)) continue;
    const started = performance.now();
    const result: CallTestResult =
      typeof target === "string"
        ? { kind: "unusable", reason: target }
        : await runCallTest(target.gateway, site, target, signal);
    signal.throwIfAborted();
    yield { index, result, durationMs: performance.now() - started };
  }
  if (typeof target !== "string" && target.countedAt !== undefined) onCoverage?.(await endCoverage(target.countedAt));
}

/** Returns a network with its contracts and accounts, or the reason why there is none. */
async function networkOf(
  { gateways, networks, keys }: CallTestServices,
  hints: Hints,
  name: string | undefined,
  counts: boolean,
): Promise<CallTestTarget | string> {
  const network = name === undefined ? networks.active : networks.find(name);
  const binding = network && hints.contextOf({ network: network.name });
  if (network === undefined || binding === undefined || hints.index === undefined) return noNetwork(name);
  const names = new Map(keys.listOn(network).map(({ address, label }) => [address, label]));
  const gateway = await gateways.for(network);
  const countedAt = counts && network.local ? network.baseUrl : undefined;
  if (countedAt !== undefined) await startCoverage(countedAt);
  return { gateway, binding, abi: hints.index, nameOf: (address) => names.get(address), ...defined({ countedAt }) };
}

/** The seed makes addresses the same in every run, and in the command line. */
const FLAGS = ["--seed", "finality", "--block-time", "manual", "--witnesses", "1", "--like-mainnet"];
const ACCOUNT_COUNT = ["--accounts", String(ACCOUNT_NAMES.length)];

/** Starts a chain and executes the setup on it. Returns the reason if a step fails. */
async function ownChain(
  services: CallTestServices,
  hints: Hints,
  { setup, counts }: { readonly setup: readonly SetupSite[]; readonly counts: boolean },
  stack: AsyncDisposableStack,
): Promise<CallTestTarget | string> {
  const { index: abi } = hints;
  if (abi === undefined) return noNetwork(undefined);
  const chain = await startTestChain(services.chainProgram, [...FLAGS, ...ACCOUNT_COUNT]);
  stack.defer(() => chain.close());
  if (counts) await startCoverage(chain.baseUrl);
  const profile = { ...localProfile(chain.baseUrl), name: t`Test chain` };
  const gateway = await services.gateways.at(profile, chain.baseUrl);
  const accounts = chain.accounts.map(({ address }, index) => ({
    address,
    label: ACCOUNT_NAMES[index] ?? "",
    watchOnly: true,
  }));
  const names = new Map<Address, string>(accounts.map(({ address, label }) => [address, label]));
  const nameOf = (address: Address) => names.get(address);
  const executor = new UnsignedChain(chain.baseUrl, gateway);
  let binding = emptyChainContext(services, abi, {
    ...{ profile, accounts },
    bytecodes: await bytecodesFor(services, abi, setup),
  });
  for (const [index, step] of setup.entries()) {
    const executed = await executeSetupStep(executor, step, binding, { abi, nameOf });
    if (executed.kind === "failed") return setupFailed(index, executed.reason);
    binding = executed.context;
    const address = step.deployedAs === undefined ? undefined : binding.addressOf(step.deployedAs);
    if (address !== undefined && step.deployedAs !== undefined) names.set(address, step.deployedAs);
  }
  return { gateway, binding, abi, nameOf, ...(counts && { countedAt: chain.baseUrl }) };
}

function setupFailed(index: number, reason: string): string {
  return t`step ${index + 1} of the setup: ${reason}`;
}

interface EmptyChain {
  readonly profile: NetworkProfile;
  readonly accounts: readonly SigningAccount[];
  readonly bytecodes: ReadonlyMap<WorkspaceContract, string>;
}

/** Returns the contracts of the workspace without addresses, and the accounts of a new chain. */
function emptyChainContext(
  { networks, chains }: CallTestServices,
  index: ArtifactIndex,
  { profile, accounts, bytecodes }: EmptyChain,
): BindingContext {
  return workspaceContext({
    ...{ networks, chains, network: profile, bytecodes },
    keys: { listOn: () => accounts },
    transactions: { list: () => [] },
    index: {
      contractsNamed: (name) => index.contractsNamed(name),
      functionsNamed: (name) => index.functionsNamed(name),
      contractsAt: () => [],
      deploymentsOf: () => [],
    },
    answer: () => undefined,
  });
}

/** Returns the creation code of the contracts that a setup deploys. */
async function bytecodesFor(
  { artifacts }: CallTestServices,
  index: ArtifactIndex,
  setup: readonly SetupSite[],
): Promise<ReadonlyMap<WorkspaceContract, string>> {
  const files = await artifacts.get();
  const names = new Set(
    setup.flatMap(({ kind, contract }) => (kind === "deployment" && "name" in contract ? [contract.name] : [])),
  );
  const found = new Map<WorkspaceContract, string>();
  for (const name of names) {
    const contract = index.contractsNamed(name).find(({ hasBytecode }) => hasBytecode);
    const code = contract && (await files.bytecodeOf(contract));
    if (contract !== undefined && code !== undefined) found.set(contract, code);
  }
  return found;
}
