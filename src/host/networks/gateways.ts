import {
  type CheckResult,
  type Clock,
  type ConnectionSettings,
  type GatewayLog,
  type HttpGateway,
  type NetworkProfile,
  originsOf,
} from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { defined } from "@finality/tron/primitives";
import type { Dispatcher } from "undici";
import * as vscode from "vscode";
import { type Lazy, lazy } from "../async.ts";
import type { ClientCertificates } from "../secrets/client-certificates.ts";
import { type JwtKeyInUse, type NetworkCredentials, withKeyId } from "../secrets/network-credentials.ts";
import { onDidChangeSettings } from "../settings/settings.ts";
import type { GatewayTest } from "./lazy-gateway.ts";
import type { PlainHttp } from "./plain-http.ts";

type GatewayModule = typeof import("./lazy-gateway.ts");
type Memory = InstanceType<GatewayModule["GatewayMemory"]>;

/** Resources that all gateways share. */
interface Transport {
  readonly parts: GatewayModule;
  readonly dispatcher: Dispatcher;
  /** Reasons why client certificates cannot be used, by origin. */
  readonly settings: ConnectionSettings;
  readonly certificateProblems: ReadonlyMap<string, string>;
  readonly memory: Memory;
}

interface CachedGateway {
  /** Profile from which the gateway was created. */
  readonly profile: string;
  readonly gateway: Promise<HttpGateway>;
}

export interface GatewayServices {
  readonly credentials: NetworkCredentials;
  readonly plainHttp: PlainHttp;
  readonly clientCertificates: Lazy<ClientCertificates>;
  /** Registers a secret that must be masked. */
  readonly mask: (secret: string) => void;
  readonly clock: Clock;
  readonly log: GatewayLog;
  /** Called with the chain time of each head block that is read; ms. */
  readonly sawHead: (network: string, timestamp: number) => unknown;
}

/** One gateway per network, created on first use and again after its profile or secrets change. */
export class Gateways implements vscode.Disposable {
  readonly #services: GatewayServices;
  readonly #stored = new Map<string, CachedGateway>();
  /** JWT key in use, by network. Only the newest look-up counts. */
  readonly #keys = new Map<string, Promise<JwtKeyInUse | undefined>>();
  readonly #tokens = lazy(async () => (await import("./lazy-gateway.ts")).createAccessTokens(this.#services.clock));
  readonly #subscriptions: vscode.Disposable;
  #transport = lazy(() => this.#load());
  #certificates: vscode.Disposable | undefined;

