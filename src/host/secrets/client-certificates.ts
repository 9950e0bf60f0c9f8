import { createSecureContext } from "node:tls";
import type { ClientCertificate } from "@finality/client/gateway";
import { textOfBytes } from "@finality/tron/primitives";
import { listOf, object, text, tryRead, tryReadJson } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { bytesOfFile } from "../read-regular-file.ts";
import type { SecretStore } from "./secret-store.ts";

/** Origins with a certificate; not secret. */
const STATE = "finality.clientCertificates";

/** Usable certificates, and the problems of the others by origin. */
export interface ReadCertificates {
  readonly usable: readonly ClientCertificate[];
  readonly problems: ReadonlyMap<string, string>;
}

/** Client certificates, one per origin: the paths of the files, and the passphrase. */
export class ClientCertificates {
  readonly #state: vscode.Memento;
  readonly #store: SecretStore;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento, store: SecretStore) {
    this.#state = state;
    this.#store = store;
  }

  has(origin: string): boolean {
    return this.#origins().includes(origin);
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async read(): Promise<ReadCertificates> {
    const usable: ClientCertificate[] = [];
    const problems = new Map<string, string>();
    for (const origin of this.#origins()) {
      const files = tryReadJson(certificateFiles, (await this.#store.get("clientCertificate", origin)) ?? "");
      const identity = files === undefined ? t`its path is no longer in the secret storage` : await readIdentity(files);
      if (typeof identity === "string") problems.set(origin, identity);
      else usable.push({ origin, ...identity });
    }
    return { usable, problems };
  }

  async set(origin: string, files: CertificateFiles): Promise<void> {
    await this.#store.set("clientCertificate", origin, JSON.stringify(files));
    await this.#state.update(STATE, [...this.#origins().filter((it) => it !== origin), origin]);
    this.#changed.fire();
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async delete(origin: string): Promise<void> {
    await this.#store.delete("clientCertificate", origin);
    await this.#state.update(
      STATE,
      this.#origins().filter((it) => it !== origin),
    );
    this.#changed.fire();
  }

  #origins(): readonly string[] {
    return tryRead(listOf(text), this.#state.get(STATE)) ?? [];
  }
}

/** Location of a client certificate. The files stay in place, so that they can be renewed there. */
export interface CertificateFiles {
  /** PEM, or PKCS#12 (.p12, .pfx). */
  readonly file: string;
  /** PEM file of the key if it is separate. */
  readonly keyFile?: string;
  readonly passphrase?: string;
}

const certificateFiles = object({ file: text }, { keyFile: text, passphrase: text });

/** Certificate and key without the origin. */
export type Identity = Omit<ClientCertificate, "origin">;

const MAXIMUM_BYTES = 1024 * 1024;
const IS_PEM = /-----BEGIN [A-Z ]+-----/;

/** Reads and tries a client certificate. Returns a text that says why if it cannot be used. */
export async function readIdentity({ file, keyFile, passphrase }: CertificateFiles): Promise<Identity | string> {
  const bytes = await read(file);
  if (typeof bytes === "string") return bytes;
  const pem = textOfBytes(bytes);
  const isPem = IS_PEM.test(pem);
  if (!isPem && keyFile !== undefined) return t`${file} already contains its key: leave the key file out`;
  const keyBytes = keyFile === undefined ? bytes : await read(keyFile);
  if (typeof keyBytes === "string") return keyBytes;
  const key = textOfBytes(keyBytes);
  if (isPem && !/PRIVATE KEY-----/.test(key)) return t`${keyFile ?? file} has no private key in PEM`;
  const secret = passphrase === undefined || passphrase === "" ? {} : { passphrase };
  const identity = { ...(isPem ? { cert: pem, key } : { pfx: bytes }), ...secret };
  return problemOf(identity) ?? identity;
}

async function read(file: string): Promise<Buffer | string> {
  try {
    const bytes = await bytesOfFile(file, undefined, MAXIMUM_BYTES);
    return typeof bytes === "string" ? t`${file} cannot be read: ${bytes}` : bytes;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? t`there is no file ${file}` : t`${file} cannot be read: ${messageOf(error)}`;
  }
}

const PASSPHRASE = t`its passphrase is missing or wrong`;
const DAMAGED = t`it is neither PEM nor PKCS#12, or it is damaged`;

/** OpenSSL's messages and their meanings. */
const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/mac verify failure|bad decrypt|bad password|interrupted or cancelled|empty password/i, PASSPHRASE],
  [/key values mismatch|key type mismatch/i, t`the key is not that of the certificate`],
  [/unsupported/i, t`its encryption is outdated: export it again with AES`],
  [/no start line/i, t`it has no certificate in PEM`],
  [/not enough data|wrong tag|asn1|header too long|too small/i, DAMAGED],
];

function problemOf(identity: Identity): string | undefined {
  try {
    createSecureContext(identity);
    return undefined;
  } catch (error) {
    const text = messageOf(error);
    // A wrong passphrase sometimes decrypts to valid padding, and then no decoder supports the content.
    if (/DECODER routines::unsupported/.test(text)) return isEncrypted(identity) ? PASSPHRASE : DAMAGED;
    return PROBLEMS.find(([pattern]) => pattern.test(text))?.[1] ?? text;
  }
}

function isEncrypted({ key = "" }: Identity): boolean {
  return key.includes("ENCRYPTED");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
