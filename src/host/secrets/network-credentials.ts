import {
  isBoundTo,
  LOCAL_NETWORK_NAME,
  type NetworkProfile,
  type OriginBound,
  type TokenLifetime,
} from "@finality/client/gateway";
import { defined } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Lazy, lazy } from "../async.ts";
import type { JwtKeys, JwtKeysOptions } from "./jwt-keys.ts";
import { parseBoundSecret, printBoundSecret, type SecretStore } from "./secret-store.ts";

/** Kinds of credentials that identify the user to a network. */
type CredentialKind = "apiKey" | "jwtKey";

export const CREDENTIAL_KINDS: readonly CredentialKind[] = ["apiKey", "jwtKey"];
export const CREDENTIAL_LABELS: { readonly [K in CredentialKind]: string } = { apiKey: t`API key`, jwtKey: t`JWT key` };

/** The JWT key in use, as PEM. The key is never sent; its tokens are. */
export interface JwtKeyInUse extends OriginBound<string> {
  /** ID of its record. */
  readonly id: string;
  /** `kid`; absent if none was entered. */
  readonly keyId?: string;
  /** Lifetime of its tokens; absent if none was chosen. */
  readonly lifetime?: TokenLifetime;
}

/** Credentials that requests to a network may carry. */
export interface NetworkSecrets {
  readonly apiKey: OriginBound<string> | undefined;
  readonly jwtKey: JwtKeyInUse | undefined;
}

export interface NetworkCredentialsOptions extends Omit<JwtKeysOptions, "store" | "changed"> {
  readonly store: SecretStore;
}

/** Credentials that the embedded chain requires. */
export interface LocalAccess {
  readonly jwt: boolean;
  readonly apiKey: boolean;
}

/**
 * API keys and JWT keys of networks, each with the origins that the user entered it for. Any program can write
 * settings, so the URL in the settings never decides where a credential is sent. Only this class reads credentials.
 */
export class NetworkCredentials implements vscode.Disposable {
  readonly #options: NetworkCredentialsOptions;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;
  readonly #jwt: Lazy<JwtKeys>;
  #localChain: string | undefined;

  /** Fires with the network whose credentials changed, in any window. */
  readonly onDidChange = this.#changed.event;

