import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { Address } from "../../core/primitives/address.ts";
import { lookalikesOf, partiesOf } from "../../core/transaction/lookalike.ts";
import type { SigningKeys } from "../secrets/signing-keys.ts";
import type { TransactionDesk } from "./transaction-desk.ts";

interface Services {
  readonly desk: Pick<TransactionDesk, "list">;
  readonly keys: Pick<SigningKeys, "listOn">;
}

/** The accounts that a recipient could be taken for: those that were paid from here, whenever and on whatever network, and our own. */
export function lookalikesHere({ desk, keys }: Services, network: NetworkProfile, to: Address): readonly Address[] {
  const paid = desk.list().flatMap(({ signed }) => (signed === undefined ? [] : partiesOf(signed.intent)));
  return lookalikesOf(to, [...paid, ...keys.listOn(network).map(({ address }) => address)]);
}
