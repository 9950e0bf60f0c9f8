import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from "node:tls";
import {
  type Certificate,
  type ClientCertificate,
  type ConnectionProbe,
  type ConnectionSettings,
  type ConnectResult,
  type FailedAttempt,
  isLoopback,
  isPlain,
  type NameResolution,
  type ProxyAddress,
  type ServerProtocol,
  type TlsHandshake,
} from "@finality/client/gateway";
import { t } from "@vscode/l10n";

/** Time limits of the steps; ms. */
const RESOLVE_MS = 3_000;
const REACH_MS = 3_000;
const SECURE_MS = 4_000;
const SPEAK_MS = 1_500;
/** Shortest time for each of several addresses; ms. */
const SHORTEST_TURN_MS = 800;

const HERE = ["127.0.0.1", "::1"];
/** HTTP/2 connection preface with an empty SETTINGS frame. */
const HTTP2_PREFACE = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
const SETTINGS_FRAME = 4;

/** Checks a connection with its own sockets. */
export class SocketProbe implements ConnectionProbe {
  readonly #settings: ConnectionSettings;
  readonly #proxy: URL | undefined;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    this.#proxy = settings.proxy === undefined ? undefined : (URL.parse(settings.proxy) ?? undefined);
  }

  proxyFor(url: URL): ProxyAddress | undefined {
    const proxy = this.#proxy;
    if (proxy === undefined || isLoopback(url) || isPlain(url) || isExempt(url, this.#settings.noProxy ?? []))
      return undefined;
    return { host: hostOf(proxy), port: portOf(proxy) };
  }

  async resolveName(host: string, signal: AbortSignal): Promise<NameResolution> {
    if (isIP(host) !== 0) return { kind: "found", addresses: [host], ms: 0 };
    if (/(?:^|\.)localhost$/i.test(host)) return { kind: "found", addresses: HERE, ms: 0 };
    const started = performance.now();
    const late = AbortSignal.any([signal, AbortSignal.timeout(RESOLVE_MS)]);
    try {
      const found = await Promise.race([lookup(host, { all: true, verbatim: true }), aborted(late)]);
      return { kind: "found", addresses: found.map(({ address }) => address), ms: since(started) };
    } catch (error) {
      signal.throwIfAborted();
      return { kind: "unknown", code: late.aborted ? "TIMEOUT" : codeOf(error) };
    }
  }

  async connect(addresses: readonly string[], port: number, signal: AbortSignal): Promise<ConnectResult> {
    const failed: FailedAttempt[] = [];
    const turn = Math.max(SHORTEST_TURN_MS, REACH_MS / Math.max(1, addresses.length));
    const end = performance.now() + REACH_MS;
    for (const address of addresses) {
      const started = performance.now();
      try {
        const socket = await opened(connectTcp({ host: address, port }), "connect", turn, signal);
        socket.destroy();
        return { kind: "reached", address, ms: since(started) };
      } catch (error) {
        signal.throwIfAborted();
        failed.push({ address, code: codeOf(error) });
      }
      if (performance.now() > end) break;
    }
    return { kind: "unreached", failed };
  }

  async handshake(url: URL, signal: AbortSignal): Promise<TlsHandshake> {
    const started = performance.now();
    const patience = { ms: SECURE_MS, signal };
    const identity = this.#identityFor(url);
    try {
      const { certificate, fault } = await this.#handshake(url, patience);
      if (fault === undefined && identity !== undefined) await this.#handshake(url, patience, identity);
      return { kind: "secured", certificate, fault, ms: since(started) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoTunnel) return { kind: "no-tunnel", status: error.status };
      const code = codeOf(error);
      return identity !== undefined && WANTS_IDENTITY.test(code)
        ? { kind: "wants-identity" }
        : { kind: "failed", code };
    }
  }

  /**
   * Performs a handshake.
   *
   * @param identity - given only after a handshake without it found the server's certificate valid
   */
  async #handshake(url: URL, patience: Patience, identity?: Identity): Promise<Checked> {
    const socket = await this.#openSecure(url, ["http/1.1"], patience, identity);
    const certificate = certificateOf(socket.getPeerCertificate(true));
    const fault = socket.authorized ? undefined : faultOf(socket);
    socket.destroy();
    return { certificate, fault };
  }

  async detectProtocol(url: URL, signal: AbortSignal): Promise<ServerProtocol> {
    if (this.proxyFor(url) !== undefined) return "unknown";
    const isPlain = url.protocol === "http:";
    const patience = { ms: SPEAK_MS, signal };
    const plain = (): Promise<Socket> =>
      opened(connectTcp({ host: hostOf(url), port: portOf(url) }), "connect", SPEAK_MS, signal);
    const plainAnswer = isPlain ? await firstBytes(plain, HTTP2_PREFACE, patience) : undefined;
    const overTls = await firstBytes(
      () => this.#openSecure(url, ["h2", "http/1.1"], patience),
      HTTP2_PREFACE,
      patience,
    );
    if (isSettings(plainAnswer) || isSettings(overTls)) return "http2";
    if (isPlain) return overTls === undefined ? dialectOf(plainAnswer) : "tls";
    return dialectOf(await firstBytes(plain, Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), patience));
  }

  /** Opens a TLS connection. Any certificate is accepted, because the check reports it; only public data is sent. */
  async #openSecure(
    url: URL,
    protocols: readonly string[],
    patience: Patience,
    identity?: Identity,
  ): Promise<TLSSocket> {
    const { certificates } = this.#settings;
    const host = hostOf(url);
    const socket = await this.#openPlain(url, patience);
    const secured = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: [...protocols],
      rejectUnauthorized: false,
      ...(certificates === undefined ? {} : { ca: [...certificates] }),
      ...identity,
    });
    return await opened(secured, "secureConnect", patience.ms, patience.signal);
  }

  /** Returns the client certificate that requests use for this origin. */
  #identityFor({ origin }: URL): Identity | undefined {
    const found = this.#settings.clientCertificates?.find((it) => it.origin === origin);
    if (found === undefined) return undefined;
    const { origin: _, ...identity } = found;
    return identity;
  }

  async #openPlain(url: URL, patience: Patience): Promise<Socket> {
    const { ms, signal } = patience;
    const through = this.proxyFor(url);
    const server = through ?? { host: hostOf(url), port: portOf(url) };
    const socket = await opened(connectTcp(server), "connect", ms, signal);
    if (through === undefined || this.#proxy === undefined) return socket;
    const isSecret = this.#proxy.protocol === "https:";
    const toProxy = isSecret
      ? await opened(connectTls({ socket, host: through.host, servername: through.host }), "secureConnect", ms, signal)
      : socket;
    const status = await openTunnel(toProxy, tunnelRequest(url, this.#authorization()), patience);
    if (status === 200) return toProxy;
    toProxy.destroy();
    throw new NoTunnel(status);
  }

  /** Returns the credentials for the proxy, never those for a gateway. */
  #authorization(): string | undefined {
    const { proxyAuthorization } = this.#settings;
    if (proxyAuthorization !== undefined) return proxyAuthorization;
    const { username = "", password = "" } = this.#proxy ?? {};
    if (username === "" && password === "") return undefined;
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString("base64")}`;
  }
}

type Identity = Omit<ClientCertificate, "origin">;

/** Certificate of the server in a handshake. */
type Checked = Pick<Extract<TlsHandshake, { kind: "secured" }>, "certificate" | "fault">;

/** Alerts with which a TLS 1.2 server refuses a handshake without a client certificate. */
const WANTS_IDENTITY = /_ALERT_(?:HANDSHAKE_FAILURE|BAD_CERTIFICATE|CERTIFICATE_REQUIRED|NO_CERTIFICATE)/;

interface Patience {
  readonly ms: number;
  readonly signal: AbortSignal;
}

class NoTunnel extends Error {
  readonly status: number;

  constructor(status: number) {
    super(t`The proxy answered ${status}.`);
    this.status = status;
  }
}

/** The host without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/**
 * Returns whether a URL bypasses the proxy, as for requests: `*`, `example.org`, `.example.org` or `*.example.org`,
 * with or without port.
 */
function isExempt(url: URL, noProxy: readonly string[]): boolean {
  return noProxy
    .join(",")
    .split(/[\s,]+/)
    .filter((it) => it !== "")
    .some((entry) => {
      const [, name = entry, port] = /^(.+):(\d+)$/.exec(entry) ?? [];
      if (port !== undefined && Number(port) !== portOf(url)) return false;
      if (name === "*") return true;
      return /^[.*]/.test(name) ? url.hostname.endsWith(name.replace(/^\*/, "")) : url.hostname === name.toLowerCase();
    });
}

function tunnelRequest(url: URL, authorization: string | undefined): string {
  const server = `${url.hostname}:${portOf(url)}`;
  const header = authorization === undefined ? "" : `Proxy-Authorization: ${authorization}\r\n`;
  return `CONNECT ${server} HTTP/1.1\r\nHost: ${server}\r\n${header}\r\n`;
}

/** Returns the status of the proxy's response and reads nothing else of it. */
async function openTunnel(socket: Socket, request: string, { ms, signal }: Patience): Promise<number> {
  const head = await firstOf(socket, request, ms, signal);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head?.toString("latin1") ?? "")?.[1];
  return status === undefined ? 0 : Number(status);
}

/** Returns the first bytes that a server sends in response; undefined if there was no connection. */
async function firstBytes(
  open: () => Promise<Socket>,
  bytes: Buffer,
  { ms, signal }: Patience,
): Promise<Buffer | undefined> {
  try {
    const socket = await open();
    const answer = await firstOf(socket, bytes, ms, signal).catch(() => undefined);
    socket.destroy();
    return answer ?? Buffer.alloc(0);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function isSettings(bytes: Buffer | undefined): boolean {
  return bytes !== undefined && bytes.length >= 9 && bytes[3] === SETTINGS_FRAME && bytes.readUInt32BE(5) === 0;
}

function dialectOf(bytes: Buffer | undefined): ServerProtocol {
  return bytes?.toString("latin1", 0, 5) === "HTTP/" ? "http" : "unknown";
}

/** Resolves when the socket is ready within the time limit. */
async function opened<S extends Socket>(socket: S, event: string, ms: number, signal: AbortSignal): Promise<S> {
  const ready = new Promise<S>((done, fail) => {
    socket.once(event, () => done(socket));
    socket.once("close", () => fail(Object.assign(new Error("It was closed."), { code: "CLOSED" })));
    socket.on("error", fail);
  });
  return await limited(socket, ready, ms, signal);
}

async function firstOf(
  socket: Socket,
  bytes: Buffer | string,
  ms: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const received = new Promise<Buffer | undefined>((done, fail) => {
    socket.once("data", done);
    socket.once("close", () => done(undefined));
    socket.once("error", fail);
  });
  socket.write(bytes);
  return await limited(socket, received, ms, signal);
}

async function limited<T>(socket: Socket, work: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(ms))]);
  try {
    return await Promise.race([work, aborted(late)]);
  } catch (error) {
    socket.destroy();
    throw late.aborted ? Object.assign(new Error("It took too long."), { code: "TIMEOUT" }) : error;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    if (signal.aborted) fail(signal.reason);
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
  });
}

/** Returns the error code, although Node's types promise an error. */
function faultOf({ authorizationError }: TLSSocket): string {
  const fault: unknown = authorizationError;
  return typeof fault === "string" ? fault : codeOf(fault);
}

function certificateOf({
  subject,
  issuer,
  subjectaltname,
  valid_from,
  valid_to,
}: DetailedPeerCertificate): Certificate {
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    names: (subjectaltname ?? "").replaceAll(/DNS:|IP Address:/g, ""),
    from: Date.parse(valid_from),
    until: Date.parse(valid_to),
  };
}

/** Returns the organisation, or else the common name. A repeated field is a list. */
function nameOf(who: { readonly O?: unknown; readonly CN?: unknown } | undefined): string {
  const [first] = [who?.O, who?.CN].flat().filter((it) => typeof it === "string" && it !== "");
  return typeof first === "string" ? first : t`an unknown authority`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}
