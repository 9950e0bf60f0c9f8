import { type Clock, type OriginBound, within } from "@finality/client/gateway";
import { systemClock } from "@finality/node/system-clock";
import { ChainError } from "@finality/tron/errors";
import { listOf, object, text, tryReadJson } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import type { Masking } from "../log/masking.ts";
import type { StorageCheckOptions, StorageIssue } from "./storage-check.ts";

/**
 * Kind of a secret. A signing key is stored by its address in hex, credentials by their network. Secrets of a local
 * chain have kinds of their own: a key by chain and address, the proof by chain. A guard is no secret, but this storage
 * is shared by all hosts of one VS Code.
 */
export type SecretKind =
  | "clientCertificate"
  | "signingKey"
  | "apiKey"
  | "chainKey"
  | "chainProof"
  | "guard"
  | JwtSecretKind;

/**
 * Secrets of JWT keys: the single key of earlier versions by network; further keys by record and network, each with its
 * metadata; the key in use; the lifetime of tokens.
 */
export type JwtSecretKind = "jwtKey" | "jwtRecordKey" | "jwtRecord" | "jwtInUse" | "jwtLifetime";

const FOLLOWED = /^finality\.(signingKey|apiKey|jwt[A-Z][A-Za-z]*)\.(.*)$/s;

/** Time limit of the storage; ms. A closed window's storage never answers, and unlocking takes the user a while. */
const ANSWER_MS = 20_000;

export interface SecretStoreOptions {
  readonly secrets: vscode.SecretStorage;
  readonly masking: Masking;
  /** Called when a secret can only be kept for this window. Resolves to whether to retry. */
  readonly onUnavailable: (reason: string) => Promise<"retry" | "keep-for-this-window">;
  /** Clock of the time limit. */
  readonly clock?: Clock;
  /** State that outlives windows; without it the storage cannot be checked. */
  readonly memory?: Omit<StorageCheckOptions, "secrets">;
}

/**
 * Signing keys, JWT keys and API keys as texts. Only this class uses VS Code's secret storage. `SigningKeys` reads
 * signing keys, `ClientCertificates` passphrases, and `NetworkCredentials` all others.
 */
export class SecretStore {
  readonly #options: SecretStoreOptions;
  /** Secrets that VS Code could not store. */
  readonly #session = new Map<string, string>();
  /** Secrets that the user wants to keep for this window only. */
  readonly #forSession = new Map<string, string>();
  #asking = false;

  constructor(options: SecretStoreOptions) {
    this.#options = options;
  }

  /** Calls when a secret changes in any window. */
  onDidChange(listener: (kind: SecretKind, owner: string) => void): vscode.Disposable {
    return this.#options.secrets.onDidChange(({ key }) => {
      const [, kind, owner] = FOLLOWED.exec(key) ?? [];
      if (kind !== undefined && owner !== undefined) listener(kind as SecretKind, owner);
    });
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async get(kind: SecretKind, owner: string): Promise<string | undefined> {
    const key = keyOf(kind, owner);
    const stored = this.#forSession.get(key) ?? this.#session.get(key);
    if (stored !== undefined) return stored;
    const secret = await this.#attempt(() => this.#options.secrets.get(key));
    if (secret !== undefined) this.#options.masking.remember(bareSecret(secret));
    return secret;
  }

  /** Stores a secret. If VS Code cannot, it is kept until the window closes. */
  async set(kind: SecretKind, owner: string, secret: string): Promise<void> {
    this.#options.masking.remember(bareSecret(secret));
    const key = keyOf(kind, owner);
    try {
      await this.#options.secrets.store(key, secret);
      this.#session.delete(key);
    } catch (error) {
      this.#session.set(key, secret);
      void this.#sayUnavailable(reasonOf(error));
    }
  }

  /** Keeps a secret until the window closes. It takes precedence over a stored one. */
  setForSession(kind: SecretKind, owner: string, secret: string): void {
    this.#options.masking.remember(bareSecret(secret));
    this.#forSession.set(keyOf(kind, owner), secret);
  }

  /** Deletes a secret of the session; a stored one stays. */
  deleteOfSession(kind: SecretKind, owner: string): void {
    this.#forSession.delete(keyOf(kind, owner));
  }

  /** Masks a text that is not stored, such as a password, in the log from now on. */
  mask(text: string): void {
    this.#options.masking.remember(text);
  }

  /** Returns why a secret stored here may be lost; undefined if there is no reason. */
  async storageIssue(): Promise<StorageIssue | undefined> {
    const { secrets, memory } = this.#options;
    if (memory === undefined) return undefined;
    const { checkStorage } = await import("./storage-check.ts");
    return await checkStorage({ secrets, ...memory }, (look) => this.#attempt(look));
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async delete(kind: SecretKind, owner: string): Promise<void> {
    const key = keyOf(kind, owner);
    this.#session.delete(key);
    await this.#attempt(() => this.#options.secrets.delete(key));
  }

  /** Returns whether a secret outlives this window. */
  isLasting(kind: SecretKind, owner: string): boolean {
    return !this.#session.has(keyOf(kind, owner));
  }

  /** Returns the owners of all secrets of a kind. @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async owners(kind: SecretKind): Promise<readonly string[]> {
    const start = keyOf(kind, "");
    const stored = await this.#attempt(() => this.#options.secrets.keys());
    const keys = new Set([...stored, ...this.#session.keys()]);
    return [...keys].filter((it) => it.startsWith(start)).map((it) => it.slice(start.length));
  }

  /** Asks once for all secrets that could not be stored. Callers do not wait for it. */
  async #sayUnavailable(reason: string): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const answer = await this.#options.onUnavailable(reason);
    if (answer === "keep-for-this-window") return;
    this.#asking = false;
    for (const [key, secret] of this.#session) await this.#storeAgain(key, secret);
  }

  async #storeAgain(key: string, secret: string): Promise<void> {
    try {
      await this.#options.secrets.store(key, secret);
      this.#session.delete(key);
    } catch (error) {
      void this.#sayUnavailable(reasonOf(error));
    }
  }

  async #attempt<T>(access: () => Thenable<T>): Promise<T> {
    try {
      const { clock = systemClock } = this.#options;
      const late = () => new Error(t`it did not answer within ${ANSWER_MS / 1_000} s`);
      return await within(clock, ANSWER_MS, access(), late);
    } catch (cause) {
      throw new ChainError("SECRETS_UNAVAILABLE", { reason: reasonOf(cause) }, { cause });
    }
  }
}

function keyOf(kind: SecretKind, owner: string): string {
  return `finality.${kind}.${owner}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Prefix of a stored credential that includes its allowed origins. Older versions stored the credential alone. */
const MARK = "finality:bound:";

const boundSecret = object({ secret: text, origins: listOf(text) });

export function printBoundSecret({ value, origins }: OriginBound<string>): string {
  return MARK + JSON.stringify({ secret: value, origins });
}

/** Parses a stored credential, with origins or alone as in older versions. */
export function parseBoundSecret(stored: string): OriginBound<string> | string {
  if (!stored.startsWith(MARK)) return stored;
  const bound = tryReadJson(boundSecret, stored.slice(MARK.length));
  // A damaged entry is sent nowhere.
  return bound === undefined ? { value: "", origins: [] } : { value: bound.secret, origins: bound.origins };
}

/** Returns the secret alone, for masking. */
export function bareSecret(stored: string): string {
  const secret = parseBoundSecret(stored);
  return typeof secret === "string" ? secret : secret.value;
}
