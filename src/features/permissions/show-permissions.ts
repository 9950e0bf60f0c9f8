import { shortAddress } from "@finality/tron/format";
import { toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram, ownClick } from "../../host/caller.ts";
import { type CommandArguments, readParty } from "../../host/commands/command-arguments.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { permissionRows, type ShownPermission, shownPermission } from "./permissions.view.ts";
import { itemOf } from "./row-items.ts";
import { askAccount, type PermissionServices, placeOf, readPermissions } from "./services.ts";

/** Permissions of an account, as the gateway reports them. */
export interface ShownPermissions {
  readonly address: string;
  readonly owner: ShownPermission;
  readonly witness?: ShownPermission;
  readonly actives: readonly ShownPermission[];
}

/**
 * Shows an account's permissions: thresholds, keys with weights, and operations. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `ACCOUNT_NOT_ACTIVATED`
 */
export async function showPermissions(
  services: PermissionServices,
  argument: CommandArguments["finality.showPermissions"],
  raw: unknown,
): Promise<ShownPermissions | undefined> {
  const place = await placeOf(services, argument.network);
  const named = argument.account ?? argument.address;
  const address =
    named === undefined
      ? await askAccount(
          place,
          t`Show Permissions`,
          t`No account is here, and no address has a name yet. Paste an address above.`,
        )
      : readParty("account", named, place.accounts);
  if (address === undefined) return undefined;
  const permissions = await readPermissions(place, address);
  const { owner, witness, actives } = permissions;
  const shown = (it: typeof owner): ShownPermission => shownPermission(it, place.here);
  if (!isCallOfProgram(raw)) {
    const title = t`Permissions of ${shortAddress(address, place.nameOf)} on ${place.network.name}`;
    const picked = await quickPick(permissionRows(permissions, place.here).map(itemOf), {
      title,
      placeHolder: t`Type to search; Enter on the last row changes them`,
      matchOnDescription: true,
      matchOnDetail: true,
      ignoreFocusOut: true,
    });
    if (picked?.edit === true)
      await vscode.commands.executeCommand(
        "finality.editPermissions",
        ownClick({ network: place.network.name, address }),
      );
  }
  return {
    address: toBase58(address),
    owner: shown(owner),
    ...(witness === undefined ? {} : { witness: shown(witness) }),
    actives: actives.map(shown),
  };
}
