import { isPlain, type NetworkProfile, originsOf } from "@finality/client/gateway";
import { isAlive } from "@finality/client/tracking";
import { isChainError } from "@finality/tron/errors";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { calledByProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { parseNetworkProfile } from "../../host/networks/network-settings.ts";
import { askAboutKeyId, isOtherKeyId } from "../../host/prompts/credential-prompts.ts";
import { askModal, confirmModal, passProgram, type Question } from "../../host/prompts/notify.ts";
import { chooseNetwork, inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import { boundOrigins, wordsFor } from "../../host/secrets/credential-origins.ts";
import { passPlainHttp } from "./ask-plain-http.ts";
import {
  type EditableFieldName,
  editableFields,
  type KeysOfNetwork,
  keysLine,
  type Redirection,
  redirectionOf,
  sentTo,
} from "./network.view.ts";
import type { NetworkServices } from "./services.ts";

type Edit = CommandArguments["finality.editNetwork"];
type EditServices = Pick<NetworkServices, "networks" | "credentials" | "plainHttp">;

/**
 * Changes a network: the fields that were told, or one after the other that the person picks. Whoever calls, the person
 * is asked before the keys of the network, or real money, go another way.
 *
 * @returns the network as it is now; undefined when the person left at once or did not want the change
 */
export async function editNetwork(services: EditServices, argument: Edit): Promise<NetworkProfile | undefined> {
  const { network: name, ...changes } = argument;
  const title = t`Edit Network`;
  const network = await chooseNetwork(services.networks, name, { title, fits: isEditable });
  if (network === undefined) return undefined;
  if (Object.keys(changes).length > 0) return save(services, network, changes);
  if (!(await passPlainHttp(services.plainHttp, network))) return undefined;
  return editFields(services, network);
}

/** The local chain is what it is. */
function isEditable({ local }: NetworkProfile): boolean {
  return !local;
}

async function editFields(services: EditServices, network: NetworkProfile): Promise<NetworkProfile> {
  const keys = await keysOf(services, network);
  const title = t`Edit ${network.name}`;
  const placeHolder = t`What should change? Escape ends.`;
  const items = [...editableFields(network), ...keysLine(keys)];
  const picked = await quickPick(items, { title, placeHolder });
  if (picked === undefined) return network;
  if (picked.field === "keys") {
    await bindKeys(services, network, keys);
    return editFields(services, network);
  }
  const value = await askValue(network, picked.field, picked.label);
  const next = value === undefined ? undefined : await save(services, network, { [picked.field]: value });
  return editFields(services, next ?? network);
}

/** @returns undefined when the person did not want it */
async function save(
  services: EditServices,
  network: NetworkProfile,
  changes: object,
): Promise<NetworkProfile | undefined> {
  const next = changed(network, changes);
  const redirection = redirectionOf(network, next, await keysOf(services, network), calledByProgram());
  const answer = redirection === undefined ? "change" : await askRedirection(redirection);
  if (
    answer === "leave" ||
    !(await mayChangeKeyId(services, network, next)) ||
    !(await passPlainHttp(services.plainHttp, next))
  )
    return undefined;
  if (answer === "change-with-keys") await services.credentials.bindToo(network, originsOf(next));
  if (next.keyId !== network.keyId) await services.credentials.setKeyIdInUse(network, next.keyId);
  await services.networks.save(next, network.name);
  return next;
}

/** The ID of the key in use changes after the question of *Rename JWT Key…*. */
async function mayChangeKeyId(
  { credentials }: EditServices,
  network: NetworkProfile,
  { keyId = "" }: NetworkProfile,
): Promise<boolean> {
  if (keyId === (network.keyId ?? "")) return true;
  const record = (await credentials.jwtKeys(network)).find(({ inUse }) => inUse);
  if (record !== undefined && isOtherKeyId(record, keyId)) return await askAboutKeyId(network, record, keyId);
  const question = { title: t`Change the ID (kid) of the JWT key of ${network.name}?`, detail: visibleLine(keyId) };
  return await passProgram(question, t`Change`);
}

type Answer = "leave" | "change" | "change-with-keys";

async function askRedirection({ title, detail, newOrigins }: Redirection): Promise<Answer> {
  const [change, send, without] = [t`Change`, t`Change and Send the Keys There`, t`Change Without the Keys`];
  const buttons = newOrigins.length === 0 ? [change] : [without, send];
  const chosen = await askModal("warning", { title, detail }, ...buttons);
  if (chosen === undefined) return "leave";
  return chosen === send ? "change-with-keys" : "change";
}

async function keysOf({ credentials }: EditServices, network: NetworkProfile): Promise<KeysOfNetwork> {
  const secrets = await credentials.of(network);
  return { words: wordsFor(secrets), origins: boundOrigins(secrets) };
}

/** For keys that were entered for another URL than one that the network has now. */
async function bindKeys(services: EditServices, network: NetworkProfile, keys: KeysOfNetwork): Promise<void> {
  const missing = originsOf(network).filter((it) => !keys.origins.includes(it) && !isPlain(new URL(it)));
  if (missing.length === 0) return;
  const title = t`Send the ${keys.words ?? ""} of ${network.name} to ${missing.join(t`, `)}?`;
  const detail = t`So far it is sent to ${sentTo(keys)}. Who answers there can use what is sent.`;
  const isWanted = await confirmModal({ title, detail }, t`Send There Too`);
  if (isWanted) await services.credentials.bindToo(network, missing);
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
  const prompt = field === "fallbackUrls" ? t`URLs, with blanks between them` : "";
  const typed = await inputBox({
    title,
    prompt,
    ignoreFocusOut: true,
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

/**
 * Forgets a network with its API key and JWT key.
 *
 * @returns its name; undefined when the person left
 */
export async function removeNetwork(
  { networks, credentials, transactions, plainHttp }: NetworkServices,
  { network: name }: CommandArguments["finality.removeNetwork"],
): Promise<{ readonly network: string } | undefined> {
  const network = await chooseNetwork(networks, name, { title: t`Remove Network`, fits: isEditable });
  if (network === undefined) return undefined;
  const keys = wordsFor(await credentials.of(network));
  const live = await liveOn(transactions, network.name);
  if (!(await confirmModal(questionOf(network.name, keys, live), t`Remove`))) return undefined;
  await networks.remove(network.name);
  await credentials.delete("apiKey", network.name);
  await credentials.delete("jwtKey", network.name);
  await plainHttp.forget(network.name);
  return { network: network.name };
}

/** How many transactions of a network may still be executed. */
async function liveOn(transactions: NetworkServices["transactions"], network: string): Promise<number> {
  await transactions.ready();
  return transactions.list().filter((it) => transactions.networkOf(it) === network && isAlive(it)).length;
}

function questionOf(network: string, keys: string | undefined, live: number): Question {
  const deleted =
    keys === undefined
      ? t`It has no API key and no JWT key. Signing keys stay.`
      : t`Its ${keys} is deleted too. Signing keys stay.`;
  const open = t`${live} of its transactions are not final: they stay in the list but cannot be followed.`;
  const title = t`Remove the network ${network}?`;
  return { title, detail: live === 0 ? deleted : `${deleted}\n\n${open}` };
}
