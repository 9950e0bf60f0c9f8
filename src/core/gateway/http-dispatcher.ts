import type { Dispatcher } from "undici";
import connect from "undici/lib/api/api-connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";

/** How people want their connections: the editor's settings for proxies and certificates. */
export interface ConnectionSettings {
  /** URL of a proxy for everything but `noProxy`; none when it is absent or empty. */
  readonly proxy?: string | undefined;
  /** Hosts that are asked directly; this machine always is. */
  readonly noProxy?: readonly string[] | undefined;
  /** Value of `Proxy-Authorization`. */
  readonly proxyAuthorization?: string | undefined;
  /** Whether certificates have to be valid; they have to unless this is false. */
  readonly strictTls?: boolean | undefined;
  /** Certificates of authorities in PEM that count besides those of Node. */
  readonly certificates?: readonly string[] | undefined;
}

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;
const LOOPBACK = ["localhost", "127.0.0.1", "::1"];

/**
 * A pool of connections of our own. It never becomes the global dispatcher: the editor and its other extensions share that one.
 */
export function createDispatcher(settings: ConnectionSettings = {}): Dispatcher {
  const { proxy, noProxy = [], proxyAuthorization, strictTls = true, certificates } = settings;
  const tls = { rejectUnauthorized: strictTls, ...(certificates === undefined ? {} : { ca: [...certificates] }) };
  const agent = { connections: CONNECTIONS, allowH2: false, connect: { timeout: CONNECT_TIMEOUT_MS, ...tls } };
  if (proxy === undefined || proxy === "") return new Agent(agent);
  return new EnvHttpProxyAgent({
    ...agent,
    ...{ httpProxy: proxy, httpsProxy: proxy, noProxy: [...LOOPBACK, ...noProxy].join(",") },
    ...{ requestTls: tls, proxyTls: tls, clientFactory: tunnelClient },
    ...(proxyAuthorization === undefined ? {} : { token: proxyAuthorization }),
  });
}

/** Connections to the proxy itself. Only the whole package of undici gives its classes the method that opens a tunnel. */
function tunnelClient(origin: URL, options: object): Dispatcher {
  return Object.assign(new Pool(origin, options), { connect });
}
