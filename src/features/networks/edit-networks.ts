import {
  isPlain,
  type NetworkProfile,
  originOf,
  originsOf,
  parseGatewayUrl,
  parseNetworkProfile,
} from "@finality/client/gateway";
import { isUnsettled } from "@finality/client/tracking";
import type { Chains } from "@finality/node/chains";
import { ChainError, isChainError } from "@finality/tron/errors";
import type { Checked } from "@finality/tron/format";
import { defined, labelFault, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Uri } from "vscode";
import * as vscode from "vscode";
import type { Lazy } from "../../host/async.ts";
import { calledByProgram, ownClick } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { Gateways } from "../../host/networks/gateways.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { PlainHttp } from "../../host/networks/plain-http.ts";
import { confirmKeyIdChange, isOtherKeyId, originsToBind } from "../../host/prompts/credential-prompts.ts";
import {
  askModal,
  confirmForProgram,
  confirmInStatusBar,
  confirmModal,
  type ModalContent,
  notify,
  programNote,
} from "../../host/prompts/notify.ts";
import {
  type Ask,
  askSteps,
  chooseNetwork,
  inputBox,
  pickStep,
  quickPick,
  textStep,
} from "../../host/prompts/quick-input.ts";
import {
  type CertificateFiles,
  type ClientCertificates,
  readIdentity,
} from "../../host/secrets/client-certificates.ts";
import { boundOrigins, credentialLabels } from "../../host/secrets/credential-origins.ts";
import type { NetworkCredentials } from "../../host/secrets/network-credentials.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import {
  ALLOW_HTTP,
  type Authentication,
  areTestUrls,
  certificateQuestion,
  type EditableFieldName,
  editableFields,
  type KeysOfNetwork,
  keysLine,
  type NetworkPreset,
  networkPresets,
  plainHttpQuestion,
  presetOf,
  type Redirection,
  redirectionOf,
  sentTo,
} from "./network.view.ts";

/** Services of the network commands. */
export interface NetworkServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Networks;
  readonly gateways: Gateways;
  readonly credentials: NetworkCredentials;
  readonly plainHttp: PlainHttp;
  readonly clientCertificates: Lazy<ClientCertificates>;
  readonly chains: Pick<Chains, "askAgain" | "accept">;
  readonly extensionUri: Uri;
  /** Unix ms. */
  readonly now: () => number;
  /** Masks the secrets in a text. */
  readonly masked: (text: string) => string;
  readonly transactions: Pick<TransactionService, "ready" | "list" | "networkOf">;
}

/** Answers so far. */
interface Draft {
  readonly preset?: NetworkPreset;
  readonly profile: Partial<NetworkProfile>;
  readonly authentication?: Authentication;
  readonly apiKey?: string;
}

type Add = CommandArguments["finality.addNetwork"];

/**
 * Adds a network and makes it active. If name and URL are given, it confirms a program's network and whether that uses
 * real money. It also confirms the use of credentials: those left by an earlier network of this name, and an API key
 * for several origins. Unencrypted requests to a URL of a private network are confirmed too.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `NETWORK_NAME_TAKEN` before anything is stored
 */
export async function addNetwork(services: NetworkServices, argument: Add): Promise<NetworkProfile | undefined> {
  const draft = isComplete(argument) ? draftOf(argument) : await askDraft(services, argument);
  if (draft === undefined) return undefined;
  const { networks } = services;
  const profile = parseNetworkProfile(draft.profile, "network");
  if (networks.isTaken(profile.name)) {
    throw new ChainError("NETWORK_NAME_TAKEN", { network: profile.name });
  }
  const decided = await passNewNetwork(profile);
  if (decided === undefined || !(await passPlainHttp(services.plainHttp, decided, draft.apiKey !== undefined)))
    return undefined;
  const entrusted = await entrustKeys(services, decided, draft.apiKey);
  if (!entrusted) return undefined;
  await networks.save(decided);
  await networks.setActive(decided.name);
  if (!isComplete(argument)) void proposeNext(decided);
  return decided;
}

/**
 * Asks the user about a network that a program adds. The user decides whether its coins have a value, unless the network
 * is on this computer or a public test network.
 *
 * @returns the network that the user confirmed; undefined if the user declined
 */
