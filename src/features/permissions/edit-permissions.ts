import { type AccountPermissions, type PermissionSet, permissionSetOf } from "@finality/client/permissions";
import type { Address } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { isUnattended } from "../../host/caller.ts";
import {
  type CommandArguments,
  malformedArgument,
  readAcknowledged,
  readParty,
  readPermissionId,
} from "../../host/commands/command-arguments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import { LOCK_OUT } from "../../sending/dialogs.ts";
import { exportOptionsOf } from "../../sending/export-file.ts";
import { accountsToSign, possibleSigners } from "../../sending/possible-signers.ts";
import { systemContract } from "../../sending/system-contract.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { readPermissionSet } from "./edit-arguments.ts";
import { askPermissionSet } from "./edit-steps.ts";
import {
  askAccount,
  type PermissionContext,
  type PermissionServices,
  permissionContext,
  readPermissions,
} from "./services.ts";

type Arguments = CommandArguments["finality.editPermissions"];

/**
 * Changes an account's permissions: prompts for missing values, then runs the send pipeline. Returns undefined if the
 * user cancels.
 *
 * @throws {ChainError} `LOCK_OUT_REFUSED`, `COMMAND_ARGUMENT_MALFORMED`, and what sending throws
 */
export async function editPermissions(
  services: PermissionServices,
  argument: Arguments,
): Promise<SentTransaction | undefined> {
  const context = await permissionContext(services, argument.network);
  accountsToSign(services.keys, context.network, argument.share);
  const acknowledgeLockOut = readLockOut(argument.lockOut);
  const permissionId = readPermissionId(argument.permissionId);
  const owner = await ownerOf(context, argument);
  if (owner === undefined) return undefined;
  const before = await readPermissions(context, owner);
  const after = await setFrom(context, argument, { owner, before });
  if (after === undefined) return undefined;
  const { label, acknowledgeUnknown } = argument;
  const isComplete = argument.permissions !== undefined && (argument.from ?? argument.address) !== undefined;
  const sender = await services.sender();
  return await sender.send(systemContract, {
    ...context,
    intent: { kind: "permission-update", owner, ...after, ...(permissionId !== undefined && { permissionId }) },
    label,
    expiresInMs: expirySeconds(argument.expirySeconds, services.keys.isOutside(owner)) * 1000,
    acknowledgeLockOut,
    unattended: isUnattended(isComplete),
    exportOptions: exportOptionsOf(argument),
    acknowledgeUnknown: acknowledgeUnknown && readAcknowledged(acknowledgeUnknown),
  });
}

async function ownerOf(context: PermissionContext, { from, address }: Arguments): Promise<Address | undefined> {
  const named = from ?? address;
  if (named !== undefined) return readParty("from", named, context.accounts);
  const accounts = await whileWorking(t`Reading the accounts`, (signal) =>
    possibleSigners(context.gateway, context.accounts, signal),
  );
  const none = t`Your keys belong to no other known account. Paste the address of one above.`;
  return await askAccount({ accounts }, t`Edit Permissions`, none);
}

/** Keeps the parts that the argument omits; without an argument the user edits the permissions. */
async function setFrom(
  context: PermissionContext,
  { permissions }: Arguments,
  { owner, before }: { readonly owner: Address; readonly before: AccountPermissions },
): Promise<PermissionSet | undefined> {
  if (permissions !== undefined) return readPermissionSet(permissions, { place: context, before });
  return await askPermissionSet({ place: context, owner, before }, permissionSetOf(before));
}

function readLockOut(text: string | undefined): boolean {
  if (text === undefined) return false;
  if (text === LOCK_OUT) return true;
  throw malformedArgument("lockOut", t`write "${LOCK_OUT}" to confirm that your keys lose control of the account`);
}