  constructor(services: GatewayServices) {
    this.#services = services;
    this.#subscriptions = vscode.Disposable.from(
      services.credentials.onDidChange((network) => this.#forget(network)),
      onDidChangeSettings(["http"], () => this.#renewTransport()),
    );
  }

  /**
   * Returns the gateway of a network. If its keys were entered for another URL than the current one, no request is made
   * at all.
   *
   * @throws {ChainError} `CREDENTIALS_WITHHELD`, `PLAIN_HTTP_UNCONFIRMED`, `URL_NOT_ALLOWED`, `SECRETS_UNAVAILABLE`
   */
  for(network: NetworkProfile): Promise<HttpGateway> {
    const profile = JSON.stringify(network);
    const stored = this.#stored.get(network.name);
    if (stored?.profile === profile) return stored.gateway;
    if (stored !== undefined) this.forgetFeatures(network);
    const gateway = this.#create(network, network.baseUrl);
    this.#stored.set(network.name, { profile, gateway });
    gateway.catch(() => this.#stored.delete(network.name));
    return gateway;
  }

  /** Returns a gateway that uses only the given URL, with the keys that were entered for it. */
  at(network: NetworkProfile, url: string): Promise<HttpGateway> {
    return this.#create(network, url);
  }

  /**
   * Tests a network. Returns a result for each line of the checklist, in order.
   *
   * @throws {ChainError} `SECRETS_UNAVAILABLE`
   */
  async test(network: NetworkProfile, how: GatewayTest = {}): Promise<readonly CheckResult[]> {
    this.forgetFeatures(network);
    const { parts, dispatcher, settings, certificateProblems } = await this.#transport();
    const solidBlock = async () => (await this.for(network)).solidBlock(how.signal);
    const checked = () => {
      requireCertificates(network, certificateProblems);
      return this.#services.plainHttp.checked(network);
    };
    return await parts.testGateway(network, how, { ...this.#services, dispatcher, settings, solidBlock, checked });
  }

  /**
   * Makes one request with a token of the given key, which need not be in use.
   *
   * @throws {ChainError} `GATEWAY_…` the result, `JWT_SETTING_MISSING`, `CREDENTIALS_WITHHELD`
   */
  async tryKey(asked: NetworkProfile, key: JwtKeyInUse, signal: AbortSignal): Promise<void> {
    const { credentials, clock, log, plainHttp } = this.#services;
    const network = plainHttp.checked(asked);
    const [{ parts, dispatcher }, apiKey] = await Promise.all([this.#transport(), credentials.get("apiKey", network)]);
    const profile = withKeyId({ ...network, jwt: true, fallbackUrls: [] }, key);
    const withheld = parts.withheldFrom(profile, { apiKey, jwtKey: key });
    if (withheld !== undefined) throw withheld;
    const tokens = parts.createAccessTokens(clock);
    await parts
      .createHttpGateway(profile, {
        clock,
        dispatcher,
        log,
        ...defined({ apiKey }),
        accessToken: { ...key, value: () => tokens.token(profile, key.value) },
      })
      .probe(signal);
  }

  /** Returns the token that the next request of a network would carry. @throws {ChainError} `JWT_SETTING_MISSING` */
  async tokenOf(network: NetworkProfile): Promise<string> {
    const token = await this.#token(network, []);
    (await this.#tokens()).ended(token);
    return token;
  }

  /** Resolves when no pending request of this window carries a token of this key ID. */
  async idle(network: NetworkProfile, keyId: string): Promise<void> {
    await (await this.#tokens()).idle(network.name, keyId);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#certificates?.dispose();
    this.#stored.clear();
    this.#transport.ifLoaded(({ dispatcher }) => dispatcher.destroy());
  }

  async #create(asked: NetworkProfile, url: string): Promise<HttpGateway> {
    const { credentials, clock, log, sawHead, plainHttp } = this.#services;
    const network = plainHttp.checked(asked);
    const [{ parts, dispatcher, memory, certificateProblems }, secrets] = await Promise.all([
      this.#transport(),
      credentials.of(network),
    ]);
    requireCertificates(network, certificateProblems);
    const tokens = await this.#tokens();
    const isOwn = url === network.baseUrl;
    const withheld = isOwn ? parts.withheldFrom(network, secrets) : undefined;
    if (withheld !== undefined) throw withheld;
    const { apiKey, jwtKey } = secrets;
    const { origins } = jwtKey ?? parts.bindToOrigins(network, undefined);
    return parts.createHttpGateway(isOwn ? network : { ...network, baseUrl: url, fallbackUrls: [] }, {
      clock,
      dispatcher,
      log,
      memory,
      sawHead: (timestamp) => sawHead(network.name, timestamp),
      ...defined({ apiKey }),
      accessToken: { origins, value: () => this.#token(network, origins) },
      tokenEnded: (token) => tokens.ended(token),
    });
  }

  /** Forgets the detected features of the network's URLs. */
  forgetFeatures({ baseUrl, fallbackUrls }: NetworkProfile): void {
    this.#transport.ifLoaded(({ memory }) => {
      for (const url of [baseUrl, ...fallbackUrls]) memory.forget(url);
    });
  }

  /** Loads the transport; a failure is not cached. */
  async #load(): Promise<Transport> {
    try {
      return await this.#open();
    } catch (error) {
      this.#transport = lazy(() => this.#load());
      throw error;
    }
  }

  async #open(): Promise<Transport> {
    const parts = await import("./lazy-gateway.ts");
    const { clientCertificates, mask } = this.#services;
    const editor = parts.connectionSettings();
    for (const secret of parts.proxySecrets(editor)) mask(secret);
    const certificates = await clientCertificates();
    this.#certificates ??= certificates.onDidChange(() => this.#renewTransport());
    const { usable, problems: certificateProblems } = await certificates.read();
    const settings = { ...editor, clientCertificates: usable };
    const dispatcher = parts.createDispatcher(settings);
    return { parts, dispatcher, settings, certificateProblems, memory: new parts.GatewayMemory() };
  }

  /**
   * Returns a token of the key in use at this moment, for one request, so that a gateway held for longer follows key
   * changes. No other code runs between the last look-up and the count of the token.
   *
   * @param origins - that the requesting gateway may send it to
   */
  async #token(network: NetworkProfile, origins: readonly string[]): Promise<string> {
    const tokens = await this.#tokens();
    for (;;) {
      const loading = this.#keys.get(network.name) ?? this.#readKey(network);
      const key = await loading;
      if (this.#keys.get(network.name) !== loading) continue;
      const elsewhere = origins.find((it) => key !== undefined && !key.origins.includes(it));
      if (elsewhere !== undefined) throw await this.#withheld({ ...network, baseUrl: elsewhere, jwt: true }, key);
      if (key !== undefined) this.#services.credentials.jwtKeysOf(network)?.noteUse(key.id);
      return await tokens.token(withKeyId(network, key), key?.value, key?.lifetime);
    }
  }

  async #withheld(network: NetworkProfile, jwtKey: JwtKeyInUse | undefined): Promise<unknown> {
    return (await this.#transport()).parts.withheldFrom(network, { apiKey: undefined, jwtKey });
  }

  #readKey(network: NetworkProfile): Promise<JwtKeyInUse | undefined> {
    const loading = this.#services.credentials.jwtKeyInUse(network);
    this.#keys.set(network.name, loading);
    loading.catch(() => this.#keys.delete(network.name));
    return loading;
  }

  /** Replaces the transport. Pending requests finish, because aborting a broadcast would make its outcome unknown. */
  #renewTransport(): void {
    this.#transport.ifLoaded(({ dispatcher }) => dispatcher.close());
    this.#transport = lazy(() => this.#load());
    this.#stored.clear();
  }

  #forget(network: string): void {
    this.#stored.delete(network);
    this.#keys.delete(network);
    this.#tokens.ifLoaded((tokens) => tokens.forget(network));
  }
}

/** @throws {ChainError} `CLIENT_CERTIFICATE_UNUSABLE` */
function requireCertificates(network: NetworkProfile, problems: Transport["certificateProblems"]): void {
  for (const url of originsOf(network)) {
    const reason = problems.get(url);
    if (reason !== undefined) throw new ChainError("CLIENT_CERTIFICATE_UNUSABLE", { url, reason });
  }
}
