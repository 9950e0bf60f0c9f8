import {
  isBoundTo,
  LOCAL_NETWORK_NAME,
  type NetworkProfile,
  type OriginBound,
  type TokenLifetime,
} from "@finality/client/gateway";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Lazily, lazily } from "../async.ts";
import type { JwtKeys, JwtKeysOptions } from "./jwt-keys.ts";
import { parseBoundSecret, printBoundSecret, type SecretStore } from "./secret-store.ts";

/** What a network knows us by. */
type CredentialKind = "apiKey" | "jwtKey";

export const CREDENTIAL_KINDS: readonly CredentialKind[] = ["apiKey", "jwtKey"];
export const CREDENTIAL_WORDS: { readonly [K in CredentialKind]: string } = { apiKey: t`API key`, jwtKey: t`JWT key` };

/** The JWT key that is in use: PEM; it stays here, its tokens go. */
export interface JwtKeyInUse extends OriginBound<string> {
  /** Of its record. */
  readonly id: string;
  /** `kid`; absent as long as nobody entered it. */
  readonly keyId?: string;
  /** How long its tokens last; absent where nobody chose. */
  readonly lifetime?: TokenLifetime;
}

/** What a gateway of a network may carry. */
export interface NetworkSecrets {
  readonly apiKey: OriginBound<string> | undefined;
  readonly jwtKey: JwtKeyInUse | undefined;
}

export interface NetworkCredentialsOptions extends Omit<JwtKeysOptions, "store" | "changed"> {
  readonly store: SecretStore;
}

/** What the embedded chain asks of who asks it. */
export interface LocalAccess {
  readonly jwt: boolean;
  readonly apiKey: boolean;
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
  readonly #jwt: Lazily<JwtKeys>;
  #localChain: string | undefined;

  /** Tells the network whose credentials changed, in this window or in another one. */
  readonly onDidChange = this.#changed.event;

  constructor(options: NetworkCredentialsOptions) {
    this.#options = options;
    this.#jwt = lazily(async () => {
      const parts = await import("./jwt-keys.ts");
      return new parts.JwtKeys({ ...options, changed: (owner) => this.#tell(owner) });
    });
    this.#subscription = options.store.onDidChange((kind, place) => {
      if (kind !== "signingKey") this.#tell(kind.startsWith("jwtRecord") ? place.slice(RECORD_ID) : place);
    });
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async of(network: NetworkProfile): Promise<NetworkSecrets> {
    const [apiKey, jwtKey] = await Promise.all([this.get("apiKey", network), this.jwtKeyInUse(network)]);
    return { apiKey, jwtKey };
  }

  /**
   * A credential with the origins that it may go to. One that an older version stored without any goes nowhere until the
   * person says where: the settings that hold the URL can be written by any program.
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
    return { ...key, id, ...(keyId === undefined ? {} : { keyId }), ...(lifetime === undefined ? {} : { lifetime }) };
  }

  /**
   * The JWT key records of a network, the oldest first.
   *
   * @throws {ChainError} `SECRETS_UNAVAILABLE`
   */
  async jwtKeys(network: NetworkProfile) {
    const owner = this.#ownerOf(network.name, network.local);
    if (owner === undefined) return [];
    return await (await this.#jwt()).list(owner, network.keyId);
  }

  /** The person gave the key in use another ID where the settings are edited. */
  async setKeyIdInUse(network: NetworkProfile, keyId: string | undefined): Promise<void> {
    const record = (await this.jwtKeys(network)).find(({ inUse }) => inUse);
    if (record !== undefined && record.keyId !== keyId) await this.jwtKeysOf(network)?.change(record, { keyId });
  }

  /** What is done with the JWT keys of a network; undefined for a local chain that is gone. */
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

  /** Stores an API key for these origins alone. @param network - its name */
  async set(kind: "apiKey", network: string, secret: OriginBound<string>): Promise<void> {
    const owner = this.#ownerOf(network);
    if (owner === undefined) return;
    await this.#options.store.set(kind, owner, printBoundSecret(secret));
    this.#tell(owner);
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
   * Whether a network of this name that is gone left credentials which were not entered for the URL of this one, or an
   * API key that the new one would replace.
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

  /** Lets all credentials of a network go to these origins too. The person was asked. */
  async bindToo(network: NetworkProfile, origins: readonly string[]): Promise<void> {
    const owner = this.#ownerOf(network.name, network.local);
    if (owner === undefined) return;
    const further = (known: OriginBound<string>) => ({
      ...known,
      origins: [...new Set([...known.origins, ...origins])],
    });
    const apiKey = await this.get("apiKey", network);
    if (apiKey !== undefined) await this.set("apiKey", network.name, further(apiKey));
    for (const { id } of await this.jwtKeys(network)) await (await this.#jwt()).bind(owner, id, further);
  }

  /**
   * The embedded chain that runs. What it asks for is kept by the chain and not by its name, which says nothing: the next
   * chain has the same one, and no network of the settings has such a place.
   */
  setLocalChain(chain: string | undefined): void {
    if (chain === this.#localChain) return;
    this.#localChain = chain;
    this.#changed.fire(LOCAL_NETWORK_NAME);
  }

  /** What the embedded chain that runs was set up to ask for. */
  async localAccess(): Promise<LocalAccess> {
    const owner = this.#localChain === undefined ? undefined : placeOfChain(this.#localChain);
    if (owner === undefined) return { jwt: false, apiKey: false };
    const { store } = this.#options;
    const [jwt, apiKey] = await Promise.all([store.get("jwtInUse", owner), store.get("apiKey", owner)]);
    return { jwt: jwt !== undefined, apiKey: apiKey !== undefined };
  }

  /** Deletes what was kept for embedded chains. @param chain - for this one alone */
  async forgetLocalChains(chain?: string): Promise<void> {
    const owners = [...(await (await this.#jwt()).owners()), ...(await this.#options.store.owners("apiKey"))];
    const gone = owners.filter((it) => (chain === undefined ? it.startsWith(CHAIN) : it === placeOfChain(chain)));
    for (const owner of new Set(gone)) await Promise.all(CREDENTIAL_KINDS.map((kind) => this.#delete(kind, owner)));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #delete(kind: CredentialKind, owner: string): Promise<void> {
    if (kind === "jwtKey") return await (await this.#jwt()).removeAll(owner);
    await this.#options.store.delete(kind, owner);
    this.#tell(owner);
  }

  #ownerOf(network: string, local = network === LOCAL_NETWORK_NAME): string | undefined {
    if (!local) return network;
    return this.#localChain === undefined ? undefined : placeOfChain(this.#localChain);
  }

  #tell(owner: string): void {
    if (!owner.startsWith(CHAIN)) this.#changed.fire(owner);
    else if (this.#localChain !== undefined && owner === placeOfChain(this.#localChain)) {
      this.#changed.fire(LOCAL_NETWORK_NAME);
    }
  }
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;

/** The ID of a record and the blank behind it, before its owner in the storage. */
const RECORD_ID = 17;

/** Begins with a blank, which the name of no network in the settings does. */
const CHAIN = " local chain ";

function placeOfChain(chain: string): string {
  return CHAIN + chain;
}

function isElsewhere(secret: OriginBound<string> | string, url: string): boolean {
  return typeof secret === "string" || !isBoundTo(secret, url);
}

/** The ID stands with the key; that of the settings is for a key whose record has none. */
export function withKeyId(network: NetworkProfile, key: JwtKeyInUse | undefined): NetworkProfile {
  return key?.keyId === undefined ? network : { ...network, keyId: key.keyId };
}
