import type { JwtKeyRecord, NetworkProfile } from "@finality/client/gateway";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ownClick } from "../../host/caller.ts";
import type { CommandId } from "../../host/contributions.ts";
import { sayInStatusBar } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { chooseJwtNetwork, keyItems, publicKeyOf } from "./jwt-key-commands.ts";
import { lifetimeText } from "./jwt-keys.view.ts";
import type { CredentialServices } from "./services.ts";

interface Item extends vscode.QuickPickItem {
  readonly record?: JwtKeyRecord;
  readonly command?: CommandId;
}

/**
 * Shows the JWT keys of a network, and what can be done with them.
 *
 * @returns the records, for a program; undefined when the person left
 */
export async function listJwtKeys(
  services: CredentialServices,
  { network: name }: { readonly network?: string },
  asks: boolean,
): Promise<readonly JwtKeyRecord[] | undefined> {
  const network = await chooseJwtNetwork(services, name, t`JWT Keys`);
  if (network === undefined) return undefined;
  const records = await services.credentials.jwtKeys(network);
  if (asks) void chooseAct(services, network, records);
  return records;
}

async function chooseAct(services: CredentialServices, network: NetworkProfile, records: readonly JwtKeyRecord[]) {
  const lifetime = await services.credentials.jwtKeysOf(network)?.lifetime();
  const placeHolder =
    records.length === 0
      ? t`There is no key yet: no token can be made`
      : t`Choose a key to act on it, or what to do. The service keeps at most 3.`;
  const items: readonly Item[] = [
    ...(await keyItems(services, network, records)),
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    ...networkActs(records, lifetimeText(lifetime)),
  ];
  const picked = await quickPick(items, { title: t`JWT Keys of ${network.name}`, placeHolder });
  if (picked?.record !== undefined) return await actOn(services, network, picked.record);
  const row = { kind: "network", network: network.name };
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command, ownClick(row));
}

function networkActs(records: readonly JwtKeyRecord[], lifetime: string): readonly Item[] {
  const create: readonly Item[] = [
    { label: t`$(add) Create JWT Key…`, command: "finality.createJwtKey" },
    { label: t`$(file-symlink-file) Import JWT Key…`, command: "finality.importJwtKey" },
  ];
  if (records.length === 0) return create;
  const begun = records.some(({ replaces }) => replaces !== undefined);
  return [
    {
      label: t`$(sync) Rotate JWT Key…`,
      description: begun ? t`goes on where it was left` : t`a new key takes the place of the one in use`,
      command: "finality.rotateJwtKey",
    },
    { label: t`$(eye) Inspect Token`, command: "finality.inspectToken" },
    { label: t`$(watch) Set Token Lifetime…`, description: lifetime, command: "finality.setTokenLifetime" },
    ...create,
  ];
}

async function actOn(services: CredentialServices, network: NetworkProfile, record: JwtKeyRecord): Promise<void> {
  const use: Item = { label: t`$(pass) Use`, description: t`after a test`, command: "finality.useJwtKey" };
  const copy = { label: t`$(copy) Copy Public Key`, description: t`for the JWT page of the account` };
  const items: readonly Item[] = [
    ...(record.inUse || record.keyId === undefined ? [] : [use]),
    { label: t`$(edit) Rename, or Enter Its ID…`, command: "finality.renameJwtKey" },
    copy,
    { label: t`$(trash) Remove…`, command: "finality.removeJwtKey" },
  ];
  const picked = await quickPick(items, { title: record.name, placeHolder: t`What should be done?` });
  if (picked?.label === copy.label) {
    await vscode.env.clipboard.writeText(await publicKeyOf(services, network, record));
    sayInStatusBar("copy", t`The public key of ${record.name} is on the clipboard`, 5_000);
  }
  const row = { kind: "jwtKey", network: network.name, key: record.id };
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command, ownClick(row));
}
