import { isChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { isPlain, parseGatewayUrl } from "../network.ts";
import type { CheckName, CheckResult } from "./connection-checks.ts";
import {
  addressMessages,
  type CheckMessage,
  connectionMessages,
  nameMessages,
  proxyMessages,
  tlsMessages,
} from "./connection-messages.ts";

/** Proxy on the route to a URL. */
export interface ProxyAddress {
  readonly host: string;
  readonly port: number;
}

/** Result of a name resolution. */
export type NameResolution =
  | { readonly kind: "found"; readonly addresses: readonly string[]; readonly ms: number }
  | { readonly kind: "unknown"; readonly code: string };

/** Address that refused a connection, with the reason: a code of the system, or `TIMEOUT`. */
export interface FailedAttempt {
  readonly address: string;
  readonly code: string;
}

export type ConnectResult =
  | { readonly kind: "reached"; readonly address: string; readonly ms: number }
  | { readonly kind: "unreached"; readonly failed: readonly FailedAttempt[] };

/** Certificate data. Its text comes from the server. Times are Unix ms. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  /** Host names in the certificate. */
  readonly names: string;
  readonly from: number;
  readonly until: number;
}

export type TlsHandshake =
  /** `fault`: code of the reason why the certificate is not trusted. */
  | {
      readonly kind: "secured";
      readonly certificate: Certificate;
      readonly fault: string | undefined;
      readonly ms: number;
    }
  /** The proxy refused the tunnel. */
  | { readonly kind: "no-tunnel"; readonly status: number }
  /** The server ended the handshake without a client certificate, before its own certificate could be checked. */
  | { readonly kind: "wants-identity" }
  | { readonly kind: "failed"; readonly code: string };

/** Protocol of a server that does not answer with HTTP/1.1 at this URL. */
export type ServerProtocol = "http" | "http2" | "tls" | "unknown";

/**
 * Port through which a connection test checks the route to a server, below HTTP. It never sends a credential of a
 * network; a proxy gets its own. Each check ends within a few seconds. Methods throw only the reason of the signal.
 */
export interface ConnectionProbe {
  /** Undefined for a direct connection. */
  proxyFor(url: URL): ProxyAddress | undefined;
  resolveName(host: string, signal: AbortSignal): Promise<NameResolution>;
  /** Tries the addresses in order. */
  connect(addresses: readonly string[], port: number, signal: AbortSignal): Promise<ConnectResult>;
  /** Encrypts, through the proxy if there is one. A client certificate is shown only to a server with a valid one. */
  handshake(url: URL, signal: AbortSignal): Promise<TlsHandshake>;
  detectProtocol(url: URL, signal: AbortSignal): Promise<ServerProtocol>;
}

/** Probe, clock and callbacks of the route checks. */
export interface RouteContext {
  readonly probe: ConnectionProbe;
  /** Local Unix time; ms. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly report: (result: CheckResult) => void;
  readonly begin: (check: CheckName) => void;
  /** Private origins for which the user allowed http. */
  readonly plainHttp?: readonly string[] | undefined;
}

/** Time to expiry below which a certificate is worth a warning. */
const SOON_MS = 14 * 86_400_000;

/** Returns the port of a URL, or its default. */
function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/**
 * Checks the route to a gateway step by step: address, proxy, name, connection, encryption. Sends no HTTP and no
 * credential.
 *
 * @returns whether a request can be sent
 */
export async function checkRoute(base: string, context: RouteContext): Promise<boolean> {
  const url = readAddress(base, context);
  if (url === undefined) return false;
  const { probe, signal, report, begin } = context;
  const proxy = probe.proxyFor(url);
  report({
    check: "proxy",
    status: "ok",
    ...(proxy === undefined ? proxyMessages.none : proxyMessages.used(`${proxy.host}:${proxy.port}`)),
  });
  const server = proxy ?? { host: url.hostname.replace(/^\[|\]$/g, ""), port: portOf(url) };
  begin("name");
  const resolution = await probe.resolveName(server.host, signal);
  report(nameResult(server.host, resolution));
  if (resolution.kind === "unknown") return false;
  begin("connection");
  const reached = await probe.connect(resolution.addresses, server.port, signal);
  const elsewhere =
    reached.kind === "unreached" ? await otherFamily(resolution.addresses, server.port, context) : undefined;
  report(connectionResult(server, reached, elsewhere));
  if (reached.kind === "unreached") return false;
  return await checkEncryption(url, context);
}

function readAddress(base: string, { report, plainHttp = [] }: RouteContext): URL | undefined {
  try {
    const url = new URL(parseGatewayUrl(base, (origin) => plainHttp.includes(origin)));
    report({
      check: "address",
      status: "ok",
      ...addressMessages.fine(url.origin, url.protocol === "http:", isPlain(url)),
    });
    return url;
  } catch (error) {
    if (!isChainError(error)) throw error;
    report({ check: "address", status: "failed", ...addressMessages.refused(error.message) });
    return undefined;
  }
}

function nameResult(host: string, resolution: NameResolution): CheckResult {
  const check = "name";
  if (resolution.kind === "found") {
    const isName = !resolution.addresses.includes(host);
    const message = isName ? nameMessages.found(host, resolution.addresses) : nameMessages.none(host);
    return { check, status: "ok", ...message, ...(isName ? { ms: resolution.ms } : {}) };
  }
  return { check, status: "failed", ...unknownName(host, resolution.code) };
}

