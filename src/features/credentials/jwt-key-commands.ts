import * as vscode from "vscode";
import { isChainError } from "../../core/errors/chain-error.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { chooseNetwork } from "../../host/networks/choose-network.ts";
import { originsToBind } from "../../host/prompts/credential-questions.ts";
import { confirmModal } from "../../host/prompts/notify.ts";
import { inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import { withPemLines } from "./pem.ts";
import type { CredentialServices } from "./services.ts";

/** What the commands of JWT keys give back: never the private key. */
export interface JwtKeyResult {
  readonly network: string;
  readonly publicKeyPem: string;
  /** Absent as long as the service did not say it. */
  readonly keyId?: string;
}

/** What goes to the service is made with the key, which stays here. */
const JWT_WORDS = "tokens of the JWT key";

/**
 * Makes an RSA key for the tokens of a network. Its public half goes to the clipboard.
 * @returns undefined when the person left
 */
export async function createJwtKey(
  services: CredentialServices,
  argument: CommandArguments["finality.createJwtKey"],
  asks: boolean,
): Promise<JwtKeyResult | undefined> {
  const network = await chooseRemote(services, argument.network, vscode.l10n.t("Create JWT Key"));
  if (network === undefined) return undefined;
  if (!(await mayReplaceJwtKey(services, network))) return undefined;
  const origins = await originsToBind(network, JWT_WORDS);
  if (origins === undefined) return undefined;
  const { generateJwtKey } = await import("../../host/networks/lazy-gateway.ts");
  const { privateKeyPem, publicKeyPem } = await generateJwtKey();
  await services.credentials.set("jwtKey", network.name, { value: privateKeyPem, origins });
  if (asks) await vscode.env.clipboard.writeText(publicKeyPem);
  const keyId = asks ? await askKeyId(argument.keyId) : argument.keyId;
  return finish(services, network, publicKeyPem, keyId);
}

/** Stores an RSA key that the service knows already. @returns undefined when the person left */
export async function importJwtKey(
  services: CredentialServices,
  argument: CommandArguments["finality.importJwtKey"],
): Promise<JwtKeyResult | undefined> {
  const network = await chooseRemote(services, argument.network, vscode.l10n.t("Import JWT Key"));
  if (network === undefined) return undefined;
  const { parseJwtKey } = await import("../../host/networks/lazy-gateway.ts");
  const parse = (text: string) => parseJwtKey(withPemLines(text));
  const text = argument.privateKeyPem ?? (await askPem((typed) => void parse(typed)));
  if (text === undefined) return undefined;
  const { privateKeyPem, publicKeyPem } = parse(text);
  if (!(await mayReplaceJwtKey(services, network, privateKeyPem))) return undefined;
  const origins = await originsToBind(network, JWT_WORDS);
  if (origins === undefined) return undefined;
  await services.credentials.set("jwtKey", network.name, { value: privateKeyPem, origins });
  const keyId = argument.privateKeyPem === undefined ? await askKeyId(argument.keyId ?? network.keyId) : argument.keyId;
  return finish(services, network, publicKeyPem, keyId);
}

/** Stores the API key of a network, or forgets it when it is empty. @returns undefined when the person left */
export async function setApiKey(
  services: CredentialServices,
  argument: CommandArguments["finality.setApiKey"],
): Promise<{ readonly network: string; readonly header: string } | undefined> {
  const network = await chooseRemote(services, argument.network, vscode.l10n.t("Set API Key"));
  if (network === undefined) return undefined;
  const apiKey = (argument.apiKey ?? (await askApiKey(network)))?.trim();
  if (apiKey === undefined) return undefined;
  if (!(await mayReplaceApiKey(services, network, apiKey))) return undefined;
  if (apiKey === "") await services.credentials.delete("apiKey", network.name);
  else {
    const origins = await originsToBind(network, vscode.l10n.t("API key"));
    if (origins === undefined) return undefined;
    await services.credentials.set("apiKey", network.name, { value: apiKey, origins });
  }
  return { network: network.name, header: network.apiKeyHeader };
}

function chooseRemote({ networks }: CredentialServices, name: string | undefined, title: string) {
  return chooseNetwork(networks, name, { title, fits: ({ local }) => !local });
}

/** The network uses tokens from now on, with this key. */
async function finish(
  { networks }: CredentialServices,
  network: NetworkProfile,
  publicKeyPem: string,
  keyId: string | undefined,
): Promise<JwtKeyResult> {
  const id = keyId?.trim() || undefined;
  await networks.save({ ...network, jwt: true, ...(id === undefined ? {} : { keyId: id }) }, network.name);
  return { network: network.name, publicKeyPem, ...(id === undefined ? {} : { keyId: id }) };
}

/** Asks before a key is lost that may exist nowhere else. @param privateKeyPem - what replaces it, if that is known */
async function mayReplaceJwtKey(
  { credentials }: CredentialServices,
  network: NetworkProfile,
  privateKeyPem?: string,
): Promise<boolean> {
  const known = await credentials.get("jwtKey", network);
  if (known === undefined || known.value === privateKeyPem) return true;
  const title = vscode.l10n.t("{0} has a JWT key already. Replace it?", network.name);
  const detail = vscode.l10n.t("The old key is deleted. Requests are dropped until the service knows the new one.");
  return await confirmModal({ title, detail }, vscode.l10n.t("Replace"));
}

/** @param apiKey - what replaces it; empty deletes it */
async function mayReplaceApiKey(
  { credentials }: CredentialServices,
  network: NetworkProfile,
  apiKey: string,
): Promise<boolean> {
  const known = await credentials.get("apiKey", network);
  if (known === undefined || known.value === apiKey) return true;
  const detail = vscode.l10n.t("The old key is deleted. If it is stored nowhere else, get a new one from the service.");
  if (apiKey === "") {
    const title = vscode.l10n.t("Remove the API key of {0}?", network.name);
    return await confirmModal({ title, detail }, vscode.l10n.t("Remove"));
  }
  const title = vscode.l10n.t("{0} has an API key already. Replace it?", network.name);
  return await confirmModal({ title, detail }, vscode.l10n.t("Replace"));
}

function askKeyId(value = ""): Thenable<string | undefined> {
  return inputBox({
    title: vscode.l10n.t("ID of the JWT Key (kid)"),
    ignoreFocusOut: true,
    value,
    prompt: vscode.l10n.t(
      "The public key is on the clipboard. Paste it on the JWT page of your account, then enter the ID that it gets there.",
    ),
  });
}

/** From a file, or pasted; never from an editor. */
async function askPem(check: (text: string) => void): Promise<string | undefined> {
  const title = vscode.l10n.t("Import JWT Key");
  const [file, paste] = [vscode.l10n.t("$(file) From a PEM file…"), vscode.l10n.t("$(clippy) Paste it")];
  const picked = await quickPick([{ label: file }, { label: paste }], { title });
  if (picked === undefined) return undefined;
  return picked.label === file ? readPemFile() : pastePem(title, check);
}

async function readPemFile(): Promise<string | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ openLabel: vscode.l10n.t("Import") })) ?? [];
  return uri === undefined ? undefined : Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8");
}

function pastePem(title: string, check: (text: string) => void): Thenable<string | undefined> {
  return inputBox({
    title,
    password: true,
    ignoreFocusOut: true,
    placeHolder: "-----BEGIN PRIVATE KEY-----",
    prompt: vscode.l10n.t("The private key (RSA, PEM). It is kept in the secret storage of the editor."),
    validateInput: (text) => {
      if (text.trim() === "") return undefined;
      try {
        check(text);
        return undefined;
      } catch (error) {
        if (!isChainError(error)) throw error;
        return error.message;
      }
    },
  });
}

function askApiKey({ name, apiKeyHeader }: NetworkProfile): Thenable<string | undefined> {
  return inputBox({
    password: true,
    ignoreFocusOut: true,
    title: vscode.l10n.t("API Key of {0}", name),
    prompt: vscode.l10n.t("It is sent in the header {0}. Leave it empty to remove the key.", apiKeyHeader),
  });
}
