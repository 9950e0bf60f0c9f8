import { isSameChain } from "@finality/client/gateway";
import { hasDeployed, type TrackedTransaction } from "@finality/client/tracking";
import { constructorOf, type WorkspaceContract } from "@finality/tron/abi";
import { type Address, defined, type Hex, nameText, type TxId, toBase58, visibleLine } from "@finality/tron/primitives";
import { deployedContractAddress } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { calledByProgram } from "../../host/caller.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { type Ask, pickStep, typedAddress, type ValueItem } from "../../host/prompts/quick-input.ts";
import { untilTracked } from "../../sending/until-tracked.ts";
import { deployOrder } from "./code-orders.ts";
import { contractsOn, deployableContracts } from "./known-contracts.ts";
import { sendCode } from "./send-code.ts";
import type { ContractContext, SigningContext } from "./services.ts";
import { refused } from "./upgrade-check.ts";

/** Implementation of a proxy: the address of a contract, or a contract of the workspace that is deployed first. */
export type ImplementationChoice = Address | WorkspaceContract;

/** Prompts for an implementation: contracts of the workspace, then those of the network. @param add - adds the answer */
export function askImplementation<A>(
  context: ContractContext,
  add: (soFar: A, implementation: ImplementationChoice) => A,
): Ask<A> {
  return async (soFar, where) => {
    const artifacts = (await deployableContracts(context)).filter((it) => faultOf(it) === undefined);
    const deployed = await contractsOn(context);
    const items: readonly ValueItem<ImplementationChoice>[] = [
      ...artifacts.sort(ownFirst).map((artifact) => ({
        label: `$(rocket) ${artifact.name}`,
        description: t`deploys it first`,
        detail: artifact.path,
        value: artifact,
      })),
      ...deployed.map(({ address, name, origin }) => ({
        label: `$(symbol-class) ${nameText(name)}`,
        description: toBase58(address),
        detail: visibleLine(origin),
        value: address,
      })),
    ];
    const picked = await pickStep<ValueItem<ImplementationChoice>>(where, {
      placeholder: t`Which implementation? Choose a contract, or paste an address`,
      items,
      typed: typedAddress,
      mayPick: ({ value }) => value !== undefined,
      none: t`No contract is known on this network. Paste an address above.`,
    });
    if (picked.kind !== "value") return picked;
    const { value } = picked.value;
    return value === undefined ? { kind: "left" } : { kind: "value", value: add(soFar, value) };
  };
}

/** Contracts of packages come last. */
function ownFirst(left: WorkspaceContract, right: WorkspaceContract): number {
  const rank = ({ source = "" }: WorkspaceContract): number => (/^@|node_modules\//.test(source) ? 1 : 0);
  return rank(left) - rank(right);
}

/** Returns why an upgrade cannot deploy a contract by itself; undefined if it can. */
function faultOf(artifact: WorkspaceContract): string | undefined {
  if (!artifact.hasBytecode) return t`${artifact.name} needs libraries; deploy it first, and choose its address`;
  if (constructorOf(artifact.abi()).parameters.length === 0) return undefined;
  return t`the constructor of ${artifact.name} has parameters; deploy it first, and choose its address`;
}

/** Contract of the workspace to deploy behind a proxy. */
interface ImplementationToDeploy {
  readonly artifact: WorkspaceContract;
  readonly from: Address;
  /** Checks the code before its deployment. @throws {ChainError} `UPGRADE_REFUSED` */
  readonly check: (code: Hex) => Promise<void>;
}

/**
 * Deploys an implementation, with a review of its own, and waits until its deployment is in a block. The same code that
 * was deployed from here before is used again. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `UPGRADE_REFUSED`, and the errors of the pipeline
 */
export async function deployImplementation(
  context: SigningContext,
  { artifact, from, check }: ImplementationToDeploy,
): Promise<Address | undefined> {
  const fault = faultOf(artifact);
  if (fault !== undefined) throw refused(fault);
  const order = await deployOrder(
    context,
    { contract: artifact.name },
    { artifact, from, values: [] },
    calledByProgram(),
  );
  const { intent } = order;
  if (intent.kind !== "contract-creation") throw new TypeError(intent.kind);
  await check(intent.bytecode);
  const earlier = earlierDeployment(context, intent.bytecode);
  if (earlier !== undefined) return await untilDeployed(context, artifact.name, earlier);
  const details = [t`Implementation of a proxy, which has a review of its own afterwards`, ...order.details];
  const sent = await sendCode(context, { ...order, details });
  return sent && (await untilDeployed(context, artifact.name, { txId: sent.txId, owner: from }));
}

interface SentDeployment {
  readonly txId: TxId;
  readonly owner: Address;
}

/** Returns a deployment of this code from here that is in a block, or may still come into one. */
function earlierDeployment({ services, network }: ContractContext, code: Hex): SentDeployment | undefined {
  const { transactions, chains, keys } = services;
  const chain = { network: network.name, ...defined({ chain: chains.known(network) }) };
  const here = network.local ? keys.listOn(network).map(({ address }) => address) : undefined;
  for (const tracked of transactions.list()) {
    const { signed, txId, state } = tracked;
    if (signed?.intent.kind !== "contract-creation" || signed.intent.bytecode !== code) continue;
    const { owner } = signed.intent;
    const isOpen = state.kind === "pending" || state.kind === "unknown";
    if (!isSameChain(tracked, chain) || here?.includes(owner) === false) continue;
    if (isOpen || hasDeployed(tracked)) return { txId, owner };
  }
  return undefined;
}

async function untilDeployed(
  { services }: ContractContext,
  name: string,
  { txId, owner }: SentDeployment,
): Promise<Address> {
  const isEnded = ({ state }: TrackedTransaction): boolean => !["signed", "unknown", "pending"].includes(state.kind);
  const tracked = await whileWorking(t`Waiting until ${name} is deployed`, (signal) =>
    untilTracked(services.transactions, txId, isEnded, signal),
  );
  if (tracked === undefined) throw refused(t`the deployment of ${name} is no longer in the list`);
  if (hasDeployed(tracked)) return deployedContractAddress(txId, owner);
  throw refused(t`the deployment of ${name} did not succeed, see its page`);
}
