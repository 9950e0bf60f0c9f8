import { type Clock, type OriginBound, within } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { listOf, object, text, tryReadJson } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import type { Masking } from "../log/masking.ts";
import { systemClock } from "../system-clock.ts";
import type { StorageLook, StorageTrouble } from "./storage-check.ts";

/**
 * What a secret belongs to. A signing key goes by its address in hex, the keys of requests by the name of their
 * network. What a local chain brought along has kinds of its own, so that its coming and going touches nothing else: a
 * key goes by chain and address, the secret by which a chain is recognised by the chain. A guard is no secret; it is
 * here, by the address of its account, because all hosts that one editor connects to share this storage.
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
 * The JWT keys of a network: the one of earlier versions by the network's name; further ones by record and network, and
 * beside each what it is known by; which one is in use; how long tokens last.
 */
export type JwtSecretKind = "jwtKey" | "jwtRecordKey" | "jwtRecord" | "jwtInUse" | "jwtLifetime";

const FOLLOWED = /^finality\.(signingKey|apiKey|jwt[A-Z][A-Za-z]*)\.(.*)$/s;

/** The storage of a window that is gone never answers; one that asks a person to unlock it takes a while. */
const ANSWER_MS = 20_000;

export interface SecretStoreOptions {
  readonly secrets: vscode.SecretStorage;
  readonly masking: Masking;
  /** Told when a secret can be kept for this window only; gives whether to try the storage again. */
  readonly onUnavailable: (reason: string) => Promise<"retry" | "keep-for-this-window">;
  /** By which the storage is waited for. */
  readonly clock?: Clock;
  /** What of the editor outlives its windows; without it nobody can know whether secrets do. */
  readonly memory?: Omit<StorageLook, "secrets">;
}

/**
 * Signing keys, JWT keys and API keys, as texts. This is the only place that touches the editor's storage; who asks it
 * is `SigningKeys` for signing keys, `ClientCertificates` for passphrases and `NetworkCredentials` for the others, and
 * nobody else.
 */
export class SecretStore {
  readonly #options: SecretStoreOptions;
  /** What the editor could not store. */
  readonly #session = new Map<string, string>();
  /** What a person wants to be gone with the window. */
  readonly #forSession = new Map<string, string>();
  #asking = false;

  constructor(options: SecretStoreOptions) {
    this.#options = options;
  }

  /** Tells when a secret changed, in this window or in another one. */
  onDidChange(listener: (kind: SecretKind, owner: string) => void): vscode.Disposable {
    return this.#options.secrets.onDidChange(({ key }) => {
      const [, kind, owner] = FOLLOWED.exec(key) ?? [];
      if (kind !== undefined && owner !== undefined) listener(kind as SecretKind, owner);
    });
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async get(kind: SecretKind, owner: string): Promise<string | undefined> {
    const key = keyOf(kind, owner);
    const kept = this.#forSession.get(key) ?? this.#session.get(key);
    if (kept !== undefined) return kept;
    const secret = await this.#attempt(() => this.#options.secrets.get(key));
    if (secret !== undefined) this.#options.masking.remember(bareSecret(secret));
    return secret;
  }

  /** Stores a secret; where the editor cannot, it is kept until the window closes. */
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

  /** Keeps a secret until the window closes, before one that is stored. */
  setForSession(kind: SecretKind, owner: string, secret: string): void {
    this.#options.masking.remember(bareSecret(secret));
    this.#forSession.set(keyOf(kind, owner), secret);
  }

  /** Forgets what was kept for the session; what is stored stays. */
  deleteOfSession(kind: SecretKind, owner: string): void {
    this.#forSession.delete(keyOf(kind, owner));
  }

  /** Takes a text that is no secret of the storage, such as a password, out of whatever is logged from now on. */
  mask(text: string): void {
    this.#options.masking.remember(text);
  }

  /** What stands against storing something that must not be lost; undefined when nothing does. */
  async trouble(): Promise<StorageTrouble | undefined> {
    const { secrets, memory } = this.#options;
    if (memory === undefined) return undefined;
    const { lookAtStorage } = await import("./storage-check.ts");
    return await lookAtStorage({ secrets, ...memory }, (look) => this.#attempt(look));
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async delete(kind: SecretKind, owner: string): Promise<void> {
    const key = keyOf(kind, owner);
    this.#session.delete(key);
    await this.#attempt(() => this.#options.secrets.delete(key));
  }

  /** Whether a secret outlives this window, as far as it was stored here. */
  isLasting(kind: SecretKind, owner: string): boolean {
    return !this.#session.has(keyOf(kind, owner));
  }

  /** To whom secrets of a kind belong. @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async owners(kind: SecretKind): Promise<readonly string[]> {
    const start = keyOf(kind, "");
    const stored = await this.#attempt(() => this.#options.secrets.keys());
    const keys = new Set([...stored, ...this.#session.keys()]);
    return [...keys].filter((it) => it.startsWith(start)).map((it) => it.slice(start.length));
  }

  /** Asks one time for all secrets that could not be stored, and nobody waits for the answer. */
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

/**
 * Begins a stored credential that carries the origins which it was entered for. Older versions stored the bare
 * credential.
 */
const MARK = "finality:bound:";

const boundSecret = object({ secret: text, origins: listOf(text) });

export function printBoundSecret({ value, origins }: OriginBound<string>): string {
  return MARK + JSON.stringify({ secret: value, origins });
}

/** What is stored: bound, or bare as older versions wrote it. */
export function parseBoundSecret(stored: string): OriginBound<string> | string {
  if (!stored.startsWith(MARK)) return stored;
  const bound = tryReadJson(boundSecret, stored.slice(MARK.length));
  // Damaged: it goes nowhere.
  return bound === undefined ? { value: "", origins: [] } : { value: bound.secret, origins: bound.origins };
}

/** The secret itself, for masking. */
export function bareSecret(stored: string): string {
  const secret = parseBoundSecret(stored);
  return typeof secret === "string" ? secret : secret.value;
}
