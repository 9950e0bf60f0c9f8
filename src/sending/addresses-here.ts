import type { NetworkProfile } from "@finality/client/gateway";
import { type Deployment, deploymentsOn } from "@finality/client/tracking";
import type { Address } from "@finality/tron/primitives";
import { lookalikesOf, partiesOf } from "@finality/tron/transaction";
import type { Chains } from "../host/networks/chains.ts";
import type { SigningKeys } from "../host/secrets/signing-keys.ts";
import type { TransactionService } from "./transaction-service.ts";

interface LookalikeSources {
  readonly transactions: Pick<TransactionService, "list">;
  readonly keys: Pick<SigningKeys, "knownOn">;
}

/**
 * The accounts that a recipient could be taken for: those that were paid from here, whenever and on whatever network,
 * those of the address book, and our own.
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
  readonly keys: Pick<SigningKeys, "listOn">;
}

/**
 * The contracts that were deployed from here and are still there, the newest first. Each local chain has the same name
 * and ends with its contracts and accounts, while the journal keeps what was final: what an account of another one
 * deployed is gone.
 */
export function deploymentsHere(
  { transactions, chains, keys }: DeploymentSources,
  network: NetworkProfile,
): readonly Deployment[] {
  const chain = chains.known(network);
  const own = deploymentsOn(transactions.list(), { network: network.name, ...(chain === undefined ? {} : { chain }) });
  if (!network.local) return own;
  const here = new Set(keys.listOn(network).map(({ address }) => address));
  return own.filter(({ owner }) => here.has(owner));
}
