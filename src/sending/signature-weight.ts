import { type Gateway, type HttpGateway, requireCompleteAccount } from "@finality/client/gateway";
import { OWNER_ID, ownKeyAlone, signingPermissions, weightOf } from "@finality/client/permissions";
import type { SignedPart, TrackedTransaction } from "@finality/client/tracking";
import { t } from "@vscode/l10n";
import type { SignatureWeight } from "../labels/permissions.ts";

/**
 * Weighs the signatures of a tracked transaction by the account's permissions, and asks the node. Unsent bytes go there
 * without signatures, because a gateway could broadcast them.
 */
export async function weighSignatures(
  gateway: Pick<Gateway, "account" | "endpoint"> & Pick<HttpGateway, "signWeight">,
  { txId, state }: Pick<TrackedTransaction, "txId" | "state">,
  { rawDataHex, signatures, intent }: Pick<SignedPart, "rawDataHex" | "signatures" | "intent">,
  signal: AbortSignal,
): Promise<SignatureWeight> {
  const signed = { txId, rawDataHex, signatures };
  const { checkSignedTransaction } = await import("../host/secrets/lazy-signing.ts");
  const signers = checkSignedTransaction(signed);
  const account = await gateway.account(intent.owner, signal);
  requireCompleteAccount(account, { endpoint: gateway.endpoint, purpose: t`who may sign for an account` });
  const permissions = account?.permissions ?? ownKeyAlone(intent.owner);
  const id = intent.permissionId ?? OWNER_ID;
  const permission = signingPermissions(permissions).find((it) => it.id === id);
  const weight = permission === undefined ? 0n : weightOf(permission, signers);
  const isShort = permission === undefined || weight < permission.threshold;
  const missing = isShort ? (permission?.keys ?? []).filter(({ address }) => !signers.includes(address)) : [];
  const hasLeft = state.kind !== "signed";
  const live = await gateway.signWeight(hasLeft ? signed : { ...signed, signatures: [] }, signal);
  return { permission, signers, weight, missing, live, hasLeft };
}