function unknownName(host: string, code: string): CheckMessage {
  switch (code) {
    case "TIMEOUT":
    case "EAI_AGAIN":
      return nameMessages.late(host);
    case "ENOTFOUND":
    case "ENODATA":
      return nameMessages.unknown(host);
    default:
      return nameMessages.failed(host, code);
  }
}

/** A node on this computer may listen on the other address family. */
async function otherFamily(
  addresses: readonly string[],
  port: number,
  { probe, signal }: RouteContext,
): Promise<string | undefined> {
  const other = { "127.0.0.1": "::1", "::1": "127.0.0.1" }[addresses.join()];
  if (other === undefined) return undefined;
  return (await probe.connect([other], port, signal)).kind === "reached" ? other : undefined;
}

interface HostPort {
  readonly host: string;
  readonly port: number;
}

function connectionResult(
  { host, port }: HostPort,
  reached: ConnectResult,
  elsewhere: string | undefined,
): CheckResult {
  const check = "connection";
  if (reached.kind === "reached")
    return { check, status: "ok", ...connectionMessages.made(reached.address, port), ms: reached.ms };
  const message =
    elsewhere === undefined
      ? unreached(host, port, reached.failed)
      : connectionMessages.otherFamily(host, port, elsewhere);
  return { check, status: "failed", ...message };
}

const NO_ROUTE = new Set(["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);

function unreached(host: string, port: number, failed: readonly FailedAttempt[]): CheckMessage {
  const codes = failed.map(({ code }) => code);
  const isIpv6 = failed.length > 0 && failed.every(({ address }) => address.includes(":"));
  if (isIpv6 && codes.every((it) => NO_ROUTE.has(it))) return connectionMessages.onlyIpv6(host);
  if (codes.includes("ECONNREFUSED")) return connectionMessages.refused(host, port);
  if (codes.some((it) => it === "TIMEOUT" || it === "ETIMEDOUT")) return connectionMessages.late(host, port);
  return connectionMessages.noWay(host, port, codes[0] ?? t`no address`);
}

async function checkEncryption(url: URL, context: RouteContext): Promise<boolean> {
  const { probe, signal, report, begin, now } = context;
  if (url.protocol === "http:") {
    const isOnWay = isPlain(url);
    report({
      check: "tls",
      status: isOnWay ? "warning" : "ok",
      ...(isOnWay ? tlsMessages.inTheClear : tlsMessages.none),
    });
    return true;
  }
  begin("tls");
  const handshake = await probe.handshake(url, signal);
  if (handshake.kind === "no-tunnel") {
    report(proxyRefusal(url, handshake.status, probe));
    return false;
  }
  const result = await tlsResult(url, handshake, { ...context, time: now() });
  report(result);
  return result.status !== "failed";
}

function proxyRefusal(url: URL, status: number, probe: ConnectionProbe): CheckResult {
  const { host, port } = probe.proxyFor(url) ?? { host: "", port: 0 };
  const place = `${host}:${port}`;
  const message =
    status === 407 ? proxyMessages.wantsPassword(place) : proxyMessages.refused(place, url.hostname, status);
  return { check: "proxy", status: "failed", ...message };
}

async function tlsResult(
  url: URL,
  handshake: Exclude<TlsHandshake, { kind: "no-tunnel" }>,
  { probe, signal, time }: RouteContext & { readonly time: number },
): Promise<CheckResult> {
  const check = "tls";
  if (handshake.kind === "wants-identity") return { check, status: "failed", ...tlsMessages.wantsIdentity };
  if (handshake.kind === "failed")
    return { check, status: "failed", ...(await unsecured(url, handshake.code, { probe, signal })) };
  const { certificate, fault, ms } = handshake;
  if (fault !== undefined) return { check, status: "failed", ...untrusted(url, certificate, { fault, time }) };
  const { issuer, until } = certificate;
  if (until - time < SOON_MS) return { check, status: "warning", ...tlsMessages.soon(issuer, until, time), ms };
  return { check, status: "ok", ...tlsMessages.fine(issuer, until), ms };
}

function untrusted(
  url: URL,
  { subject, issuer, names, from, until }: Certificate,
  { fault, time }: { readonly fault: string; readonly time: number },
): CheckMessage {
  if (until <= time || fault === "CERT_HAS_EXPIRED") return tlsMessages.expired(until);
  if (from > time || fault === "CERT_NOT_YET_VALID") return tlsMessages.early(from);
  switch (fault) {
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
      return tlsMessages.selfSigned(subject);
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return tlsMessages.unknownIssuer(issuer);
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return tlsMessages.otherHost(url.hostname, names);
    default:
      return tlsMessages.fault(fault);
  }
}

async function unsecured(
  url: URL,
  code: string,
  { probe, signal }: Pick<RouteContext, "probe" | "signal">,
): Promise<CheckMessage> {
  if (code === "TIMEOUT") return tlsMessages.late;
  const dialect = await probe.detectProtocol(url, signal);
  if (dialect === "http2") return tlsMessages.onlyHttp2(portOf(url));
  if (dialect === "http") return tlsMessages.plainHttp(portOf(url));
  return code === "ECONNRESET" || code === "CLOSED" ? tlsMessages.reset : tlsMessages.failed(code);
}
