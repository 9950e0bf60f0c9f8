import { type NetworkProfile, parseGatewayUrl } from "@finality/client/gateway";
import { ChainError, isChainError } from "@finality/tron/errors";
import type { Checked } from "@finality/tron/format";
import { labelFault, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram, ownClick } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { parseNetworkProfile } from "../../host/networks/network-settings.ts";
import { originsToBind } from "../../host/prompts/credential-prompts.ts";
import { askModal, confirmModal, notify, programNote } from "../../host/prompts/notify.ts";
import { type Ask, askSteps, pickStep, textStep } from "../../host/prompts/quick-input.ts";
import type { NetworkCredentials } from "../../host/secrets/network-credentials.ts";
import { passPlainHttp } from "./ask-plain-http.ts";
import { type Authentication, areTestUrls, type NetworkPreset, networkPresets, presetOf } from "./presets.ts";
import type { NetworkServices } from "./services.ts";

/** What was answered so far. */
interface Draft {
  readonly preset?: NetworkPreset;
  readonly profile: Partial<NetworkProfile>;
  readonly authentication?: Authentication;
  readonly apiKey?: string;
}

type Add = CommandArguments["finality.addNetwork"];

/**
 * Adds a network and makes it the active one. When name and URL are known it asks whether the network of a program is
 * added, and of what worth; where credentials may go: those that an earlier network of this name left, and an API key of
 * a network with several origins; and whether a URL of the own network may be asked without encryption.
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
 * Asks about a network that a program adds. That its coins are worth nothing is the person's answer, unless the network
 * is on this computer or a public test network.
 *
 * @returns the network as the person wants it; undefined when they declined
 */
async function passNewNetwork(profile: NetworkProfile): Promise<NetworkProfile | undefined> {
  if (!calledByProgram()) return profile;
  const urls = [profile.baseUrl, profile.solidityBaseUrl ?? [], ...profile.fallbackUrls].flat();
  const title = t`Add the network ${profile.name} and use it from now on?`;
  const detail = `${urls.map((it) => visibleLine(it)).join("\n")}\n\n${programNote()}`;
  const [add, real, test] = [t`Add`, t`Add as Real Money`, t`Add as Test Network`];
  const isDecided = profile.production || areTestUrls(urls);
  const buttons = isDecided ? [profile.production ? real : add] : [real, test];
  const chosen = await askModal("warning", { title, detail }, ...buttons);
  if (chosen === undefined) return undefined;
  return { ...profile, production: chosen === real };
}

/** Stores the API key. @returns false when the person left */
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

/**
 * Asks before keys are deleted that an earlier network of this name left.
 *
 * @returns false when the person left
 */
export async function passLeftKeys(
  credentials: NetworkCredentials,
  profile: NetworkProfile,
  apiKey?: string,
): Promise<boolean> {
  if (!(await credentials.leftBehind(profile, apiKey))) return true;
  const { name } = profile;
  const title = t`Keys of an earlier network ${name} are still stored. Delete them?`;
  const detail = t`Without them ${name} is added as a new network. Cancel to leave everything as it is.`;
  const isWanted = await confirmModal({ title, detail }, t`Delete Them`);
  if (!isWanted) return false;
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
  return { profile: { ...known, ...profile }, ...(apiKey === undefined ? {} : { apiKey }) };
}

function askDraft({ networks }: NetworkServices, argument: Add): Promise<Draft | undefined> {
  const taken = networks.list().map(({ name }) => name);
  return askSteps(t`Add Network`, draftOf(argument), ({ preset, authentication }) => {
    if (preset === undefined) return [askPreset, askName(taken)];
    const asks = preset.asks;
    return [
      askPreset,
      ...(asks.includes("baseUrl") ? [askUrl("baseUrl", t`URL that /wallet/… is appended to`)] : []),
      ...(asks.includes("solidityBaseUrl")
        ? [askUrl("solidityBaseUrl", t`URL that /walletsolidity/… is appended to`)]
        : []),
      askName(taken),
      ...(asks.includes("authentication") ? [askAuthentication] : []),
      ...(usesJwt(authentication) ? [askAudience] : []),
      ...(usesApiKey(authentication) ? [askApiKey] : []),
      ...(asks.includes("production") ? [askProduction] : []),
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

/** Says what is wrong with a URL while it is typed. */
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
    const step = { prompt: t`A name to know it by`, placeholder: "", value: name, check };
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
  const placeholder = t`How does the gateway know you?`;
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
  const prompt = t`API key. It is kept in the secret storage of the editor.`;
  const check = (text: string): Checked<string> =>
    text.trim() === "" ? { kind: "empty" } : { kind: "good", value: text.trim() };
  const result = await textStep(place, { prompt, placeholder: "", secret: true, check });
  return result.kind === "value" ? { kind: "value", value: { ...draft, apiKey: result.value } } : result;
};

const askProduction: Ask<Draft> = async (draft, place) => {
  const items = [
    { label: t`$(beaker) A network for tests`, production: false },
    { label: t`$(warning) Real money`, production: true },
  ];
  const placeholder = t`What are its coins worth?`;
  const result = await pickStep(place, { placeholder, items, mayPick: () => true });
  return result.kind === "value" ? withProfile(draft, { production: result.value.production }) : result;
};

function withProfile(draft: Draft, change: Partial<NetworkProfile>): { kind: "value"; value: Draft } {
  return { kind: "value", value: { ...draft, profile: { ...draft.profile, ...change } } };
}

/** A token needs a key, and its ID is known only after the public key is in the account. */
async function proposeNext({ name, jwt }: NetworkProfile): Promise<void> {
  const [create, bring, test] = [
    { title: t`Create JWT Key…`, command: "finality.createJwtKey" },
    { title: t`Import JWT Key…`, command: "finality.importJwtKey" },
    { title: t`Test Connection`, command: "finality.testConnection" },
  ];
  const message = jwt ? t`${name} was added. Its tokens need a key next.` : t`${name} was added and is active now.`;
  const chosen = await notify("information", message, ...(jwt ? [create, bring] : [test]));
  const row = { kind: "network", network: name };
  if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command, ownClick(row));
}