  constructor(options: NetworkCredentialsOptions) {
    this.#options = options;
    this.#jwt = lazy(async () => {
      const parts = await import("./jwt-keys.ts");
      return new parts.JwtKeys({ ...options, changed: (owner) => this.#notify(owner) });
    });
    this.#subscription = options.store.onDidChange((kind, place) => {
      if (kind !== "signingKey") this.#notify(kind.startsWith("jwtRecord") ? place.slice(RECORD_ID) : place);
    });
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async of(network: NetworkProfile): Promise<NetworkSecrets> {
    const [apiKey, jwtKey] = await Promise.all([this.get("apiKey", network), this.jwtKeyInUse(network)]);
    return { apiKey, jwtKey };
  }

  /**
   * Returns a credential with its allowed origins. A credential that an older version stored without origins is sent
   * nowhere until the user confirms one, because any program can write the URL in the settings.
   *
   * @throws {ChainError} `SECRETS_UNAVAILABLE`
   */
  async get(kind: CredentialKind, network: NetworkProfile): Promise<OriginBound<string> | undefined> {
    const owner = this.#ownerOf(network.name, network.local);
    const stored = owner === undefined ? undefined : await this.#options.store.get(kind, owner);
    if (owner === undefined || stored === undefined) return undefined;
    const secret = parseBoundSecret(stored);
    return typeof secret === "string" ? { value: secret, origins: [] } : secret;
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async jwtKeyInUse(network: NetworkProfile): Promise<JwtKeyInUse | undefined> {
    const record = (await this.jwtKeys(network)).find(({ inUse }) => inUse);
    const owner = this.#ownerOf(network.name, network.local);
    if (record === undefined || owner === undefined) return undefined;
    const { id, keyId } = record;
    const jwt = await this.#jwt();
    const [key, lifetime] = await Promise.all([jwt.privateKey(owner, id), jwt.lifetime(owner)]);
    if (key === undefined) return undefined;
    return { ...key, id, ...defined({ keyId, lifetime }) };
  }

  /**
   * Returns the JWT key records of a network, oldest first.
   *
   * @throws {ChainError} `SECRETS_UNAVAILABLE`
   */
  async jwtKeys(network: NetworkProfile) {
    const owner = this.#ownerOf(network.name, network.local);
    if (owner === undefined) return [];
    return await (await this.#jwt()).list(owner, network.keyId);
  }

  /** Sets the ID of the key in use after the user edited it in the network's settings. */
  async setKeyIdInUse(network: NetworkProfile, keyId: string | undefined): Promise<void> {
    const record = (await this.jwtKeys(network)).find(({ inUse }) => inUse);
    if (record !== undefined && record.keyId !== keyId) await this.jwtKeysOf(network)?.change(record, { keyId });
  }

  /** Returns the operations on a network's JWT keys; undefined for a local chain that has stopped. */
  jwtKeysOf(network: NetworkProfile) {
    const [owner, jwt] = [this.#ownerOf(network.name, network.local), this.#jwt];
    if (owner === undefined) return undefined;
    return {
      add: async (key: OriginBound<string>, known: Parameters<JwtKeys["add"]>[3]) =>
        (await jwt()).add(owner, network.name, key, known),
      privateKey: async (id: string) => (await jwt()).privateKey(owner, id),
      change: async (...change: Tail<Parameters<JwtKeys["change"]>>) => (await jwt()).change(owner, ...change),
      use: async (id: string) => (await jwt()).use(owner, id),
      remove: async (id: string) => (await jwt()).remove(owner, id),
      isLasting: async (id: string) => (await jwt()).isLasting(owner, id),
      lifetime: async () => (await jwt()).lifetime(owner),
      setLifetime: async (lifetime: TokenLifetime) => (await jwt()).setLifetime(owner, lifetime),
      noteUse: (id: string) => jwt.ifLoaded((it) => it.noteUse(owner, id)),
    };
  }

  /** Stores an API key for these origins only. @param network - its name */
  async set(kind: "apiKey", network: string, secret: OriginBound<string>): Promise<void> {
    const owner = this.#ownerOf(network);
    if (owner === undefined) return;
    await this.#options.store.set(kind, owner, printBoundSecret(secret));
    this.#notify(owner);
  }

  /**
   * Deletes the API key of a network, or all of its JWT keys.
   *
   * @throws {ChainError} `SECRETS_UNAVAILABLE`
   */
  async delete(kind: CredentialKind, network: string): Promise<void> {
    const owner = this.#ownerOf(network);
    if (owner !== undefined) await this.#delete(kind, owner);
  }

  /**
   * Returns whether a removed network of this name left credentials for another URL, or an API key that the new one
   * would replace.
   */
  async leftBehind(network: NetworkProfile, apiKey: string | undefined): Promise<boolean> {
    const { name, baseUrl } = network;
    const stored = await this.#options.store.get("apiKey", name);
    const known = stored === undefined ? undefined : parseBoundSecret(stored);
    if (known !== undefined && isElsewhere(known, baseUrl)) return true;
    if (typeof known === "object" && apiKey !== undefined && apiKey !== known.value) return true;
    const jwt = await this.#jwt();
    const keys = await Promise.all((await jwt.list(name)).map(({ id }) => jwt.privateKey(name, id)));
    return keys.some((key) => key !== undefined && isElsewhere(key, baseUrl));
  }

  /** Allows these origins for all credentials of a network. The user has confirmed it. */
  async bindToo(network: NetworkProfile, origins: readonly string[]): Promise<void> {
    const owner = this.#ownerOf(network.name, network.local);
    if (owner === undefined) return;
    const further = (credential: OriginBound<string>) => ({
      ...credential,
      origins: [...new Set([...credential.origins, ...origins])],
    });
    const apiKey = await this.get("apiKey", network);
    if (apiKey !== undefined) await this.set("apiKey", network.name, further(apiKey));
    for (const { id } of await this.jwtKeys(network)) await (await this.#jwt()).bind(owner, id, further);
  }

  /**
   * Sets the running embedded chain. Its credentials are stored by chain, because all embedded chains share one name.
   * No network of the settings can have such an entry.
   */
  setLocalChain(chain: string | undefined): void {
    if (chain === this.#localChain) return;
    this.#localChain = chain;
    this.#changed.fire(LOCAL_NETWORK_NAME);
  }

  /** Returns the credentials that the running embedded chain requires. */
  async localAccess(): Promise<LocalAccess> {
    const owner = this.#localChain === undefined ? undefined : ownerOfChain(this.#localChain);
    if (owner === undefined) return { jwt: false, apiKey: false };
    const { store } = this.#options;
    const [jwt, apiKey] = await Promise.all([store.get("jwtInUse", owner), store.get("apiKey", owner)]);
    return { jwt: jwt !== undefined, apiKey: apiKey !== undefined };
  }

  /** Deletes the credentials of embedded chains. @param chain - only this one */
  async forgetLocalChains(chain?: string): Promise<void> {
    const owners = [...(await (await this.#jwt()).owners()), ...(await this.#options.store.owners("apiKey"))];
    const gone = owners.filter((it) => (chain === undefined ? it.startsWith(CHAIN) : it === ownerOfChain(chain)));
    for (const owner of new Set(gone)) await Promise.all(CREDENTIAL_KINDS.map((kind) => this.#delete(kind, owner)));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #delete(kind: CredentialKind, owner: string): Promise<void> {
    if (kind === "jwtKey") return await (await this.#jwt()).removeAll(owner);
    await this.#options.store.delete(kind, owner);
    this.#notify(owner);
  }

  #ownerOf(network: string, local = network === LOCAL_NETWORK_NAME): string | undefined {
    if (!local) return network;
    return this.#localChain === undefined ? undefined : ownerOfChain(this.#localChain);
  }

  #notify(owner: string): void {
    if (!owner.startsWith(CHAIN)) this.#changed.fire(owner);
    else if (this.#localChain !== undefined && owner === ownerOfChain(this.#localChain)) {
      this.#changed.fire(LOCAL_NETWORK_NAME);
    }
  }
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;

/** Length of a record's ID and the blank before its owner in the storage. */
const RECORD_ID = 17;

/** Prefix of the owner of an embedded chain. No network name in the settings starts with a blank. */
const CHAIN = " local chain ";

function ownerOfChain(chain: string): string {
  return CHAIN + chain;
}

function isElsewhere(secret: OriginBound<string> | string, url: string): boolean {
  return typeof secret === "string" || !isBoundTo(secret, url);
}

/** Returns the network with the key's ID. The ID in the settings is for a key whose record has none. */
export function withKeyId(network: NetworkProfile, key: JwtKeyInUse | undefined): NetworkProfile {
  return key?.keyId === undefined ? network : { ...network, keyId: key.keyId };
}