async function passNewNetwork(profile: NetworkProfile): Promise<NetworkProfile | undefined> {
  if (!calledByProgram()) return profile;
  const urls = [profile.baseUrl, profile.solidityBaseUrl ?? [], ...profile.fallbackUrls].flat();
  const title = t`Add the network ${profile.name} and use it from now on?`;
  const detail = `${urls.map((it) => visibleLine(it)).join("\n")}\n\n${programNote()}`;
  const [add, real, test] = [t`Add`, t`Add as Real-Money Network`, t`Add as Test Network`];
  const isDecided = profile.production || areTestUrls(urls);
  const buttons = isDecided ? [profile.production ? real : add] : [real, test];
  const chosen = await askModal("warning", { title, detail }, ...buttons);
  if (chosen === undefined) return undefined;
  return { ...profile, production: chosen === real };
}

/** Stores the API key. Returns false if the user cancels. */
async function entrustKeys(
  { credentials }: NetworkServices,
  profile: NetworkProfile,
  apiKey: string | undefined,
): Promise<boolean> {
  if (!(await passLeftKeys(credentials, profile, apiKey))) return false;
  if (apiKey === undefined) return true;
  const origins = await originsToBind(profile, t`API key`);
  if (origins === undefined) return false;
  await credentials.set("apiKey", profile.name, { value: apiKey, origins });
  return true;
}

/** Confirms the deletion of keys that an earlier network of this name left. Returns false if the user cancels. */
export async function passLeftKeys(
  credentials: NetworkCredentials,
  profile: NetworkProfile,
  apiKey?: string,
): Promise<boolean> {
  if (!(await credentials.leftBehind(profile, apiKey))) return true;
  const { name } = profile;
  const title = t`Keys of an earlier network ${name} are still stored. Delete them?`;
  const detail = t`Without them ${name} is added as a new network. Cancel to change nothing.`;
  const isConfirmed = await confirmModal({ title, detail }, t`Delete Keys`);
  if (!isConfirmed) return false;
  await credentials.delete("apiKey", name);
  await credentials.delete("jwtKey", name);
  return true;
}

function isComplete({ preset, name, baseUrl }: Add): boolean {
  const known = preset === undefined ? {} : (presetOf(preset)?.profile ?? {});
  return (name ?? known.name) !== undefined && (baseUrl ?? known.baseUrl) !== undefined;
}

function draftOf({ preset, apiKey, ...profile }: Add): Draft {
  const known = preset === undefined ? {} : (presetOf(preset)?.profile ?? {});
  return { profile: { ...known, ...profile }, ...defined({ apiKey }) };
}

function askDraft({ networks }: NetworkServices, argument: Add): Promise<Draft | undefined> {
  const taken = networks.list().map(({ name }) => name);
  return askSteps(t`Add Network`, draftOf(argument), ({ preset, authentication }) => {
    if (preset === undefined) return [askPreset, askName(taken)];
    const fields = preset.asks;
    return [
      askPreset,
      ...(fields.includes("baseUrl") ? [askUrl("baseUrl", t`URL that /wallet/… is appended to`)] : []),
      ...(fields.includes("solidityBaseUrl")
        ? [askUrl("solidityBaseUrl", t`URL that /walletsolidity/… is appended to`)]
        : []),
      askName(taken),
      ...(fields.includes("authentication") ? [askAuthentication] : []),
      ...(usesJwt(authentication) ? [askAudience] : []),
      ...(usesApiKey(authentication) ? [askApiKey] : []),
      ...(fields.includes("production") ? [askProduction] : []),
    ];
  });
}

function usesJwt(authentication: Authentication | undefined): boolean {
  return authentication === "jwt" || authentication === "jwt-and-api-key";
}

function usesApiKey(authentication: Authentication | undefined): boolean {
  return authentication === "api-key" || authentication === "jwt-and-api-key";
}

const askPreset: Ask<Draft> = async (draft, place) => {
  const items = networkPresets.map((preset) => ({ label: preset.label, detail: preset.detail, preset }));
  const step = { placeholder: t`What kind of network?`, items, mayPick: () => true };
  const result = await pickStep(place, step);
  if (result.kind !== "value") return result;
  const { preset } = result.value;
  return { kind: "value", value: { ...draft, preset, profile: { ...preset.profile, ...draft.profile } } };
};

function askUrl(field: "baseUrl" | "solidityBaseUrl", prompt: string): Ask<Draft> {
  return async (draft, place) => {
    const step = { prompt, placeholder: "https://…", value: draft.profile[field] ?? "", check: checkUrl };
    const result = await textStep(place, step);
    return result.kind === "value" ? withProfile(draft, { [field]: result.value }) : result;
  };
}

