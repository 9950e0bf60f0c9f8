import { type Clock, type JwtKeyRecord, type NetworkProfile, type OriginBound, within } from "@finality/client/gateway";
import { ChainError, isChainError } from "@finality/tron/errors";
import { cleanLabel, defined, labelFault } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ownClick } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { CommandId } from "../../host/contributions.ts";
import { askLocalChain } from "../../host/local-chain/local-chain-process.ts";
import type { Gateways } from "../../host/networks/gateways.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { confirmKeyIdChange, isOtherKeyId, originsToBind } from "../../host/prompts/credential-prompts.ts";
import { confirmForProgram, confirmModal, notify, showStatusMessage, whileWorking } from "../../host/prompts/notify.ts";
import { chooseNetwork, inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import type { NetworkCredentials } from "../../host/secrets/network-credentials.ts";
import { askJwtKey } from "./ask-jwt-key.ts";
import { accountSteps, describeKey, lifetimeText, proposedName } from "./jwt-keys.view.ts";

export interface JwtKeyServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Networks;
  readonly gateways: Gateways;
  readonly credentials: NetworkCredentials;
  readonly clock: Clock;
}

/** Result of the commands of JWT keys. It never contains the private key. */
export interface JwtKeyResult {
  readonly network: string;
  /** Name of its record. */
  readonly key: string;
  readonly publicKeyPem: string;
  /** Undefined until the service has assigned it. */
  readonly keyId?: string;
  readonly inUse: boolean;
}

/** Name of the secret in the prompt for its origins. */
const JWT_LABEL = t`tokens of the JWT key`;

const TITLE = t`Create JWT Key`;

/**
 * Generates an RSA key for the tokens of a network and copies its public key. Returns undefined if the user cancels.
 */
export async function createJwtKey(
  services: JwtKeyServices,
  argument: CommandArguments["finality.createJwtKey"],
  canPrompt: boolean,
): Promise<JwtKeyResult | undefined> {
  const network = await chooseJwtNetwork(services, argument.network, TITLE);
  const origins = network && (await originsToBind(network, JWT_LABEL));
  if (network === undefined || origins === undefined) return undefined;
  const named = await nameOf(services, network, argument.name);
  const name =
    canPrompt && argument.name === undefined ? await askName(services, network, TITLE, { name: named }) : named;
  if (name === undefined) return undefined;
  const { generateJwtKey } = await import("../../host/networks/lazy-gateway.ts");
  const { privateKeyPem, publicKeyPem } = await whileWorking(t`Creating the key`, generateJwtKey);
  const keyId = network.local ? await registerAtLocalChain(network, name, publicKeyPem) : argument.keyId;
  const record = await add(services, network, { value: privateKeyPem, origins }, { name, keyId });
  if (canPrompt) await vscode.env.clipboard.writeText(publicKeyPem);
  const enteredId = canPrompt && keyId === undefined ? await askKeyId(accountSteps(network, record.name)) : undefined;
  const known = enteredId === undefined ? record : await setKeyId(services, network, record, enteredId);
  await useTokens(services, network, known);
  if (canPrompt && !known.inUse) await proposeUse(services, network, known);
  return resultOf(network, known, publicKeyPem);
}

/** Stores an RSA key that is registered with the service. Returns undefined if the user cancels. */
export async function importJwtKey(
  services: JwtKeyServices,
  argument: CommandArguments["finality.importJwtKey"],
): Promise<JwtKeyResult | undefined> {
  const title = t`Import JWT Key`;
  const network = await chooseJwtNetwork(services, argument.network, title);
  if (network === undefined) return undefined;
  const canPrompt = argument.privateKeyPem === undefined;
  const key = await askJwtKey(title, argument);
  const origins = key && (await originsToBind(network, JWT_LABEL));
  if (key === undefined || origins === undefined) return undefined;
  const bound = { value: key.privateKeyPem, origins };
  const known = await sameKey(services, network, bound.value);
  const record =
    known ?? (await add(services, network, bound, { name: await nameOf(services, network, argument.name) }));
  const proposed = argument.keyId ?? record.keyId ?? network.keyId;
  const keyId = canPrompt ? await askKeyId(idBeside(record.name), proposed) : argument.keyId;
  const entered = keyId === undefined ? record : await setKeyId(services, network, record, keyId);
  await useTokens(services, network, entered);
  if (canPrompt && !entered.inUse) await proposeUse(services, network, entered);
  return resultOf(network, entered, key.publicKeyPem);
}

