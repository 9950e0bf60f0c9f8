import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { Address } from "../../core/primitives/address.ts";
import { lookalikesOf, partiesOf } from "../../core/transaction/lookalike.ts";
import type { SigningKeys } from "../secrets/signing-keys.ts";
import type { TransactionService } from "./transaction-service.ts";

interface Services {
  readonly transactions: Pick<TransactionService, "list">;
  readonly keys: Pick<SigningKeys, "listOn">;
}

/**
 * The accounts that a recipient could be taken for: those that were paid from here, whenever and on whatever network,
 * and our own.
 */
export function lookalikesHere(
  { transactions, keys }: Services,
  network: NetworkProfile,
  to: Address,
): readonly Address[] {
  const paid = transactions.list().flatMap(({ signed }) => (signed === undefined ? [] : partiesOf(signed.intent)));
  return lookalikesOf(to, [...paid, ...keys.listOn(network).map(({ address }) => address)]);
}
