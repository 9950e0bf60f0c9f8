import * as vscode from "vscode";
import { isChainError } from "../../core/errors/chain-error.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import { chooseNetwork } from "../../host/choose-network.ts";
import type { CommandArguments } from "../../host/command-shapes.ts";
import { parseNetworkProfile } from "../../host/network-settings.ts";
import type { Networks } from "../../host/networks.ts";
import { type EditableFieldName, editableFields } from "./network.view.ts";

type Edit = CommandArguments["finality.editNetwork"];

/**
 * Changes a network: the fields that were told, or one after the other that the person picks.
 *
 * @returns the network as it is now; undefined when the person left at once
 */
export async function editNetwork(networks: Networks, told: Edit): Promise<NetworkProfile | undefined> {
  const { network: name, ...changes } = told;
  const network = await chooseNetwork(networks, name, { title: vscode.l10n.t("Edit Network"), fits: isEditable });
  if (network === undefined) return undefined;
  if (Object.keys(changes).length > 0) return save(networks, network, changes);
  return editFields(networks, network);
}

/** The local chain is what it is. */
export function isEditable({ local }: NetworkProfile): boolean {
  return !local;
}

async function editFields(networks: Networks, network: NetworkProfile): Promise<NetworkProfile> {
  const title = vscode.l10n.t("Edit {0}", network.name);
  const placeHolder = vscode.l10n.t("What should change? Escape ends.");
  const picked = await vscode.window.showQuickPick(editableFields(network), { title, placeHolder });
  if (picked === undefined) return network;
  const value = await askValue(network, picked.field, picked.label);
  return editFields(networks, value === undefined ? network : await save(networks, network, { [picked.field]: value }));
}

async function save(networks: Networks, network: NetworkProfile, changes: object): Promise<NetworkProfile> {
  const next = changed(network, changes);
  await networks.save(next, network.name);
  return next;
}

/** @throws {ChainError} `SETTING_MALFORMED` */
function changed(network: NetworkProfile, changes: object): NetworkProfile {
  const { local: _, ...fields } = network;
  return parseNetworkProfile({ ...fields, ...changes }, "network");
}

type FieldValue = string | boolean | readonly string[];

async function askValue(
  network: NetworkProfile,
  field: EditableFieldName,
  title: string,
): Promise<FieldValue | undefined> {
  const value = network[field] ?? "";
  if (typeof value === "boolean") return !value;
  const prompt = field === "fallbackUrls" ? vscode.l10n.t("URLs, with blanks between them") : "";
  const typed = await vscode.window.showInputBox({
    ...{ title, prompt, ignoreFocusOut: true },
    value: typeof value === "string" ? value : value.join(" "),
    validateInput: (text) => whyNot(network, field, fieldValue(field, text)),
  });
  return typed === undefined ? undefined : fieldValue(field, typed);
}

function fieldValue(field: EditableFieldName, text: string): FieldValue {
  return field === "fallbackUrls" ? text.split(/\s+/).filter((it) => it !== "") : text;
}

function whyNot(network: NetworkProfile, field: EditableFieldName, value: FieldValue): string | undefined {
  try {
    changed(network, { [field]: value });
    return undefined;
  } catch (error) {
    if (!isChainError(error)) throw error;
    return error.code === "SETTING_MALFORMED" ? error.details.reason : error.message;
  }
}