/** Renames a record, or sets the ID that the service assigned. Returns undefined if the user cancels. */
export async function renameJwtKey(
  services: JwtKeyServices,
  argument: CommandArguments["finality.renameJwtKey"],
): Promise<JwtKeyResult | undefined> {
  const title = t`Rename JWT Key`;
  const chosen = await chooseJwtKey(services, argument, title);
  if (chosen === undefined) return undefined;
  const { network, record } = chosen;
  const canPrompt = argument.name === undefined && argument.keyId === undefined;
  const name = canPrompt ? await askName(services, network, title, record) : (argument.name ?? record.name);
  if (name === undefined) return undefined;
  const checked = await checkedName(services, network, name, record);
  const keyId = canPrompt ? await askKeyId(idBeside(checked), record.keyId) : argument.keyId;
  if (!(await mayRename(network, record, checked, keyId?.trim()))) return undefined;
  await services.credentials.jwtKeysOf(network)?.change(record, { name: checked });
  const named = { ...record, name: checked };
  const known = keyId === undefined ? named : await setKeyId(services, network, named, keyId);
  await writeKeyIdSetting(services, network, known);
  return resultOf(network, known, await publicKeyOf(services, network, known));
}

/** Makes requests use tokens of another record. Returns undefined if the user cancels. */
export async function useJwtKey(
  services: JwtKeyServices,
  argument: CommandArguments["finality.useJwtKey"],
): Promise<JwtKeyResult | undefined> {
  const chosen = await chooseJwtKey(services, argument, t`Use JWT Key`);
  if (chosen === undefined) return undefined;
  const { network, record } = chosen;
  if (record.keyId === undefined) throw new ChainError("JWT_SETTING_MISSING", { setting: "key ID (kid)" });
  if (!record.inUse) {
    const trying = t`Testing the JWT key of ${network.name}`;
    await whileWorking(trying, (signal) => tryKey(services, network, record, signal));
    const title = t`Use the JWT key “${record.name}” for ${network.name}?`;
    const detail = t`The gateway accepts it. Requests use its tokens from now on; the other key is kept.`;
    if (!network.local && !(await confirmModal({ title, detail }, t`Use`))) return undefined;
    await services.credentials.jwtKeysOf(network)?.use(record.id);
  }
  const question = { title: t`Use tokens of the JWT key “${record.name}” for ${network.name}?` };
  if (record.inUse && !network.local && !(await confirmForProgram(question, t`Use`))) return undefined;
  const used = { ...record, inUse: true };
  await useTokens(services, network, used);
  return resultOf(network, used, await publicKeyOf(services, network, record));
}

/**
 * Deletes a record with its private key. `confirmed` applies to the local chain only: any other key may be the only
 * one that the service accepts. Returns undefined if the user cancels.
 */
export async function removeJwtKey(
  services: JwtKeyServices,
  argument: CommandArguments["finality.removeJwtKey"],
): Promise<{ readonly network: string; readonly key: string } | undefined> {
  const chosen = await chooseJwtKey(services, argument, t`Remove JWT Key`);
  if (chosen === undefined) return undefined;
  const { network, record } = chosen;
  const title = t`Remove the JWT key “${record.name}” of ${network.name}?`;
  const consequence = t`Its private key is deleted. Its record in the account remains: remove it there too.`;
  const used = t`It is in use: the gateway drops every request until another key is used.`;
  const detail = record.inUse ? `${used}\n\n${consequence}` : consequence;
  const isFree = network.local && argument.confirmed === true;
  if (!isFree && !(await confirmModal({ title, detail }, t`Remove`))) return undefined;
  await forgetAtLocalChain(network, record);
  await services.credentials.jwtKeysOf(network)?.remove(record.id);
  return { network: network.name, key: record.name };
}

