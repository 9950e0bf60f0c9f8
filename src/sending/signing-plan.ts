import { type Account, type NetworkProfile, requireWhole } from "@finality/client/gateway";
import {
  type AccountPermissions,
  authorityFor,
  isUsual,
  OWNER_ID,
  ownKeyAlone,
  type Permission,
  permissionsThatDo,
  type RefusedAuthority,
} from "@finality/client/permissions";
import { ChainError } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import { type Address, toBase58 } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { pickValue } from "../host/prompts/ask-account.ts";
import type { SigningKeys } from "../host/secrets/signing-keys.ts";
import {
  allowedText,
  authorityProblem,
  type KeysHere,
  permissionText,
  quorumText,
} from "../labels/permission-words.ts";
import type { Share } from "./intent-sender.ts";
import { mayBeSignedFor } from "./possible-signers.ts";

/** Which keys sign a transaction, and by which permission. */
export interface SigningPlan<I extends Intent = Intent> {
  /** With the permission that was chosen. */
  readonly intent: I;
  readonly permission: Permission;
  /** In the order in which they sign: as few as reach the threshold. */
  readonly signers: readonly Address[];
  /** Whether the account's own key alone decides over it. */
  readonly isUsual: boolean;
  /** The path that would tell who decides, where the gateway does not serve it; see `SigningWords`. */
  readonly untold?: string | undefined;
  readonly here: KeysHere;
}

/** What is to be signed, and where. */
export interface Signing<I extends Intent = Intent> {
  readonly network: NetworkProfile;
  readonly intent: I;
  readonly nameOf: NameOf;
  /** Others sign too: keys that are not enough by themselves are no reason to refuse. */
  readonly share?: Share | undefined;
  /** Nobody may sit in front of the screen: nothing is asked. */
  readonly unattended: boolean;
}

/** The keys that can sign on a network. */
export function keysHere(keys: Pick<SigningKeys, "listOn">, network: NetworkProfile, nameOf: NameOf): KeysHere {
  const signers = keys.listOn(network).filter(({ watchOnly }) => !watchOnly);
  return { ours: new Set(signers.map(({ address }) => address)), nameOf };
}

/**
 * Stops before anything is built for an account whose own key is not here, unless other keys have a part in it.
 *
 * @throws {ChainError} `SIGNING_KEY_MISSING`
 */
export function requirePart(
  keys: Pick<SigningKeys, "listOn">,
  network: NetworkProfile,
  owner: Address,
  account: Account | undefined,
): void {
  if (mayBeSignedFor(owner, account, keys.listOn(network))) return;
  throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(owner) });
}

/**
 * Decides who signs, by what the gateway says of the account: what it would not let pass is not signed. Where the
 * account's own key alone decides, nothing is asked. Where several permissions would do and none was named, a person
 * chooses.
 *
 * @param account - of the owner; absent when it is not activated
 * @returns undefined when the person left
 * @throws {ChainError} `SIGNING_KEY_MISSING`, `PERMISSION_REFUSED`, `WEIGHT_TOO_LOW`, `PATH_NOT_SERVED`
 */
export async function planSigning<I extends Intent>(
  keys: Pick<SigningKeys, "listOn">,
  signing: Signing<I>,
  account: Account | undefined,
): Promise<SigningPlan<I> | undefined> {
  const { network, intent, nameOf, unattended } = signing;
  const untold = account?.permissions === undefined ? account?.untold : undefined;
  // Its own key alone is assumed where the chain would refuse it otherwise; another permission is not made up.
  if (intent.permissionId !== undefined && intent.permissionId !== OWNER_ID) requireWholeAt(network, account);
  const permissions = account?.permissions ?? ownKeyAlone(intent.owner);
  const here = keysHere(keys, network, nameOf);
  const usual = isUsual(intent.owner, permissions);
  const mayChoose = !usual && !unattended && intent.permissionId === undefined;
  const chosen = mayChoose ? await choosePermission(permissions, intent, here) : intent.permissionId;
  if (chosen === "left") return undefined;
  const asked = chosen === undefined || chosen === intent.permissionId ? intent : { ...intent, permissionId: chosen };
  const authority = authorityFor(permissions, asked, here.ours);
  const collects = signing.share !== undefined && (authority.kind === "short" || authority.kind === "foreign");
  if (collects) {
    const signers = authority.kind === "short" ? authority.signers : [];
    return { intent: asked, permission: authority.permission, signers, isUsual: usual, untold, here };
  }
  if (authority.kind !== "enough") throw refusal(authority, { permissions, intent, here, usual });
  return { intent: asked, permission: authority.permission, signers: authority.signers, isUsual: usual, untold, here };
}

function requireWholeAt({ baseUrl: endpoint }: NetworkProfile, account: Account | undefined): void {
  requireWhole(account, { endpoint, purpose: t`the permissions of an account` });
}

/** @returns undefined where no permission would do, or the first one does and no other */
async function choosePermission(
  permissions: AccountPermissions,
  { kind }: Intent,
  here: KeysHere,
): Promise<number | undefined | "left"> {
  const fit = permissionsThatDo(permissions, kind, here.ours);
  const [only] = fit;
  if (only === undefined) return undefined;
  if (fit.length === 1) return only.id === OWNER_ID ? undefined : only.id;
  const items = fit.map((permission) => ({
    label: permissionText(permission),
    description: quorumText(permission, here),
    detail: t`Allows ${allowedText(permission)}`,
    value: permission.id,
  }));
  const place = { title: t`Permission`, step: 0, totalSteps: 0 };
  const picked = await pickValue(place, { placeholder: t`Sign by which permission?`, items });
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
  const reason = authorityProblem(authority, permissionsThatDo(permissions, intent.kind, here.ours), here);
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
