import { ChainError } from "@finality/tron/errors";
import type { Address } from "@finality/tron/primitives";
import type { Gateway } from "../gateway/gateway.ts";
import { authorityProblem } from "../labels/permissions.ts";
import { checkAuthority } from "../permissions/permission-change.ts";
import { ownKeyAlone } from "../permissions/permissions.ts";
import type { NewRow } from "./run-store.ts";

/**
 * Requires that the own key of the paying account alone may sign each row.
 *
 * @throws {ChainError} `PERMISSION_REFUSED`, and the errors of the gateway
 */
export async function requireRunAuthority(
  gateway: Pick<Gateway, "account">,
  owner: Address,
  rows: readonly NewRow[],
): Promise<void> {
  const account = await gateway.account(owner);
  const permissions = account?.permissions ?? ownKeyAlone(owner);
  const here = { ours: new Set([owner]), nameOf: () => undefined };
  const kinds = new Map(rows.map(({ intent }) => [intent.kind, intent]));
  for (const intent of kinds.values()) {
    const authority = checkAuthority(permissions, intent, here.ours);
    if (authority.kind !== "enough")
      throw new ChainError("PERMISSION_REFUSED", { reason: authorityProblem(authority, [], here) });
  }
}
