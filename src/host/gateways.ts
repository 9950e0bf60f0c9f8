import type { Dispatcher } from "undici";
import * as vscode from "vscode";
import type { Finding } from "../core/gateway/access/finding.ts";
import type { HttpGateway } from "../core/gateway/http-gateway.ts";
import type { GatewayLog } from "../core/gateway/http-sender.ts";
import type { NetworkProfile } from "../core/gateway/network-profile.ts";
import type { Clock } from "../core/time/clock.ts";
import type { SecretStore } from "./secret-store.ts";
import { connectionSettings, onDidChangeSettings } from "./settings.ts";

type Parts = typeof import("./lazy/gateway.ts");
type Tokens = ReturnType<Parts["createAccessTokens"]>;

/** What all gateways share. */
interface Transport {
  readonly parts: Parts;
  readonly dispatcher: Dispatcher;
  readonly tokens: Tokens;
}

interface Kept {
  /** The profile as it was when the gateway was made. */
  readonly profile: string;
  readonly gateway: Promise<HttpGateway>;
}

export interface GatewayServices {
  readonly secrets: SecretStore;
  readonly clock: Clock;
  readonly log: GatewayLog;
  /** Told the chain time of each head block that is read; ms. */
  readonly sawHead: (network: string, timestamp: number) => unknown;
}

/** One gateway for each network, made when it is first needed and made anew when its profile or secrets changed. */
export class Gateways implements vscode.Disposable {
  readonly #services: GatewayServices;
  readonly #kept = new Map<string, Kept>();
  readonly #subscriptions: vscode.Disposable;
  #transport: Promise<Transport> | undefined;

  constructor(services: GatewayServices) {
    this.#services = services;
    this.#subscriptions = vscode.Disposable.from(
      services.secrets.onDidChange((kind, network) => {
        if (kind !== "signingKey") this.#forget(network);
      }),
      onDidChangeSettings(["http"], () => this.#renewTransport()),
    );
  }

  /** @throws {ChainError} `URL_NOT_ALLOWED`, `SECRETS_UNAVAILABLE` */
  for(network: NetworkProfile): Promise<HttpGateway> {
    const profile = JSON.stringify(network);
    const kept = this.#kept.get(network.name);
    if (kept?.profile === profile) return kept.gateway;
    const gateway = this.#create(network);
    this.#kept.set(network.name, { profile, gateway });
    gateway.catch(() => this.#kept.delete(network.name));
    return gateway;
  }

  /** A gateway of the network that asks another of its URLs, and that one alone. */
  at(network: NetworkProfile, url: string): Promise<HttpGateway> {
    return this.#create({ ...network, baseUrl: url, fallbackUrls: [] });
  }

  /** Asks a network once and says what stands in the way. */
  async test(network: NetworkProfile, signal?: AbortSignal): Promise<readonly Finding[]> {
    const { secrets, clock, log } = this.#services;
    const [{ parts, dispatcher }, privateKeyPem, apiKey] = await Promise.all([
      this.#open(),
      secrets.get("jwtKey", network.name),
      secrets.get("apiKey", network.name),
    ]);
    return parts.testConnection(network, { clock, log, dispatcher, privateKeyPem, apiKey }, signal);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#kept.clear();
    void this.#transport?.then(({ dispatcher }) => dispatcher.destroy());
  }

  async #create(network: NetworkProfile): Promise<HttpGateway> {
    const { secrets, clock, log, sawHead } = this.#services;
    const [{ parts, dispatcher, tokens }, apiKey] = await Promise.all([
      this.#open(),
      network.local ? undefined : secrets.get("apiKey", network.name),
    ]);
    return parts.createHttpGateway(network, {
      ...{ clock, dispatcher, log, sawHead: (timestamp) => sawHead(network.name, timestamp) },
      ...(apiKey === undefined ? {} : { apiKey }),
      accessToken: async () => tokens.token(network, await secrets.get("jwtKey", network.name)),
    });
  }

  #open(): Promise<Transport> {
    this.#transport ??= this.#load();
    return this.#transport;
  }

  async #load(): Promise<Transport> {
    const parts = await import("./lazy/gateway.ts");
    const dispatcher = parts.createDispatcher(connectionSettings());
    return { parts, dispatcher, tokens: parts.createAccessTokens(this.#services.clock) };
  }

  /** What is under way ends in its own time: cutting a broadcast off would make its outcome unknown. */
  #renewTransport(): void {
    void this.#transport?.then(({ dispatcher }) => dispatcher.close());
    this.#transport = undefined;
    this.#kept.clear();
  }

  #forget(network: string): void {
    this.#kept.delete(network);
    void this.#transport?.then(({ tokens }) => tokens.forget(network));
  }
}
