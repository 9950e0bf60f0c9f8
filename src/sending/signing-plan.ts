import { type Account, type NetworkProfile, requireCompleteAccount } from "@finality/client/gateway";
import { allowedText, authorityProblem, type KeysHere, permissionText, quorumText } from "@finality/client/labels";
import {
  type AccountPermissions,
  checkAuthority,
  isDefaultSetup,
  OWNER_ID,
  ownKeyAlone,
  permissionsAllowing,
  type RefusedAuthority,
} from "@finality/client/permissions";
import { ChainError } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import { type Address, toBase58 } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { pickValue } from "../host/prompts/quick-input.ts";
import type { NetworkAccounts } from "../host/secrets/signing-keys.ts";
import { mayBeSignedFor } from "./possible-signers.ts";
import type { ExportOptions, SigningChoice } from "./transaction-kind.ts";

/** Keys that sign a transaction, and how the account decides. */
export interface SigningPlan<I extends Intent = Intent> extends SigningChoice {
  /** Names the chosen permission. */
  readonly intent: I;
  /** Set if the account's own key alone controls it. */
  readonly isUsual: boolean;
  readonly here: KeysHere;
}

/** An intent to sign on a network. */
export interface SigningRequest<I extends Intent = Intent> {
  readonly network: NetworkProfile;
  readonly intent: I;
  readonly nameOf: NameOf;
  /** Set if others sign too: then keys here need not reach the threshold. */
  readonly exportOptions?: ExportOptions | undefined;
  /** No prompts. */
  readonly unattended: boolean;
}

/** Returns the keys that can sign on a network. */
export function keysHere(keys: NetworkAccounts, network: NetworkProfile, nameOf: NameOf): KeysHere {
  const signers = keys.listOn(network).filter(({ watchOnly }) => !watchOnly);
  return { ours: new Set(signers.map(({ address }) => address)), nameOf };
}

/**
 * Refuses an account whose own key is not here, unless keys here have a part in its permissions.
 *
 * @throws {ChainError} `SIGNING_KEY_MISSING`
 */
export function requirePart(
  keys: NetworkAccounts,
  network: NetworkProfile,
  owner: Address,
  account: Account | undefined,
): void {
  if (mayBeSignedFor(owner, account, keys.listOn(network))) return;
  throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(owner) });
}

/**
 * Chooses the permission and the keys that sign, by the account's permissions as the gateway reports them. If several
 * permissions fit and the intent names none, the user chooses. Returns undefined if the user cancels.
 *
 * @param account - of the owner; absent if it is not activated
 * @throws {ChainError} `SIGNING_KEY_MISSING`, `PERMISSION_REFUSED`, `WEIGHT_TOO_LOW`, `PATH_NOT_SERVED`
 */
export async function planSigning<I extends Intent>(
  keys: NetworkAccounts,
  signing: SigningRequest<I>,
  account: Account | undefined,
): Promise<SigningPlan<I> | undefined> {
  const { network, intent, nameOf, unattended } = signing;
  const missingPath = account?.permissions === undefined ? account?.missingPath : undefined;
  // If permissions are unknown, the own key is assumed: the chain refuses a wrong guess. Other permissions are not.
  if (intent.permissionId !== undefined && intent.permissionId !== OWNER_ID) requireWholeAt(network, account);
  const permissions = account?.permissions ?? ownKeyAlone(intent.owner);
  const here = keysHere(keys, network, nameOf);
  const usual = isDefaultSetup(intent.owner, permissions);
  const mayChoose = !usual && !unattended && intent.permissionId === undefined;
  const chosen = mayChoose ? await choosePermission(permissions, intent, here) : intent.permissionId;
  if (chosen === "left") return undefined;
  const plannedIntent =
    chosen === undefined || chosen === intent.permissionId ? intent : { ...intent, permissionId: chosen };
  const authority = checkAuthority(permissions, plannedIntent, here.ours);
  const collects = signing.exportOptions !== undefined && (authority.kind === "short" || authority.kind === "foreign");
  if (collects) {
    const signers = authority.kind === "short" ? authority.signers : [];
    return {
      intent: plannedIntent,
      permission: authority.permission,
      signers,
      isUsual: usual,
      missingPath: missingPath,
      here,
    };
  }
  if (authority.kind !== "enough") throw refusal(authority, { permissions, intent, here, usual });
  return {
    intent: plannedIntent,
    permission: authority.permission,
    signers: authority.signers,
    isUsual: usual,
    missingPath: missingPath,
    here,
  };
}

function requireWholeAt({ baseUrl: endpoint }: NetworkProfile, account: Account | undefined): void {
  requireCompleteAccount(account, { endpoint, purpose: t`the permissions of an account` });
}

/** Returns undefined if no permission fits, or the owner permission alone does. */
async function choosePermission(
  permissions: AccountPermissions,
  { kind }: Intent,
  here: KeysHere,
): Promise<number | undefined | "left"> {
  const fit = permissionsAllowing(permissions, kind, here.ours);
  const [only] = fit;
  if (only === undefined) return undefined;
  if (fit.length === 1) return only.id === OWNER_ID ? undefined : only.id;
  const items = fit.map((permission) => ({
    label: permissionText(permission),
    description: quorumText(permission, here),
    detail: t`Allows ${allowedText(permission)}`,
    value: permission.id,
  }));
  const step = { title: t`Permission`, step: 0, totalSteps: 0 };
  const picked = await pickValue(step, { placeholder: t`Sign with which permission?`, items });
  return picked.kind === "value" ? picked.value : "left";
}

interface Refused {
  readonly permissions: AccountPermissions;
  readonly intent: Intent;
  readonly here: KeysHere;
  readonly usual: boolean;
}

function refusal(authority: RefusedAuthority, { permissions, intent, here, usual }: Refused): ChainError {
  if (usual && authority.kind === "foreign")
    return new ChainError("SIGNING_KEY_MISSING", { address: toBase58(intent.owner) });
  const reason = authorityProblem(authority, permissionsAllowing(permissions, intent.kind, here.ours), here);
  if (authority.kind !== "short") return new ChainError("PERMISSION_REFUSED", { reason });
  const missing = authority.missing.map(({ address }) => toBase58(address));
  const { weight, permission } = authority;
  return new ChainError("WEIGHT_TOO_LOW", {
    reason,
    weight: `${weight}`,
    threshold: `${permission.threshold}`,
    missing,
  });
}