/**
 * Chooses a network that uses tokens. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `JWT_NOT_ASKED`, `NETWORK_UNKNOWN`, `NETWORK_NOT_ADDED`
 */
export async function chooseJwtNetwork(
  { networks }: JwtKeyServices,
  name: string | undefined,
  title: string,
): Promise<NetworkProfile | undefined> {
  const fits = ({ local, jwt }: NetworkProfile): boolean => !local || jwt;
  // For a local chain only, reports its own reason instead of a missing network.
  const chosen = name ?? (networks.list().some(fits) ? undefined : networks.local?.name);
  const network = await chooseNetwork(networks, chosen, { title, fits });
  if (network === undefined || fits(network)) return network;
  throw new ChainError("JWT_NOT_ASKED", { network: network.name });
}

/** Returns the JWT keys of a network. @throws {ChainError} `JWT_KEY_MISSING` if it has none */
export async function someJwtKeys(
  { credentials }: JwtKeyServices,
  network: NetworkProfile,
): Promise<readonly JwtKeyRecord[]> {
  const records = await credentials.jwtKeys(network);
  if (records.length > 0) return records;
  throw new ChainError("JWT_KEY_MISSING", { network: network.name });
}

interface ChosenKey {
  readonly network: NetworkProfile;
  readonly record: JwtKeyRecord;
}

/**
 * Finds a record by name or ID, or prompts for one. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `JWT_KEY_MISSING`, `JWT_KEY_UNKNOWN`
 */
async function chooseJwtKey(
  services: JwtKeyServices,
  { network: of, key }: { readonly network?: string; readonly key?: string },
  title: string,
): Promise<ChosenKey | undefined> {
  const network = await chooseJwtNetwork(services, of, title);
  if (network === undefined) return undefined;
  const records = await someJwtKeys(services, network);
  if (key !== undefined) {
    const record = records.find((it) => it.id === key) ?? records.find((it) => it.name === key);
    if (record === undefined) throw new ChainError("JWT_KEY_UNKNOWN", { network: network.name, key });
    return { network, record };
  }
  const items = await keyItems(services, network, records);
  const picked = await quickPick(items, { title, placeHolder: t`Which key?` });
  return picked && { network, record: picked.record };
}

/** Returns the records as list items. */
async function keyItems({ credentials }: JwtKeyServices, network: NetworkProfile, records: readonly JwtKeyRecord[]) {
  const keys = credentials.jwtKeysOf(network);
  const nowhere = { origins: [] };
  return await Promise.all(
    records.map(async (record) => ({ ...describeKey(record, (await keys?.privateKey(record.id)) ?? nowhere), record })),
  );
}

/** @throws {ChainError} `JWT_KEYS_FULL` */
async function add(
  { credentials }: JwtKeyServices,
  network: NetworkProfile,
  key: OriginBound<string>,
  { name, keyId = "" }: { readonly name: string; readonly keyId?: string | undefined },
): Promise<JwtKeyRecord> {
  const id = keyId.trim();
  const added = await credentials.jwtKeysOf(network)?.add(key, { name, ...(id === "" ? {} : { keyId: id }) });
  if (added === undefined) throw new ChainError("NETWORK_UNKNOWN", { network: network.name });
  return added;
}

/** The ID is opaque; an empty one leaves the record unchanged. */
export async function setKeyId(
  { credentials }: JwtKeyServices,
  network: NetworkProfile,
  record: JwtKeyRecord,
  typed: string,
): Promise<JwtKeyRecord> {
  const keyId = typed.trim();
  if (keyId === "") return record;
  await credentials.jwtKeysOf(network)?.change(record, { keyId });
  return { ...record, keyId };
}

/** Enables tokens for the network if this key is in use. */
async function useTokens(services: JwtKeyServices, network: NetworkProfile, record: JwtKeyRecord): Promise<void> {
  if (!network.local && record.inUse) await writeKeyIdSetting(services, { ...network, jwt: true }, record);
}

