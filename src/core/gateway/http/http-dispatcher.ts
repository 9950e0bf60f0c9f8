import type { Dispatcher } from "undici";
import connect from "undici/lib/api/api-connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import DispatcherBase from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { isLoopback } from "../network-profile.ts";

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

/**
 * A pool of connections of our own. It never becomes the global dispatcher: the editor and its other extensions share
 * that one. What may go unencrypted because it stays on this machine (`isLoopback`) is asked directly, whatever the
 * proxy.
 */
export function createDispatcher(settings: ConnectionSettings = {}): Dispatcher {
  const { proxy, noProxy = [], proxyAuthorization, strictTls = true, certificates } = settings;
  const tls = { rejectUnauthorized: strictTls, ...(certificates === undefined ? {} : { ca: [...certificates] }) };
  const agent = { connections: CONNECTIONS, allowH2: false, connect: { timeout: CONNECT_TIMEOUT_MS, ...tls } };
  const direct = new Agent({ ...agent, connect: { ...agent.connect, lookup: lookupHere } });
  if (proxy === undefined || proxy === "") return new ByOrigin(direct, new Agent(agent));
  const proxied = new EnvHttpProxyAgent({
    ...agent,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: noProxy.join(","),
    requestTls: tls,
    proxyTls: tls,
    clientFactory: tunnelClient,
    ...(proxyAuthorization === undefined ? {} : { token: proxyAuthorization }),
  });
  return new ByOrigin(direct, proxied);
}

/** One dispatcher of two: for this machine, and for everything else. */
class ByOrigin extends DispatcherBase {
  readonly #here: Dispatcher;
  readonly #elsewhere: Dispatcher;

  constructor(here: Dispatcher, elsewhere: Dispatcher) {
    super();
    this.#here = here;
    this.#elsewhere = elsewhere;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const isHere = isLoopback(new URL(options.origin ?? ""));
    return (isHere ? this.#here : this.#elsewhere).dispatch(options, handler);
  }

  override async close(): Promise<void> {
    await Promise.all([this.#here.close(), this.#elsewhere.close()]);
  }

  override async destroy(): Promise<void> {
    await Promise.all([this.#here.destroy(), this.#elsewhere.destroy()]);
  }
}

/** What Node gives and takes where it looks for the address of a name. */
interface LookupOptions {
  readonly all?: boolean | undefined;
  readonly family?: number | "IPv4" | "IPv6" | undefined;
}

type Looked = (
  error: null,
  address: string | { readonly address: string; readonly family: number }[],
  family?: number,
) => void;

/**
 * Names such as `node.localhost` are this machine whatever a resolver says (RFC 6761): keys may go there in the clear.
 */
const lookupHere = (_host: string, { all, family }: LookupOptions, done: Looked): void => {
  const here = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ].filter((it) => family === undefined || family === 0 || family === it.family || family === `IPv${it.family}`);
  if (all === true) done(null, here);
  else done(null, here[0]?.address ?? "127.0.0.1", here[0]?.family ?? 4);
};

/**
 * Connections to the proxy itself. Only the whole package of undici gives its classes the method that opens a tunnel.
 */
function tunnelClient(origin: URL, options: object): Dispatcher {
  return Object.assign(new Pool(origin, options), { connect });
}
