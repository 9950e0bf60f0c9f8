import type { Account, Gateway, NetworkProfile } from "@finality/client/gateway";
import { hasOwnKey, ownKeyAlone } from "@finality/client/permissions";
import { ChainError } from "@finality/tron/errors";
import type { Address } from "@finality/tron/primitives";
import type { NetworkAccounts, SigningAccount } from "../host/secrets/signing-keys.ts";

interface KnownAccount {
  readonly address: Address;
  readonly watchOnly: boolean;
}

/**
 * Returns the accounts that can sign on a network, before any prompt.
 *
 * @param share - The transaction is exported, and others sign it elsewhere: then any account is possible.
 * @throws {ChainError} `SIGNING_ACCOUNT_MISSING`
 */
export function accountsToSign(
  keys: NetworkAccounts,
  network: NetworkProfile,
  share: boolean | undefined,
): readonly SigningAccount[] {
  const known = keys.listOn(network);
  const accounts = share === true ? known.map((it) => ({ ...it, watchOnly: false })) : known;
  if (accounts.some(({ watchOnly }) => !watchOnly)) return accounts;
  throw new ChainError("SIGNING_ACCOUNT_MISSING", { network: network.name });
}

/** Timeout of account requests for a list, ms. */
const WITHIN_MS = 3_000;

/**
 * Returns the accounts that keys here may sign for: by their own key or by a part in the permissions. Accounts without
 * an answer stay, because permissions are checked again before signing.
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
 * Returns whether local keys have a part in an account's permissions.
 *
 * @param account - Undefined if it is not activated: then its own key alone decides.
 */
export function mayBeSignedFor(
  owner: Address,
  account: Account | undefined,
  accounts: readonly KnownAccount[],
): boolean {
  const ours = new Set(accounts.filter(({ watchOnly }) => !watchOnly).map(({ address }) => address));
  return hasOwnKey(account?.permissions ?? ownKeyAlone(owner), ours);
}
