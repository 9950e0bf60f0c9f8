import type { Account, Gateway, NetworkProfile } from "@finality/client/gateway";
import { hasOwnKey, ownKeyAlone } from "@finality/client/permissions";
import { ChainError } from "@finality/tron/errors";
import type { Address } from "@finality/tron/primitives";
import type { SigningAccount, SigningKeys } from "../host/secrets/signing-keys.ts";

interface KnownAccount {
  readonly address: Address;
  readonly watchOnly: boolean;
}

/**
 * The accounts of a network, for who wants to sign there. It comes before every question: nobody answers five of them to
 * read that nothing can come of it.
 *
 * @param share - it leaves as a file, and whoever has the keys signs elsewhere: then each account can
 * @throws {ChainError} `SIGNING_ACCOUNT_MISSING`
 */
export function accountsToSign(
  keys: Pick<SigningKeys, "listOn">,
  network: NetworkProfile,
  share: boolean | undefined,
): readonly SigningAccount[] {
  const known = keys.listOn(network);
  const accounts = share === true ? known.map((it) => ({ ...it, watchOnly: false })) : known;
  if (accounts.some(({ watchOnly }) => !watchOnly)) return accounts;
  throw new ChainError("SIGNING_ACCOUNT_MISSING", { network: network.name });
}

/** How long a list waits for what it can do without, ms. */
const WITHIN_MS = 3_000;

/**
 * The accounts for which keys here may sign: with the account's own key, or with a part in its permissions. One that the
 * gateway does not tell in time stays: what it says is looked at again before anything is signed.
 */
export async function possibleSigners<A extends KnownAccount>(
  gateway: Pick<Gateway, "account">,
  accounts: readonly A[],
  cancelled: AbortSignal,
): Promise<readonly A[]> {
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(WITHIN_MS)]);
  const fits = await Promise.all(
    accounts.map(async ({ address, watchOnly }) => {
      if (!watchOnly) return true;
      const account = await gateway.account(address, signal).catch(() => "unknown" as const);
      return account === "unknown" || mayBeSignedFor(address, account, accounts);
    }),
  );
  return accounts.filter((_, index) => fits[index]);
}

/**
 * Whether keys here have a part in an account, as the gateway tells it.
 *
 * @param account - absent when it is not activated: then its own key alone decides
 */
export function mayBeSignedFor(
  owner: Address,
  account: Account | undefined,
  accounts: readonly KnownAccount[],
): boolean {
  const ours = new Set(accounts.filter(({ watchOnly }) => !watchOnly).map(({ address }) => address));
  return hasOwnKey(account?.permissions ?? ownKeyAlone(owner), ours);
}