/** Copies the ID of the key in use to the settings. The record remains authoritative. */
export async function writeKeyIdSetting(
  { networks }: JwtKeyServices,
  network: NetworkProfile,
  { inUse, keyId }: JwtKeyRecord,
): Promise<void> {
  if (network.local || !inUse) return;
  await networks.save({ ...network, ...defined({ keyId }) }, network.name);
}

export async function publicKeyOf(
  { credentials }: JwtKeyServices,
  network: NetworkProfile,
  { id, name }: JwtKeyRecord,
): Promise<string> {
  const key = await credentials.jwtKeysOf(network)?.privateKey(id);
  if (key === undefined) throw new ChainError("JWT_KEY_UNKNOWN", { network: network.name, key: name });
  const { parseJwtKey } = await import("../../host/networks/lazy-gateway.ts");
  return parseJwtKey(key.value).publicKeyPem;
}

export function resultOf({ name }: NetworkProfile, record: JwtKeyRecord, publicKeyPem: string): JwtKeyResult {
  const { name: key, keyId, inUse } = record;
  return { network: name, key, publicKeyPem, ...defined({ keyId }), inUse };
}

/** A key may be imported again to set its ID. */
async function sameKey(
  { credentials }: JwtKeyServices,
  network: NetworkProfile,
  privateKeyPem: string,
): Promise<JwtKeyRecord | undefined> {
  for (const record of await credentials.jwtKeys(network)) {
    if ((await credentials.jwtKeysOf(network)?.privateKey(record.id))?.value === privateKeyPem) return record;
  }
  return undefined;
}

/** Returns the given name if it is valid, or else a free one. @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
async function nameOf(services: JwtKeyServices, network: NetworkProfile, name: string | undefined): Promise<string> {
  if (name !== undefined) return await checkedName(services, network, name);
  return proposedName(await services.credentials.jwtKeys(network));
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
async function checkedName(
  { credentials }: JwtKeyServices,
  network: NetworkProfile,
  name: string,
  self?: JwtKeyRecord,
): Promise<string> {
  const others = (await credentials.jwtKeys(network)).filter(({ id }) => id !== self?.id);
  const fault = whyNoName(name, others);
  if (fault !== undefined) throw malformedArgument("name", fault);
  return cleanLabel(name);
}

function whyNoName(text: string, others: readonly JwtKeyRecord[]): string | undefined {
  const taken = others.map(({ name }) => name);
  switch (labelFault(text, taken)) {
    case "empty":
      return t`a key needs a name`;
    case "unseen":
      return t`it has characters that cannot be seen; type the name again`;
    case "taken":
      return t`another key has this name, or one that looks like it`;
    case undefined:
      return undefined;
  }
}

/** Prompts for the name of a key record; `id` is absent for a new record. Returns undefined if the user cancels. */
async function askName(
  { credentials }: JwtKeyServices,
  network: NetworkProfile,
  title: string,
  { id, name }: { readonly id?: string; readonly name: string },
): Promise<string | undefined> {
  const others = (await credentials.jwtKeys(network)).filter((other) => other.id !== id);
  const typed = await inputBox({
    title,
    ignoreFocusOut: true,
    value: name,
    prompt: t`Name of the key record. Use the name that it has in your account.`,
    validateInput: (text) => whyNoName(text, others),
  });
  return typed === undefined ? undefined : cleanLabel(typed);
}

/** Prompts for a key ID. Returns undefined if the user cancels. */
export function askKeyId(prompt: string, value = ""): Thenable<string | undefined> {
  return inputBox({
    title: t`ID of the JWT Key (kid)`,
    ignoreFocusOut: true,
    value,
    placeHolder: t`ID (kid)`,
    prompt,
  });
}

function idBeside(name: string): string {
  return t`The ID (kid) that the JWT page of your account shows beside the key “${name}”`;
}