/** Validates a URL while the user types. */
function checkUrl(text: string): Checked<string> {
  if (text.trim() === "") return { kind: "empty" };
  try {
    return { kind: "good", value: parseGatewayUrl(text, () => true) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", message: error.message };
  }
}

function askName(taken: readonly string[]): Ask<Draft> {
  const check = (text: string): Checked<string> => {
    const name = text.trim();
    if (name === "") return { kind: "empty" };
    const fault = labelFault(name, taken);
    if (fault === undefined) return { kind: "good", value: name };
    if (fault === "taken")
      return { kind: "wrong", message: t`Another network has this name, or one that looks like it.` };
    return { kind: "wrong", message: t`It has characters that cannot be seen. Type the name again.` };
  };
  return async (draft, place) => {
    const { name = URL.parse(draft.profile.baseUrl ?? "")?.hostname ?? "" } = draft.profile;
    const step = { prompt: t`Name of the network`, placeholder: "", value: name, check };
    const result = await textStep(place, step);
    return result.kind === "value" ? withProfile(draft, { name: result.value }) : result;
  };
}

const askAuthentication: Ask<Draft> = async (draft, place) => {
  const items: readonly (vscode.QuickPickItem & { readonly authentication: Authentication })[] = [
    { label: t`$(key) JWT and API key`, authentication: "jwt-and-api-key" },
    { label: "$(key) JWT", authentication: "jwt" },
    { label: t`$(lock) API key`, authentication: "api-key" },
    { label: t`$(unlock) None`, authentication: "none" },
  ];
  const placeholder = t`Authentication?`;
  const result = await pickStep(place, { placeholder, items, mayPick: () => true });
  if (result.kind !== "value") return result;
  const { authentication } = result.value;
  return withProfile({ ...draft, authentication }, { jwt: usesJwt(authentication) });
};

const askAudience: Ask<Draft> = async (draft, place) => {
  const prompt = t`Audience (aud) of the token: the domain of the service`;
  const check = (text: string): Checked<string> =>
    text.trim() === "" ? { kind: "empty" } : { kind: "good", value: text.trim() };
  const step = { prompt, placeholder: "example.org", value: draft.profile.audience ?? "", check };
  const result = await textStep(place, step);
  return result.kind === "value" ? withProfile(draft, { audience: result.value }) : result;
};

const askApiKey: Ask<Draft> = async (draft, place) => {
  const prompt = t`API key. It is stored in the secret storage of the editor.`;
  const check = (text: string): Checked<string> =>
    text.trim() === "" ? { kind: "empty" } : { kind: "good", value: text.trim() };
  const result = await textStep(place, { prompt, placeholder: "", secret: true, check });
  return result.kind === "value" ? { kind: "value", value: { ...draft, apiKey: result.value } } : result;
};

const askProduction: Ask<Draft> = async (draft, place) => {
  const items = [
    { label: t`$(beaker) Test network`, production: false },
    { label: t`$(warning) Real money`, production: true },
  ];
  const placeholder = t`Test network or real money?`;
  const result = await pickStep(place, { placeholder, items, mayPick: () => true });
  return result.kind === "value" ? withProfile(draft, { production: result.value.production }) : result;
};

function withProfile(draft: Draft, change: Partial<NetworkProfile>): { kind: "value"; value: Draft } {
  return { kind: "value", value: { ...draft, profile: { ...draft.profile, ...change } } };
}

/** A token needs a key, whose ID is known only after the public key was registered. */
async function proposeNext({ name, jwt }: NetworkProfile): Promise<void> {
  const [create, bring, test] = [
    { title: t`Create JWT Key…`, command: "finality.createJwtKey" },
    { title: t`Import JWT Key…`, command: "finality.importJwtKey" },
    { title: t`Test Connection`, command: "finality.testConnection" },
  ];
  const message = jwt ? t`${name} was added. Next, add a key for its tokens.` : t`${name} was added and is active now.`;
  const chosen = await notify("information", message, ...(jwt ? [create, bring] : [test]));
  const row = { kind: "network", network: name };
  if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command, ownClick(row));
}

/**
 * Confirms with the user, for every caller, before a network is used without encryption. Enter declines.
 *
 * @param apiKey - Whether an API key is stored with it.
 * @returns false if the user declines
 * @throws {ChainError} `CREDENTIALS_IN_CLEAR`
 */
export async function passPlainHttp(plainHttp: PlainHttp, network: NetworkProfile, apiKey = false): Promise<boolean> {
  if (apiKey && isPlain(new URL(network.baseUrl))) {
    throw new ChainError("CREDENTIALS_IN_CLEAR", { network: network.name, url: network.baseUrl, what: t`API key` });
  }
  const missing = plainHttp.missing(network);
  if (missing.length === 0) return true;
  const question = { ...plainHttpQuestion(network, missing), isFirstSafe: true };
  const chosen = await askModal("warning", question, t`Do Not Use`, ALLOW_HTTP);
  if (chosen !== ALLOW_HTTP) return false;
  await plainHttp.allow(network, missing);
  return true;
}

