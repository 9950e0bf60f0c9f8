import type { NetworkProfile } from "@finality/client/gateway";
import { type Deployment, deploymentsOn } from "@finality/client/tracking";
import type { Chains } from "@finality/node/chains";
import type { Address } from "@finality/tron/primitives";
import { defined } from "@finality/tron/primitives";
import { lookalikesOf, partiesOf } from "@finality/tron/transaction";
import type { NetworkAccounts, SigningKeys } from "../host/secrets/signing-keys.ts";
import type { TransactionService } from "./transaction-service.ts";

interface LookalikeSources {
  readonly transactions: Pick<TransactionService, "list">;
  readonly keys: Pick<SigningKeys, "knownOn">;
}

/**
 * Returns accounts whose address looks like the recipient's: earlier recipients on any network, the address book and
 * own accounts.
 */
export function lookalikesHere(
  { transactions, keys }: LookalikeSources,
  network: NetworkProfile,
  to: Address,
): readonly Address[] {
  const paid = transactions.list().flatMap(({ signed }) => (signed === undefined ? [] : partiesOf(signed.intent)));
  return lookalikesOf(to, [...paid, ...keys.knownOn(network).map(({ address }) => address)]);
}

interface DeploymentSources {
  readonly transactions: Pick<TransactionService, "list">;
  readonly chains: Pick<Chains, "known">;
  readonly keys: NetworkAccounts;
}

/**
 * Returns the contracts that were deployed from here and still exist, newest first. Local chains share a name, so
 * contracts of earlier local chains are left out.
 */
export function deploymentsHere(
  { transactions, chains, keys }: DeploymentSources,
  network: NetworkProfile,
): readonly Deployment[] {
  const chain = chains.known(network);
  const own = deploymentsOn(transactions.list(), { network: network.name, ...defined({ chain }) });
  if (!network.local) return own;
  const here = new Set(keys.listOn(network).map(({ address }) => address));
  return own.filter(({ owner }) => here.has(owner));
}