async function mayRename(
  network: NetworkProfile,
  record: JwtKeyRecord,
  name: string,
  keyId: string | undefined,
): Promise<boolean> {
  if (network.local) return true;
  if (record.inUse && keyId !== undefined && isOtherKeyId(record, keyId))
    return await confirmKeyIdChange(network, record, keyId);
  const detail = [
    `${record.name} → ${name}`,
    ...(keyId === undefined ? [] : [`${record.keyId ?? ""} → ${keyId}`]),
  ].join("\n");
  const title = t`Rename the JWT key “${record.name}” of ${network.name}?`;
  return await confirmForProgram({ title, detail }, t`Rename`);
}

/** Offers to use the new key, without waiting for the answer. */
async function proposeUse({ credentials }: JwtKeyServices, network: NetworkProfile, record: JwtKeyRecord) {
  const other = (await credentials.jwtKeys(network)).find(({ inUse }) => inUse)?.name ?? "";
  void offerUse(network, record, t`“${record.name}” is stored. ${network.name} still uses “${other}”.`);
}

async function offerUse(network: NetworkProfile, record: JwtKeyRecord, message: string): Promise<void> {
  const use = t`Use It`;
  if ((await notify("information", message, use)) !== use) return;
  await vscode.commands.executeCommand(
    "finality.useJwtKey",
    ownClick({ kind: "jwtKey", network: network.name, key: record.id }),
  );
}

interface Item extends vscode.QuickPickItem {
  readonly record?: JwtKeyRecord;
  readonly command?: CommandId;
}

/** Lists the JWT keys of a network with their actions. Returns the records, or undefined if the user cancels. */
export async function listJwtKeys(
  services: JwtKeyServices,
  { network: name }: { readonly network?: string },
  canPrompt: boolean,
): Promise<readonly JwtKeyRecord[] | undefined> {
  const network = await chooseJwtNetwork(services, name, t`JWT Keys`);
  if (network === undefined) return undefined;
  const records = await services.credentials.jwtKeys(network);
  if (canPrompt) void chooseAct(services, network, records);
  return records;
}

async function chooseAct(services: JwtKeyServices, network: NetworkProfile, records: readonly JwtKeyRecord[]) {
  const lifetime = await services.credentials.jwtKeysOf(network)?.lifetime();
  const placeholder =
    records.length === 0
      ? t`There is no key yet: no token can be created`
      : t`Choose a key or an action. The service allows at most 3 keys.`;
  const items: readonly Item[] = [
    ...(await keyItems(services, network, records)),
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    ...networkActs(records, lifetimeText(lifetime)),
  ];
  const picked = await quickPick(items, { title: t`JWT Keys of ${network.name}`, placeHolder: placeholder });
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
      description: begun ? t`continues the rotation` : t`creates a key and replaces the one in use`,
      command: "finality.rotateJwtKey",
    },
    { label: t`$(eye) Inspect Token`, command: "finality.inspectToken" },
    { label: t`$(watch) Set Token Lifetime…`, description: lifetime, command: "finality.setTokenLifetime" },
    ...create,
  ];
}

async function actOn(services: JwtKeyServices, network: NetworkProfile, record: JwtKeyRecord): Promise<void> {
  const use: Item = { label: t`$(pass) Use`, description: t`after a test`, command: "finality.useJwtKey" };
  const copy = { label: t`$(copy) Copy Public Key`, description: t`for the JWT page of the account` };
  const items: readonly Item[] = [
    ...(record.inUse || record.keyId === undefined ? [] : [use]),
    { label: t`$(edit) Rename, or Enter Its ID…`, command: "finality.renameJwtKey" },
    copy,
    { label: t`$(trash) Remove…`, command: "finality.removeJwtKey" },
  ];
  const picked = await quickPick(items, { title: record.name, placeHolder: t`Which action?` });
  if (picked?.label === copy.label) {
    await vscode.env.clipboard.writeText(await publicKeyOf(services, network, record));
    showStatusMessage("copy", t`The public key of ${record.name} is on the clipboard`, 5_000);
  }
  const row = { kind: "jwtKey", network: network.name, key: record.id };
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command, ownClick(row));
}

