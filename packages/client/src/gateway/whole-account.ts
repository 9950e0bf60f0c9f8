import { ChainError } from "@finality/tron/errors";
import type { Account } from "./gateway.ts";

/**
 * Stops where a gateway does not tell all of an account: what is absent would be taken for nothing.
 *
 * @param account - undefined for one that is not activated: of that nothing is untold
 * @param asked - the URL that was asked, and what it is needed for: it completes "which is needed for …"
 * @throws {ChainError} `PATH_NOT_SERVED`
 */
export function requireWhole(
  account: Account | undefined,
  { endpoint, purpose }: { readonly endpoint: string; readonly purpose: string },
): void {
  if (account?.untold === undefined) return;
  throw new ChainError("PATH_NOT_SERVED", { endpoint, path: account.untold, purpose });
}
