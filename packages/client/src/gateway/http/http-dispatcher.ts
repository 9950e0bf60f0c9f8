import { defined } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Dispatcher } from "undici";
import connect from "undici/lib/api/api-connect.js";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import DispatcherBase from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { isLoopback, isOwnAddress, isPlain } from "../network.ts";

/** Editor settings for proxies and certificates. */
export interface ConnectionSettings {
  /** URL of a proxy for all hosts except `noProxy`; empty or undefined for none. */
  readonly proxy?: string | undefined;
  /** Hosts without proxy; this computer is always reached directly. */
  readonly noProxy?: readonly string[] | undefined;
  /** Value of `Proxy-Authorization`. */
  readonly proxyAuthorization?: string | undefined;
  /** False accepts invalid certificates; the default is true. */
  readonly strictTls?: boolean | undefined;
  /** Certificates of authorities in PEM, in addition to those of Node. */
  readonly certificates?: readonly string[] | undefined;
  readonly clientCertificates?: readonly ClientCertificate[];
}

/** Client certificate for one origin: PEM or PKCS#12. */
export interface ClientCertificate {
  /** https. */
  readonly origin: string;
  readonly cert?: string;
  readonly key?: string;
  readonly pfx?: Buffer;
  readonly passphrase?: string;
}

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Creates a separate connection pool. It never becomes the global dispatcher, which VS Code and its extensions share.
 * Loopback URLs (`isLoopback`) bypass every proxy.
 */
export function createDispatcher(settings: ConnectionSettings = {}): Dispatcher {
  const { clientCertificates = [] } = settings;
  const routes: Readonly<Record<Route, Dispatcher>> = {
    here: dispatcherFor("here", settings),
    near: dispatcherFor("near", settings),
    elsewhere: dispatcherFor("elsewhere", settings),
  };
  const own = clientCertificates.map(
    (it) => [it.origin, dispatcherFor(routeTo(new URL(it.origin)), settings, it)] as const,
  );
  return new ByOrigin(routes, new Map(own));
}

/** @param identity - Client certificate for the host; it does not change the route. */
function dispatcherFor(route: Route, settings: ConnectionSettings, identity?: ClientCertificate): Dispatcher {
  const agent = agentOptions(settings, identity);
  switch (route) {
    case "here":
      return new Agent({ ...agent, connect: { ...agent.connect, lookup: lookupHere } });
    case "near":
      return new Agent({ ...agent, connect: onlyNear(buildConnector(agent.connect)) });
    case "elsewhere":
      return elsewhere(settings, identity);
  }
}

function agentOptions(settings: ConnectionSettings, identity?: ClientCertificate) {
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...tlsOptions(settings, identity) };
  return { connections: CONNECTIONS, allowH2: false, connect };
}

function tlsOptions({ strictTls = true, certificates }: ConnectionSettings, identity?: ClientCertificate) {
  const { origin: _, ...ours } = identity ?? { origin: "" };
  const ca = certificates === undefined ? {} : { ca: [...certificates] };
  return { rejectUnauthorized: strictTls, ...ca, ...ours };
}

/** @param identity - Client certificate for the host, never for the proxy. */
function elsewhere(settings: ConnectionSettings, identity?: ClientCertificate): Dispatcher {
  const { proxy, noProxy = [], proxyAuthorization } = settings;
  const agent = agentOptions(settings, identity);
  if (proxy === undefined || proxy === "") return new Agent(agent);
  return new EnvHttpProxyAgent({
    ...agent,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: noProxy.join(","),
    requestTls: tlsOptions(settings, identity),
    proxyTls: tlsOptions(settings),
    clientFactory: tunnelClient,
    ...defined({ token: proxyAuthorization }),
  });
}

type Connector = ReturnType<typeof buildConnector>;
type Route = "here" | "near" | "elsewhere";

/** Selects one of three dispatchers: for this computer, for http in the private network, and for everything else. */
class ByOrigin extends DispatcherBase {
  readonly #routes: Readonly<Record<Route, Dispatcher>>;
  /** Dispatchers of origins with a client certificate. */
  readonly #own: ReadonlyMap<string, Dispatcher>;

  constructor(routes: Readonly<Record<Route, Dispatcher>>, own: ReadonlyMap<string, Dispatcher>) {
    super();
    this.#routes = routes;
    this.#own = own;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const url = new URL(options.origin ?? "");
    const dispatcher = this.#own.get(url.origin) ?? this.#routes[routeTo(url)];
    return dispatcher.dispatch(options, handler);
  }

  override async close(): Promise<void> {
    await Promise.all(this.#all().map((it) => it.close()));
  }

  override async destroy(): Promise<void> {
    await Promise.all(this.#all().map((it) => it.destroy()));
  }

  #all(): readonly Dispatcher[] {
    return [...Object.values(this.#routes), ...this.#own.values()];
  }
}

function routeTo(url: URL): Route {
  if (isLoopback(url)) return "here";
  return isPlain(url) ? "near" : "elsewhere";
}

/** Options of Node's `lookup`. */
interface LookupOptions {
  readonly all?: boolean | undefined;
  readonly family?: number | "IPv4" | "IPv6" | undefined;
}

type LookupCallback = (
  error: null,
  address: string | { readonly address: string; readonly family: number }[],
  family?: number,
) => void;

/**
 * Resolves names such as `node.localhost` to this computer, whatever the resolver answers (RFC 6761): keys may go
 * there unencrypted.
 */
const lookupHere = (_host: string, { all, family }: LookupOptions, done: LookupCallback): void => {
  const here = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ].filter((it) => family === undefined || family === 0 || family === it.family || family === `IPv${it.family}`);
  if (all === true) done(null, here);
  else done(null, here[0]?.address ?? "127.0.0.1", here[0]?.family ?? 4);
};

/**
 * Connects unencrypted to private addresses only, whatever the resolver returns. The remote address is checked before
 * the first byte.
 */
export function onlyNear(connect: Connector): Connector {
  return (options, done) => {
    connect(options, (error, socket) => {
      if (socket === null) return done(error ?? new Error(t`no connection`), null);
      const { remoteAddress = "" } = socket;
      if (isOwnAddress(remoteAddress) || isHere(remoteAddress)) return done(null, socket);
      socket.destroy();
      done(new Error(t`${options.hostname} is ${remoteAddress}, outside of a private network`), null);
    });
  };
}

/** Returns true for this computer and for hosts of the local network. */
function isHere(address: string): boolean {
  return /^(?:127\.|::1$|fe[89ab][\da-f]:)/.test(address);
}

/** Connections to the proxy itself. Only the whole undici package gives its classes the method that opens a tunnel. */
function tunnelClient(origin: URL, options: object): Dispatcher {
  return Object.assign(new Pool(origin, options), { connect });
}