type Edit = CommandArguments["finality.editNetwork"];
type EditServices = Pick<NetworkServices, "networks" | "credentials" | "plainHttp">;

/**
 * Changes a network: the given fields, or the fields that the user picks one after the other. For every caller, the
 * user confirms changes that redirect the network's keys or real money.
 *
 * @returns the changed network; undefined if the user cancels or declines
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

/** The local chain cannot be edited. */
function isEditable({ local }: NetworkProfile): boolean {
  return !local;
}

async function editFields(services: EditServices, network: NetworkProfile): Promise<NetworkProfile> {
  const keys = await keysOf(services, network);
  const title = t`Edit ${network.name}`;
  const placeholder = t`What to change? Press Escape to finish.`;
  const items = [...editableFields(network), ...keysLine(keys)];
  const picked = await quickPick(items, { title, placeHolder: placeholder });
  if (picked === undefined) return network;
  if (picked.field === "keys") {
    await bindKeys(services, network, keys);
    return editFields(services, network);
  }
  const value = await askValue(network, picked.field, picked.label);
  const next = value === undefined ? undefined : await save(services, network, { [picked.field]: value });
  return editFields(services, next ?? network);
}

/** Returns undefined if the user declines. */
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

/** Changes the ID of the key in use after the confirmation of *Rename JWT Key…*. */
async function mayChangeKeyId(
  { credentials }: EditServices,
  network: NetworkProfile,
  { keyId = "" }: NetworkProfile,
): Promise<boolean> {
  if (keyId === (network.keyId ?? "")) return true;
  const record = (await credentials.jwtKeys(network)).find(({ inUse }) => inUse);
  if (record !== undefined && isOtherKeyId(record, keyId)) return await confirmKeyIdChange(network, record, keyId);
  const question = { title: t`Change the ID (kid) of the JWT key of ${network.name}?`, detail: visibleLine(keyId) };
  return await confirmForProgram(question, t`Change`);
}

type Answer = "leave" | "change" | "change-with-keys";

async function askRedirection({ title, detail, newOrigins }: Redirection): Promise<Answer> {
  const [change, send, without] = [t`Change`, t`Change and Send Keys`, t`Change Without Keys`];
  const buttons = newOrigins.length === 0 ? [change] : [without, send];
  const chosen = await askModal("warning", { title, detail }, ...buttons);
  if (chosen === undefined) return "leave";
  return chosen === send ? "change-with-keys" : "change";
}

async function keysOf({ credentials }: EditServices, network: NetworkProfile): Promise<KeysOfNetwork> {
  const secrets = await credentials.of(network);
  return { words: credentialLabels(secrets), origins: boundOrigins(secrets) };
}

