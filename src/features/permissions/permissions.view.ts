import {
  allowedText,
  type KeysHere,
  operationRows,
  operationText,
  permissionText,
  quorumText,
  type SignatureWeight,
} from "@finality/client/labels";
import {
  type AccountPermissions,
  operationsIn,
  ownKeysIn,
  type Permission,
  signersFrom,
} from "@finality/client/permissions";
import { counted, withoutStop } from "@finality/tron/format";
import { type Address, nameText, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Row that describes permissions; rows with `edit` open an editor. */
export interface PermissionRow {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Separator that cannot be selected. */
  readonly isHeading?: true;
  readonly edit?: true;
}

/** Returns all permissions as rows: who reaches each threshold, its keys, and its operations. */
export function permissionRows(permissions: AccountPermissions, here: KeysHere): readonly PermissionRow[] {
  const { owner, witness, actives } = permissions;
  return [
    ...rowsOf(t`Everything: owner (0)`, owner, here),
    ...(witness === undefined ? [] : rowsOf(t`Signs blocks: witness (1)`, witness, here)),
    ...actives.flatMap((it) => rowsOf(t`Active: ${permissionText(it)}`, it, here)),
    { label: "", isHeading: true },
    {
      label: t`$(edit) Edit Permissions…`,
      description: t`keys and thresholds, with a review before you sign`,
      edit: true,
    },
  ];
}

function rowsOf(title: string, permission: Permission, here: KeysHere): readonly PermissionRow[] {
  return [
    { label: title, isHeading: true },
    {
      label: t`$(law) Threshold ${String(permission.threshold)}`,
      description: t`signed by ${quorumText(permission, here)}`,
      detail: t`${reachText(permission, here)}Allows ${allowedText(permission)}`,
    },
    ...permission.keys.map(({ address, weight }): PermissionRow => {
      const name = here.nameOf(address);
      const isHere = here.ours.has(address);
      return {
        label: `$(${isHere ? "key" : "account"}) ${name ?? toBase58(address)}`,
        description: [
          t`weight ${String(weight)}`,
          ...(name === undefined ? [] : [toBase58(address)]),
          ...(isHere ? [] : [t`no key here`]),
        ].join(" · "),
      };
    }),
    ...(permission.operations === undefined ? [] : operationRows(permission.operations)).map(({ group, names }) => ({
      label: `$(check) ${group === "" ? t`other operations` : group}`,
      description: names.join(t`, `),
    })),
  ];
}

/** Describes what local keys can sign. */
function reachText(permission: Permission, { ours }: KeysHere): string {
  const signers = signersFrom(permission, ours);
  if (signers !== undefined)
    return signers.length === 1
      ? ""
      : t`Your keys can sign it with ${counted(signers.length, t`signature`, t`signatures`)}. `;
  return ownKeysIn(permission, ours).length === 0
    ? t`You have no key for it. `
    : t`Your keys do not reach the threshold. `;
}

/** Permission as returned to programs. */
export interface ShownPermission {
  readonly id: number;
  readonly name: string;
  readonly threshold: string;
  readonly keys: readonly { readonly address: string; readonly weight: string; readonly here: boolean }[];
  /** Names of contract types; undefined if it allows everything, or signs blocks. */
  readonly operations?: readonly string[];
  /** True if local keys reach the threshold. */
  readonly reached: boolean;
}

/** Returns the permissions for programs, as strings and numbers. */
export function shownPermission(permission: Permission, { ours }: KeysHere): ShownPermission {
  const { id, name, threshold, keys, operations } = permission;
  return {
    id,
    name: nameText(name),
    threshold: String(threshold),
    keys: keys.map((it) => ({
      address: toBase58(it.address),
      weight: String(it.weight),
      here: ours.has(it.address),
    })),
    ...(operations === undefined ? {} : { operations: operationsIn(operations).map(operationText) }),
    reached: signersFrom(permission, ours) !== undefined,
  };
}

/** Returns the present and the missing signatures of a transaction as rows. */
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
    ...foreign.map((it) => keyRow("error", it, t`signed, but is not in the permission: does not count`, here)),
    ...(permission === undefined ? [{ label: t`$(error) The account no longer has this permission` }] : []),
  ];
}

function keyRow(icon: string, address: Address, what: string, here: KeysHere): PermissionRow {
  const name = here.nameOf(address);
  const key = here.ours.has(address) ? t` · key here` : "";
  const description = [what, ...(name === undefined ? [] : [toBase58(address)])].join(" · ");
  return { label: `$(${icon}) ${name ?? toBase58(address)}`, description: `${description}${key}` };
}

function weightText({ permission, weight, missing }: SignatureWeight): string {
  if (permission === undefined) return t`$(error) No key can sign it`;
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
      ? t`The node requires ${needs}. It did not receive the signatures, because it could send them.`
      : t`Answer of the node: ${refusalText(refusal)}.`;
  const text = refusal === undefined ? t`it is enough` : refusalText(refusal);
  return t`Answer of the node: ${text}.${other ? t` It counts ${String(live.weight)} of ${needs}.` : ""}`;
}

const TOO_FEW = "NOT_ENOUGH_PERMISSION";

function refusalText({ code, message }: NonNullable<SignatureWeight["live"]["refusal"]>): string {
  if (code === TOO_FEW) return t`too few signatures yet`;
  return withoutStop(visibleLine(message, 200) || visibleLine(code, 60));
}
