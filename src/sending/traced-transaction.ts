import type { NetworkProfile } from "@finality/client/gateway";
import { isTraceable, type TrackedTransaction } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import { parseTxId, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { FailureRecords } from "../host/local-chain/failure-records.ts";
import type { Networks } from "../host/networks/networks.ts";
import { chooseTransaction } from "./dialogs.ts";
import type { TransactionService } from "./transaction-service.ts";

/** Transaction whose run is known, with its network. */
export interface TracedTransaction {
  readonly txId: TxId;
  readonly network: NetworkProfile;
}

/** Services that find the run of a transaction. */
export interface TracedTransactionServices {
  readonly transactions: TransactionService;
  readonly networks: Pick<Networks, "find" | "active" | "list">;
  readonly failureRecords: () => Promise<FailureRecords>;
  readonly nameOf: NameOf;
  /** Returns the focused transaction of the list, or the selected ones if it is one of them. */
  readonly focused: () => Promise<readonly TxId[]>;
}

interface TransactionArgument {
  readonly txId?: string | undefined;
  readonly network?: string | undefined;
  readonly focused?: boolean | undefined;
}

/**
 * Returns a transaction of the local chain, or one with a recorded state, with its network; undefined if the user
 * cancels.
 *
 * @throws {ChainError} `TRACE_UNAVAILABLE` it is on another network and has no record; `LOCAL_CHAIN_STOPPED`
 */
export async function chooseTraced(
  services: TracedTransactionServices,
  { focused, network, ...argument }: TransactionArgument,
  title: string,
): Promise<TracedTransaction | undefined> {
  const { transactions, networks, nameOf } = services;
  const [first] = focused === true ? await services.focused() : [];
  const txId = argument.txId ?? first;
  const named = parseTxId(txId ?? "");
  await transactions.ready();
  const known = named === undefined ? undefined : transactions.get(named);
  if (named !== undefined && known === undefined) return { txId: named, network: localNetwork(services, network) };
  const recorded = await (await services.failureRecords()).recorded();
  const isOnLocalChain = (it: TrackedTransaction): boolean => networks.find(transactions.networkOf(it))?.local === true;
  const tracked = await chooseTransaction(transactions, txId === undefined ? {} : { txId }, {
    title,
    fits: (it) => isTraceable(it) && (isOnLocalChain(it) || recorded.has(it.txId)),
    forWhat: t`transactions of the local chain, or with a recorded state`,
    nameOf,
  });
  if (tracked === undefined) return undefined;
  const other = networks.find(transactions.networkOf(tracked));
  if (other !== undefined && !other.local && recorded.has(tracked.txId)) return { txId: tracked.txId, network: other };
  return { txId: tracked.txId, network: localNetwork(services, transactions.networkOf(tracked)) };
}

/** @throws {ChainError} `TRACE_UNAVAILABLE`, `LOCAL_CHAIN_STOPPED` */
export function localNetwork(
  { networks }: Pick<TracedTransactionServices, "networks">,
  name: string | undefined,
): NetworkProfile {
  const network = name === undefined ? networks.list().find(({ local }) => local) : networks.find(name);
  if (network?.local === true) return network;
  if (network === undefined) throw new ChainError("LOCAL_CHAIN_STOPPED", {});
  const reason = t`${network.name} serves no traces. Only transactions of the local chain can be traced`;
  throw new ChainError("TRACE_UNAVAILABLE", { reason });
}