/** Services that rotate JWT keys. */
interface RotationServices {
  readonly credentials: NetworkCredentials;
  readonly gateways: Gateways;
  readonly clock: Clock;
  /** Time that other windows have to notice a switch before the old key is deleted, ms. */
  readonly settleMs?: number;
}

/** Key that replaces another one. */
export interface Rotation {
  readonly old: JwtKeyRecord;
  readonly next: JwtKeyRecord;
}

/** Time for requests of other windows that already have a token of the old key, ms. */
const SETTLE_MS = 3_000;
/** Upper bound for the duration of a request, ms. */
const IDLE_MS = 180_000;

/**
 * Sends a request to the network with a token of a key that is not in use.
 *
 * @throws {ChainError} `JWT_KEY_NOT_ACCEPTED`
 */
export async function tryKey(
  { credentials, gateways }: RotationServices,
  network: NetworkProfile,
  { id, name, keyId = "" }: JwtKeyRecord,
  signal: AbortSignal,
): Promise<void> {
  const key = await credentials.jwtKeysOf(network)?.privateKey(id);
  try {
    if (key === undefined) throw new ChainError("JWT_KEY_UNKNOWN", { network: network.name, key: name });
    await gateways.tryKey(network, { ...key, id, keyId }, signal);
  } catch (cause) {
    if (!isChainError(cause)) throw cause;
    // A refusal by the node proves that the gateway accepted the token.
    if (cause.code === "NODE_REFUSED") return;
    const details = { network: network.name, key: name, keyId, reason: cause.message };
    throw new ChainError("JWT_KEY_NOT_ACCEPTED", details, { cause });
  }
}

/**
 * Uses the new key for every request that starts from now on. It is a single write: if this process ends, one of the
 * two keys is in use, and the service accepts both.
 */
export async function switchKey(
  { credentials }: RotationServices,
  network: NetworkProfile,
  { next }: Rotation,
): Promise<void> {
  await credentials.jwtKeysOf(network)?.use(next.id);
}

/**
 * Deletes the old key once no request in flight uses it. If interrupted, the next call continues: the new record names
 * the key that it replaces. Returns false if requests take too long, and the old key stays.
 *
 * @throws {ChainError} `SECRETS_UNAVAILABLE` if the new key is stored for this window only
 */
export async function removeOldKey(
  services: RotationServices,
  network: NetworkProfile,
  { old, next }: Rotation,
  signal: AbortSignal,
): Promise<boolean> {
  const { credentials, gateways, clock, settleMs = SETTLE_MS } = services;
  const keys = credentials.jwtKeysOf(network);
  if ((await keys?.isLasting(next.id)) === false)
    throw new ChainError("SECRETS_UNAVAILABLE", { reason: FOR_THIS_WINDOW });
  await clock.sleep(settleMs, signal);
  const idle = gateways.idle(network, old.keyId ?? "").then(() => true);
  if (!(await within(clock, IDLE_MS, idle, () => new Late()).catch(falseIfLate))) return false;
  signal.throwIfAborted();
  await forgetAtLocalChain(network, old);
  await keys?.remove(old.id);
  await keys?.change(next, { replaces: undefined });
  return true;
}

const FOR_THIS_WINDOW = t`the new JWT key is stored for this window only, so the old one is kept`;

class Late extends Error {}

function falseIfLate(error: unknown): false {
  if (error instanceof Late) return false;
  throw error;
}

/** Registers a public key with the embedded chain, as the account page of a service does. @returns its `kid` */
export async function registerAtLocalChain({ baseUrl }: NetworkProfile, name: string, publicKey: string) {
  const { id, error } = await askLocalChain(baseUrl, "keys", { name, publicKey });
  if (typeof id === "string") return id;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "network", reason: String(error) });
}

/** Makes the embedded chain refuse tokens of this record. */
async function forgetAtLocalChain({ local, baseUrl }: NetworkProfile, { keyId }: JwtKeyRecord): Promise<void> {
  if (local && keyId !== undefined) await askLocalChain(baseUrl, "keys", { id: keyId }, "DELETE");
}
