import { type NetworkProfile, originOf } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { confirmModal, sayDone } from "../../host/prompts/notify.ts";
import { chooseNetwork, inputBox } from "../../host/prompts/quick-input.ts";
import { type CertificateFiles, readIdentity } from "../../host/secrets/client-certificates.ts";
import { certificateQuestion } from "./network.view.ts";
import type { NetworkServices } from "./services.ts";

interface CertificateResult {
  readonly network: string;
  /** The only one that it is shown to. */
  readonly origin: string;
  /** Absent when it was removed. */
  readonly file?: string;
}

type Argument = CommandArguments["finality.setClientCertificate"];
type Services = Pick<NetworkServices, "networks" | "clientCertificates">;

const TITLE = t`Set Client Certificate`;

/**
 * Says which certificate is shown to the host of a network, and to no other. Whoever calls, the person sees what is
 * shown to whom first.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `CREDENTIALS_IN_CLEAR`, `CLIENT_CERTIFICATE_UNUSABLE`
 */
export async function setClientCertificate(
  services: Services,
  argument: Argument,
  tells: boolean,
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
  if (!(await confirmModal(certificateQuestion(change), isRemoval ? t`Remove` : t`Show It There`))) return undefined;
  if (isRemoval) await clientCertificates.delete(origin);
  else await clientCertificates.set(origin, files);
  if (tells) sayDone(isRemoval ? t`No certificate is shown to ${origin}` : t`The certificate is shown to ${origin}`);
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
  return { file, ...(keyFile === undefined ? {} : { keyFile }), ...(passphrase === undefined ? {} : { passphrase }) };
}

async function check(url: string, files: CertificateFiles): Promise<void> {
  const identity = await readIdentity(files);
  if (typeof identity === "string") throw new ChainError("CLIENT_CERTIFICATE_UNUSABLE", { url, reason: identity });
}

/** The certificate, its key where that is a file of its own, and the passphrase where it has one. */
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
    prompt: t`Passphrase of the key. It is kept in the secret storage of the editor.`,
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
