import type { Dispatcher } from "undici";
import connect from "undici/lib/api/api-connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import DispatcherBase from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { isLoopback, isOwnAddress, isPlain } from "../network-profile.ts";

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
  /** Where a name of the own network leads; nowhere when it is absent. */
  readonly resolve?: Resolve;
}

interface Resolved {
  readonly address: string;
  readonly family: number;
}

type Resolve = (
  host: string,
  options: LookupOptions & { readonly all: true },
  found: (error: Error | null, addresses: Resolved[]) => void,
) => void;

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A pool of connections of our own. It never becomes the global dispatcher: the editor and its other extensions share
 * that one. What may go unencrypted because it stays on this machine (`isLoopback`) is asked directly, whatever the
 * proxy.
 */
export function createDispatcher(settings: ConnectionSettings = {}): Dispatcher {
  const { proxy, noProxy = [], proxyAuthorization, strictTls = true, certificates, resolve = nowhere } = settings;
  const tls = { rejectUnauthorized: strictTls, ...(certificates === undefined ? {} : { ca: [...certificates] }) };
  const agent = { connections: CONNECTIONS, allowH2: false, connect: { timeout: CONNECT_TIMEOUT_MS, ...tls } };
  const direct = {
    here: new Agent({ ...agent, connect: { ...agent.connect, lookup: lookupHere } }),
    near: new Agent({ ...agent, connect: { ...agent.connect, lookup: lookupNear(resolve) } }),
  };
  if (proxy === undefined || proxy === "") return new ByOrigin({ ...direct, elsewhere: new Agent(agent) });
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
  return new ByOrigin({ ...direct, elsewhere: proxied });
}

type Place = "here" | "near" | "elsewhere";

/** One dispatcher of three: for this machine, for http in the own network, and for everything else. */
class ByOrigin extends DispatcherBase {
  readonly #places: Readonly<Record<Place, Dispatcher>>;

  constructor(places: Readonly<Record<Place, Dispatcher>>) {
    super();
    this.#places = places;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#places[placeOf(new URL(options.origin ?? ""))].dispatch(options, handler);
  }

  override async close(): Promise<void> {
    await Promise.all(Object.values(this.#places).map((it) => it.close()));
  }

  override async destroy(): Promise<void> {
    await Promise.all(Object.values(this.#places).map((it) => it.destroy()));
  }
}

function placeOf(url: URL): Place {
  if (isLoopback(url)) return "here";
  return isPlain(url) ? "near" : "elsewhere";
}

/** What Node gives and takes where it looks for the address of a name. */
interface LookupOptions {
  readonly all?: boolean | undefined;
  readonly family?: number | "IPv4" | "IPv6" | undefined;
}

type LookedNear = (error: Error | null, address: string | Resolved[], family?: number) => void;
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
 * What is not encrypted goes to addresses of the own network alone, whatever a resolver says of a name.
 */
function lookupNear(resolve: Resolve) {
  return (host: string, options: LookupOptions, done: LookedNear): void => {
    resolve(host, { ...options, all: true }, (error, found) => {
      const [one, ...more] = error === null ? found : [];
      if (one === undefined) return done(error ?? new Error(`nobody knows ${host}`), "");
      const stranger = [one, ...more].find(({ address }) => !isOwnAddress(address) && !isHere(address))?.address;
      if (stranger !== undefined) return done(new Error(`${host} is ${stranger}, outside of the own network`), "");
      if (options.all === true) done(null, [one, ...more]);
      else done(null, one.address, one.family);
    });
  };
}

const nowhere: Resolve = (_host, _options, found) => found(null, []);

/** This machine, or a host on the same cable. */
function isHere(address: string): boolean {
  return /^(?:127\.|::1$|fe[89ab][\da-f]:)/.test(address);
}

/**
 * Connections to the proxy itself. Only the whole package of undici gives its classes the method that opens a tunnel.
 */
function tunnelClient(origin: URL, options: object): Dispatcher {
  return Object.assign(new Pool(origin, options), { connect });
}
