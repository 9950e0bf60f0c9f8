import { type Address, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { type KeysHere, permissionText, type SignatureWeight } from "../../labels/permissions.ts";
import type { PermissionRow } from "./permissions.view.ts";

/** Which signatures a transaction has and which it needs, as rows. */
export function signatureRows(found: SignatureWeight, here: KeysHere): readonly PermissionRow[] {
  const { permission, signers, missing } = found;
  const foreign = signers.filter((it) => permission?.keys.every(({ address }) => address !== it) ?? true);
  return [
    { label: weightText(found), detail: liveText(found) },
    { label: permission === undefined ? "" : t`Permission ${permissionText(permission)}`, isHeading: true },
    ...(permission?.keys ?? []).map(({ address, weight: own }) => {
      const has = signers.includes(address);
      const what = has ? t`signed` : missing.length > 0 ? t`has not signed` : t`not needed`;
      return keyRow(has ? "pass" : "circle-outline", address, t`${what} · weight ${String(own)}`, here);
    }),
    ...foreign.map((it) => keyRow("error", it, t`signed, and has no part in the permission: nobody takes it`, here)),
    ...(permission === undefined ? [{ label: t`$(error) The account has no such permission any more` }] : []),
  ];
}

function keyRow(icon: string, address: Address, what: string, here: KeysHere): PermissionRow {
  const name = here.nameOf(address);
  const key = here.ours.has(address) ? t` · key here` : "";
  const description = [what, ...(name === undefined ? [] : [toBase58(address)])].join(" · ");
  return { label: `$(${icon}) ${name ?? toBase58(address)}`, description: `${description}${key}` };
}

function weightText({ permission, weight, missing }: SignatureWeight): string {
  if (permission === undefined) return t`$(error) Nobody can sign it`;
  const { threshold } = permission;
  if (missing.length === 0 && weight >= threshold)
    return t`$(pass) Enough: weight ${String(weight)} of ${String(threshold)}`;
  return t`$(circle-outline) Weight ${String(weight)} of ${String(threshold)}: ${String(threshold - weight)} is missing`;
}

/** Returns the node's answer and how it differs from the computed weight. */
function liveText({ weight, permission, live, hasLeft }: SignatureWeight): string {
  const { refusal, threshold } = live;
  const other = threshold !== permission?.threshold || (hasLeft && live.weight !== weight);
  const needs = t`a weight of ${String(threshold ?? t`nothing`)}`;
  if (!hasLeft)
    return refusal === undefined || refusal.code === TOO_FEW
      ? t`The node wants ${needs}. It was not shown the signatures, for it could send them.`
      : t`The node says: ${refusalText(refusal)}.`;
  const said = refusal === undefined ? t`it is enough` : refusalText(refusal);
  return t`The node says: ${said}.${other ? t` It counts ${String(live.weight)} of ${needs}.` : ""}`;
}

const TOO_FEW = "NOT_ENOUGH_PERMISSION";

function refusalText({ code, message }: NonNullable<SignatureWeight["live"]["refusal"]>): string {
  if (code === TOO_FEW) return t`too few signatures yet`;
  return visibleLine(message, 200) || visibleLine(code, 60);
}
