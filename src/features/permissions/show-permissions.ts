import { type HttpGateway, requireCompleteAccount } from "@finality/client/gateway";
import type { SignatureWeight } from "@finality/client/labels";
import { transactionLabel } from "@finality/client/labels";
import { OWNER_ID, ownKeyAlone, signingPermissions, weightOf } from "@finality/client/permissions";
import type { SignedPart, TrackedTransaction } from "@finality/client/tracking";
import { shortAddress } from "@finality/tron/format";
import { toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram, ownClick } from "../../host/caller.ts";
import { type CommandArguments, readParty } from "../../host/commands/command-arguments.ts";
import { notify, whileWorking } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { chooseTransaction } from "../../sending/dialogs.ts";
import {
  type PermissionRow,
  permissionRows,
  type ShownPermission,
  shownPermission,
  signatureRows,
} from "./permissions.view.ts";
import { askAccount, type PermissionServices, permissionContext, readPermissions } from "./services.ts";

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
  const context = await permissionContext(services, argument.network);
  const named = argument.account ?? argument.address;
  const address =
    named === undefined
      ? await askAccount(
          context,
          t`Show Permissions`,
          t`No account is here, and no address has a name yet. Paste an address above.`,
        )
      : readParty("account", named, context.accounts);
  if (address === undefined) return undefined;
  const permissions = await readPermissions(context, address);
  const { owner, witness, actives } = permissions;
  const shown = (it: typeof owner): ShownPermission => shownPermission(it, context.here);
  if (!isCallOfProgram(raw)) {
    const title = t`Permissions of ${shortAddress(address, context.nameOf)} on ${context.network.name}`;
    const picked = await quickPick(permissionRows(permissions, context.here).map(itemOf), {
      title,
      placeHolder: t`Type to search; select the last row to edit`,
      matchOnDescription: true,
      matchOnDetail: true,
      ignoreFocusOut: true,
    });
    if (picked?.edit === true)
      await vscode.commands.executeCommand(
        "finality.editPermissions",
        ownClick({ network: context.network.name, address }),
      );
  }
  return {
    address: toBase58(address),
    owner: shown(owner),
    ...(witness === undefined ? {} : { witness: shown(witness) }),
    actives: actives.map(shown),
  };
}

/** Returns a row as a list item. */
function itemOf(row: PermissionRow): PermissionRow & vscode.QuickPickItem {
  const kind = row.isHeading === true ? vscode.QuickPickItemKind.Separator : vscode.QuickPickItemKind.Default;
  return { ...row, kind };
}

/** Returns the same data for programs. */
interface ShownSignatures {
  readonly txId: string;
  readonly signers: readonly string[];
  readonly weight: string;
  readonly threshold?: string;
  readonly missing: readonly { readonly address: string; readonly weight: string; readonly here: boolean }[];
  /** Weight that the node counts for the signatures. */
  readonly counted?: string;
}

/**
 * Shows which signatures a transaction has and needs, by the account's permissions and the node. Returns undefined if
 * the user cancels.
 */
export async function showSignatures(
  services: PermissionServices,
  argument: CommandArguments["finality.showSignatures"],
  raw: unknown,
): Promise<ShownSignatures | undefined> {
  const { transactions, keys } = services;
  const nameOf = keys.nameOf.bind(keys);
  const fits = ({ signed }: { readonly signed?: unknown }): boolean => signed !== undefined;
  const tracked = await chooseTransaction(transactions, argument, {
    title: t`Show Signatures`,
    fits,
    forWhat: t`transactions that were signed here`,
    nameOf,
  });
  if (tracked === undefined) return undefined;
  const { signed } = tracked;
  if (signed === undefined) {
    void notify("information", t`It was not signed here, so Finality does not have its signatures.`);
    return undefined;
  }
  const { gateway, here } = await permissionContext(services, transactions.networkOf(tracked));
  const found = await whileWorking(t`Checking signatures`, (signal) =>
    weighSignatures(gateway, tracked, signed, signal),
  );
  if (!isCallOfProgram(raw)) {
    const title = t`Signatures of ${transactionLabel(tracked, nameOf)}`;
    await quickPick(signatureRows(found, here).map(itemOf), {
      title,
      placeHolder: t`Signatures`,
      ignoreFocusOut: true,
    });
  }
  return shown(tracked.txId, found, here.ours);
}

function shown(txId: string, found: SignatureWeight, ours: ReadonlySet<string>): ShownSignatures {
  const { permission, signers, weight, missing, live, hasLeft } = found;
  return {
    txId,
    signers: signers.map(toBase58),
    weight: String(weight),
    ...(permission === undefined ? {} : { threshold: String(permission.threshold) }),
    missing: missing.map((it) => ({
      address: toBase58(it.address),
      weight: String(it.weight),
      here: ours.has(it.address),
    })),
    ...(hasLeft ? { counted: String(live.weight) } : {}),
  };
}

/**
 * Weighs the signatures of a tracked transaction by the account's permissions, and queries the node. Removes the
 * signatures of unsent bytes from the query, because a gateway could broadcast them.
 */
async function weighSignatures(
  gateway: HttpGateway,
  { txId, state }: Pick<TrackedTransaction, "txId" | "state">,
  { rawDataHex, signatures, intent }: Pick<SignedPart, "rawDataHex" | "signatures" | "intent">,
  signal: AbortSignal,
): Promise<SignatureWeight> {
  const signed = { txId, rawDataHex, signatures };
  const { checkSignedTransaction } = await import("../../host/secrets/lazy-signing.ts");
  const signers = checkSignedTransaction(signed);
  const account = await gateway.account(intent.owner, signal);
  requireCompleteAccount(account, { endpoint: gateway.endpoint, purpose: t`permissions of an account` });
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
