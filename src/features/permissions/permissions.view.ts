import {
  type AccountPermissions,
  operationsIn,
  ownKeysIn,
  type Permission,
  signersFrom,
} from "@finality/client/permissions";
import { counted } from "@finality/tron/format";
import { nameText, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { allowedText, type KeysHere, operationText, permissionText, quorumText } from "../../labels/permissions.ts";

/** A row of the list that shows permissions; one with `edit` leads on. */
export interface PermissionRow {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Stands above what follows and cannot be chosen. */
  readonly isHeading?: true;
  readonly edit?: true;
}

/** Everything about who decides, as rows: each permission with who reaches it, its keys, and what it allows. */
export function permissionRows(permissions: AccountPermissions, here: KeysHere): readonly PermissionRow[] {
  const { owner, witness, actives } = permissions;
  return [
    ...rowsOf(t`Everything: owner (0)`, owner, here),
    ...(witness === undefined ? [] : rowsOf(t`Signs blocks: witness (1)`, witness, here)),
    ...actives.flatMap((it) => rowsOf(t`Active: ${permissionText(it)}`, it, here)),
    { label: "", isHeading: true },
    {
      label: t`$(edit) Edit Permissions…`,
      description: t`who decides, with a review before anything is signed`,
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
  ];
}

/** Returns what the keys here can sign. */
function reachText(permission: Permission, { ours }: KeysHere): string {
  const signers = signersFrom(permission, ours);
  if (signers !== undefined)
    return signers.length === 1
      ? ""
      : t`Keys here sign it with ${counted(signers.length, t`signature`, t`signatures`)}. `;
  return ownKeysIn(permission, ours).length === 0
    ? t`No key here has a part in it. `
    : t`Keys here do not reach it alone. `;
}

/** One permission, for programs. */
export interface ShownPermission {
  readonly id: number;
  readonly name: string;
  readonly threshold: string;
  readonly keys: readonly { readonly address: string; readonly weight: string; readonly here: boolean }[];
  /** Names of contract types; absent where it allows everything, or signs blocks. */
  readonly operations?: readonly string[];
  /** Set if keys here reach the threshold. */
  readonly reached: boolean;
}

/** The same for programs: everything as text and numbers. */
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
