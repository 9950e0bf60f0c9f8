import * as vscode from "vscode";
import { isChainError } from "../../core/errors/chain-error.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import { chooseNetwork } from "../../host/choose-network.ts";
import type { CommandArguments } from "../../host/command-shapes.ts";
import { withPemLines } from "./pem.ts";
import type { CredentialServices } from "./services.ts";

/** What the commands of JWT keys give back: never the private key. */
export interface JwtKeyResult {
  readonly network: string;
  readonly publicKeyPem: string;
  /** Absent as long as the service did not say it. */
  readonly keyId?: string;
}

/** Makes an RSA key for the tokens of a network. Its public half goes to the clipboard. @returns undefined when the person left */
export async function createJwtKey(
  services: CredentialServices,
  told: CommandArguments["finality.createJwtKey"],
  asks: boolean,
): Promise<JwtKeyResult | undefined> {
  const network = await chooseRemote(services, told.network, vscode.l10n.t("Create JWT Key"));
  if (network === undefined) return undefined;
  if (asks && !(await mayReplace(services, network))) return undefined;
  const { generateJwtKey } = await import("../../host/lazy/gateway.ts");
  const { privateKeyPem, publicKeyPem } = await generateJwtKey();
  await services.secrets.set("jwtKey", network.name, privateKeyPem);
  if (asks) await vscode.env.clipboard.writeText(publicKeyPem);
  const keyId = asks ? await askKeyId(told.keyId) : told.keyId;
  return finish(services, network, publicKeyPem, keyId);
}

/** Stores an RSA key that the service knows already. @returns undefined when the person left */
export async function importJwtKey(
  services: CredentialServices,
  told: CommandArguments["finality.importJwtKey"],
): Promise<JwtKeyResult | undefined> {
  const network = await chooseRemote(services, told.network, vscode.l10n.t("Import JWT Key"));
  if (network === undefined) return undefined;
  const { parseJwtKey } = await import("../../host/lazy/gateway.ts");
  const parse = (text: string) => parseJwtKey(withPemLines(text));
  const text = told.privateKeyPem ?? (await askPem((typed) => void parse(typed)));
  if (text === undefined) return undefined;
  const { privateKeyPem, publicKeyPem } = parse(text);
  await services.secrets.set("jwtKey", network.name, privateKeyPem);
  const keyId = told.privateKeyPem === undefined ? await askKeyId(told.keyId ?? network.keyId) : told.keyId;
  return finish(services, network, publicKeyPem, keyId);
}

/** Stores the API key of a network, or forgets it when it is empty. @returns undefined when the person left */
export async function setApiKey(
  services: CredentialServices,
  told: CommandArguments["finality.setApiKey"],
): Promise<{ readonly network: string; readonly header: string } | undefined> {
  const network = await chooseRemote(services, told.network, vscode.l10n.t("Set API Key"));
  if (network === undefined) return undefined;
  const apiKey = (told.apiKey ?? (await askApiKey(network)))?.trim();
  if (apiKey === undefined) return undefined;
  if (apiKey === "") await services.secrets.delete("apiKey", network.name);
  else await services.secrets.set("apiKey", network.name, apiKey);
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

async function mayReplace({ secrets }: CredentialServices, { name }: NetworkProfile): Promise<boolean> {
  if ((await secrets.get("jwtKey", name)) === undefined) return true;
  const replace = vscode.l10n.t("Replace");
  const question = vscode.l10n.t("{0} has a JWT key already. Replace it?", name);
  const detail = vscode.l10n.t("The old key is deleted. Requests are dropped until the service knows the new one.");
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, replace)) === replace;
}

function askKeyId(value = ""): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...{ title: vscode.l10n.t("ID of the JWT Key (kid)"), ignoreFocusOut: true, value },
    prompt: vscode.l10n.t(
      "The public key is on the clipboard. Paste it on the JWT page of your account, then enter the ID that it gets there.",
    ),
  });
}

/** From a file, or pasted; never from an editor. */
async function askPem(check: (text: string) => void): Promise<string | undefined> {
  const title = vscode.l10n.t("Import JWT Key");
  const [file, paste] = [vscode.l10n.t("$(file) From a PEM file…"), vscode.l10n.t("$(clippy) Paste it")];
  const picked = await vscode.window.showQuickPick([file, paste], { title });
  if (picked === undefined) return undefined;
  return picked === file ? readPemFile() : pastePem(title, check);
}

async function readPemFile(): Promise<string | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ openLabel: vscode.l10n.t("Import") })) ?? [];
  return uri === undefined ? undefined : Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8");
}

function pastePem(title: string, check: (text: string) => void): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...{ title, password: true, ignoreFocusOut: true, placeHolder: "-----BEGIN PRIVATE KEY-----" },
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
  return vscode.window.showInputBox({
    ...{ password: true, ignoreFocusOut: true, title: vscode.l10n.t("API Key of {0}", name) },
    prompt: vscode.l10n.t("It is sent in the header {0}. Leave it empty to remove the key.", apiKeyHeader),
  });
}