/** Applies to keys that were entered for a URL that the network no longer has. */
async function bindKeys(services: EditServices, network: NetworkProfile, keys: KeysOfNetwork): Promise<void> {
  const missing = originsOf(network).filter((it) => !keys.origins.includes(it) && !isPlain(new URL(it)));
  if (missing.length === 0) return;
  const title = t`Send the ${keys.words ?? ""} of ${network.name} to ${missing.join(t`, `)}?`;
  const detail = t`Until now it was sent to ${sentTo(keys)}. The operator of the new server can use it.`;
  const isConfirmed = await confirmModal({ title, detail }, t`Send There Too`);
  if (isConfirmed) await services.credentials.bindToo(network, missing);
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
  const prompt = field === "fallbackUrls" ? t`URLs, separated by spaces` : "";
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

/** Removes a network with its API key and JWT keys. Returns its name, or undefined if the user cancels. */
export async function removeNetwork(
  { networks, credentials, transactions, plainHttp }: NetworkServices,
  { network: name }: CommandArguments["finality.removeNetwork"],
): Promise<{ readonly network: string } | undefined> {
  const network = await chooseNetwork(networks, name, { title: t`Remove Network`, fits: isEditable });
  if (network === undefined) return undefined;
  const keys = credentialLabels(await credentials.of(network));
  const live = await liveOn(transactions, network.name);
  if (!(await confirmModal(questionOf(network.name, keys, live), t`Remove`))) return undefined;
  await networks.remove(network.name);
  await credentials.delete("apiKey", network.name);
  await credentials.delete("jwtKey", network.name);
  await plainHttp.forget(network.name);
  return { network: network.name };
}

/** Returns the number of transactions of a network that may still be executed. */
async function liveOn(transactions: NetworkServices["transactions"], network: string): Promise<number> {
  await transactions.ready();
  return transactions.list().filter((it) => transactions.networkOf(it) === network && isUnsettled(it)).length;
}

function questionOf(network: string, keys: string | undefined, live: number): ModalContent {
  const deleted =
    keys === undefined
      ? t`It has no API key and no JWT key. Signing keys stay.`
      : t`Its ${keys} is deleted too. Signing keys stay.`;
  const open = t`${live} of its transactions are not final: they stay in the list but cannot be tracked.`;
  const title = t`Remove the network ${network}?`;
  return { title, detail: live === 0 ? deleted : `${deleted}\n\n${open}` };
}

interface CertificateResult {
  readonly network: string;
  /** The only host that receives it. */
  readonly origin: string;
  /** Undefined if it was removed. */
  readonly file?: string;
}

type Argument = CommandArguments["finality.setClientCertificate"];
type Services = Pick<NetworkServices, "networks" | "clientCertificates">;

const TITLE = t`Set Client Certificate`;

/**
 * Sets the client certificate for the host of a network, and for no other host. For every caller, the user first
 * confirms the certificate and its recipient.
 *
 * @returns undefined if the user cancels
 * @throws {ChainError} `CREDENTIALS_IN_CLEAR`, `CLIENT_CERTIFICATE_UNUSABLE`
 */
export async function setClientCertificate(
  services: Services,
  argument: Argument,
  showsResult: boolean,
): Promise<CertificateResult | undefined> {
  const { networks } = services;
  const clientCertificates = await services.clientCertificates();
  const network = await chooseNetwork(networks, argument.network, { title: TITLE, fits: ({ local }) => !local });
  if (network === undefined) return undefined;
  const origin = argument.file === "" ? originOf(network.baseUrl) : encryptedOrigin(network);
  const files = argument.file === undefined ? await askFiles() : filesOf(argument);
  if (files === undefined) return undefined;
  const isRemoval = files.file === "";
  if (!isRemoval) await check(origin, files);
  const change = { origin, file: files.file, hadOne: clientCertificates.has(origin) };
  if (!(await confirmModal(certificateQuestion(change), isRemoval ? t`Remove` : t`Send Certificate`))) return undefined;
  if (isRemoval) await clientCertificates.delete(origin);
  else await clientCertificates.set(origin, files);
  if (showsResult)
    confirmInStatusBar(isRemoval ? t`No certificate is sent to ${origin}` : t`The certificate is sent to ${origin}`);
  return { network: network.name, origin, ...(isRemoval ? {} : { file: files.file }) };
}

function encryptedOrigin({ name, baseUrl }: NetworkProfile): string {
  const origin = originOf(baseUrl);
  if (origin.startsWith("https:")) return origin;
  throw new ChainError("CREDENTIALS_IN_CLEAR", { network: name, url: origin, what: t`client certificate` });
}

function filesOf({ file = "", keyFile, passphrase }: Argument): CertificateFiles {
  if (file === "" && keyFile !== undefined)
    throw malformedArgument("keyFile", t`a key file needs a certificate in file`);
  return { file, ...defined({ keyFile, passphrase }) };
}

async function check(url: string, files: CertificateFiles): Promise<void> {
  const identity = await readIdentity(files);
  if (typeof identity === "string") throw new ChainError("CLIENT_CERTIFICATE_UNUSABLE", { url, reason: identity });
}

/** Certificate, its key if that is a separate file, and the passphrase if it has one. */
async function askFiles(): Promise<CertificateFiles | undefined> {
  const file = await openFile(t`${TITLE}: PEM or PKCS#12`);
  if (file === undefined) return undefined;
  let files: CertificateFiles = { file };
  if (/no private key/.test(await reasonOf(files))) {
    const keyFile = await openFile(t`${TITLE}: Its Private Key`);
    if (keyFile === undefined) return undefined;
    files = { file, keyFile };
  }
  if (!/passphrase/.test(await reasonOf(files))) return files;
  const passphrase = await inputBox({
    title: TITLE,
    prompt: t`Passphrase of the key. It is stored in the secret storage of the editor.`,
    password: true,
    ignoreFocusOut: true,
  });
  return passphrase === undefined ? undefined : { ...files, passphrase };
}

async function openFile(title: string): Promise<string | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ title, openLabel: t`Choose` })) ?? [];
  return uri?.fsPath;
}

async function reasonOf(files: CertificateFiles): Promise<string> {
  const identity = await readIdentity(files);
  return typeof identity === "string" ? identity : "";
}
