import * as vscode from "vscode";
import { type Bound, isFor, type NetworkProfile, originOf } from "../../core/gateway/network-profile.ts";
import type { Log } from "../log/log.ts";
import { parseBoundSecret, printBoundSecret } from "./bound-secret.ts";
import type { SecretStore } from "./secret-store.ts";

/** What a network knows us by. */
export type CredentialKind = "apiKey" | "jwtKey";

export const CREDENTIAL_KINDS: readonly CredentialKind[] = ["apiKey", "jwtKey"];
export const CREDENTIAL_WORDS: { readonly [K in CredentialKind]: string } = { apiKey: "API key", jwtKey: "JWT key" };

/** What a gateway of a network may carry. */
export interface NetworkSecrets {
  readonly apiKey: Bound<string> | undefined;
  /** PEM; it stays here, its tokens go. */
  readonly jwtKey: Bound<string> | undefined;
}

export interface NetworkCredentialsOptions {
  readonly store: SecretStore;
  readonly log: Pick<Log, "info">;
}

/**
 * The API keys and JWT keys of networks, each with the origins that a person entered it for. The settings say where a
 * network answers, and any program may write them: so they never decide where a credential goes. This is the only place
 * that reads one.
 */
export class NetworkCredentials implements vscode.Disposable {
  readonly #options: NetworkCredentialsOptions;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;

  /** Tells the network whose credentials changed, in this window or in another one. */
  readonly onDidChange = this.#changed.event;

  constructor(options: NetworkCredentialsOptions) {
    this.#options = options;
    this.#subscription = options.store.onDidChange((kind, owner) => {
      if (kind === "apiKey" || kind === "jwtKey") this.#changed.fire(owner);
    });
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async of(network: NetworkProfile): Promise<NetworkSecrets> {
    if (network.local) return { apiKey: undefined, jwtKey: undefined };
    const [apiKey, jwtKey] = await Promise.all(CREDENTIAL_KINDS.map((kind) => this.get(kind, network)));
    return { apiKey, jwtKey };
  }

  /**
   * One that an older version stored without its origin is bound to the origin that the network has at this moment.
   *
   * @throws {ChainError} `SECRETS_UNAVAILABLE`
   */
  async get(kind: CredentialKind, network: NetworkProfile): Promise<Bound<string> | undefined> {
    const stored = await this.#options.store.get(kind, network.name);
    if (stored === undefined) return undefined;
    const secret = parseBoundSecret(stored);
    if (typeof secret !== "string") return secret;
    const origin = originOf(network.baseUrl);
    const bound = { value: secret, origins: [origin] };
    await this.#options.store.set(kind, network.name, printBoundSecret(bound));
    this.#options.log.info(
      `The ${CREDENTIAL_WORDS[kind]} of ${network.name} is sent to ${origin} and nowhere else from now on.`,
    );
    return bound;
  }

  /** Stores one for these origins alone. */
  async set(kind: CredentialKind, network: string, secret: Bound<string>): Promise<void> {
    await this.#options.store.set(kind, network, printBoundSecret(secret));
    this.#changed.fire(network);
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async delete(kind: CredentialKind, network: string): Promise<void> {
    await this.#options.store.delete(kind, network);
    this.#changed.fire(network);
  }

  /**
   * Whether a network of this name that is gone left credentials which were not entered for the URL of this one, or an
   * API key that the new one would replace.
   */
  async leftBehind({ name, baseUrl }: NetworkProfile, apiKey: string | undefined): Promise<boolean> {
    for (const kind of CREDENTIAL_KINDS) {
      const stored = await this.#options.store.get(kind, name);
      if (stored === undefined) continue;
      const secret = parseBoundSecret(stored);
      if (typeof secret === "string" || !isFor(secret, baseUrl)) return true;
      if (kind === "apiKey" && apiKey !== undefined && apiKey !== secret.value) return true;
    }
    return false;
  }

  /** Lets all credentials of a network go to these origins too. The person was asked. */
  async bindToo(network: NetworkProfile, origins: readonly string[]): Promise<void> {
    for (const kind of CREDENTIAL_KINDS) {
      const known = await this.get(kind, network);
      if (known === undefined) continue;
      await this.set(kind, network.name, { ...known, origins: [...new Set([...known.origins, ...origins])] });
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
