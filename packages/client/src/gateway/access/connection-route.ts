import { isChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { isPlain, parseGatewayUrl } from "../network.ts";
import type { CheckName, Finding } from "./connection-checks.ts";
import { addressWords, connectionWords, nameWords, proxyWords, type Said, tlsWords } from "./connection-messages.ts";

/** The proxy on the way to a URL. */
export interface ProxyPlace {
  readonly host: string;
  readonly port: number;
}

/** What came of looking for the addresses of a name. */
export type LookUp =
  | { readonly kind: "found"; readonly addresses: readonly string[]; readonly ms: number }
  | { readonly kind: "unknown"; readonly code: string };

/** An address that did not take a connection, and why: a code of the system, or `TIMEOUT`. */
export interface FailedAttempt {
  readonly address: string;
  readonly code: string;
}

export type Reach =
  | { readonly kind: "reached"; readonly address: string; readonly ms: number }
  | { readonly kind: "unreached"; readonly failed: readonly FailedAttempt[] };

/** Texts of it are the server's own. Times are Unix ms. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  /** The hosts that it is for. */
  readonly names: string;
  readonly from: number;
  readonly until: number;
}

export type Handshake =
  /** `fault`: the code of why nobody should believe the certificate. */
  | {
      readonly kind: "secured";
      readonly certificate: Certificate;
      readonly fault: string | undefined;
      readonly ms: number;
    }
  /** The proxy opens no tunnel. */
  | { readonly kind: "no-tunnel"; readonly status: number }
  /** The server ended the handshake without a client certificate, before its own certificate could be checked. */
  | { readonly kind: "wants-identity" }
  | { readonly kind: "failed"; readonly code: string };

/** What a server speaks that does not answer as HTTP/1.1 over this URL does. */
export type Dialect = "http" | "http2" | "tls" | "unknown";

/**
 * The port through which a connection test looks at the way to a server, below HTTP. It never sends a credential of a
 * network; a proxy gets its own. Each question ends within a few seconds, and none of them throws but the reason of the
 * signal.
 */
export interface ConnectionProbe {
  /** Undefined where the server is asked directly. */
  proxyFor(url: URL): ProxyPlace | undefined;
  lookUp(host: string, signal: AbortSignal): Promise<LookUp>;
  /** Tries the addresses one after the other. */
  reach(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Reach>;
  /** Encrypts, through the proxy if there is one. A client certificate is shown only to a server with a valid one. */
  secure(url: URL, signal: AbortSignal): Promise<Handshake>;
  speaks(url: URL, signal: AbortSignal): Promise<Dialect>;
}

/** Who looks, and who is to know. */
export interface WayContext {
  readonly probe: ConnectionProbe;
  /** Local Unix time; ms. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly tell: (finding: Finding) => void;
  readonly begin: (check: CheckName) => void;
  /** The origins in one's own network for which a person allowed http. */
  readonly plainHttp?: readonly string[] | undefined;
}

/** A certificate that ends sooner is worth a warning. */
const SOON_MS = 14 * 86_400_000;

/** The port of a URL, also where it is not written. */
function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/**
 * Looks at the way to a gateway, one thing after the other: address, proxy, name, connection, encryption. Nothing of
 * HTTP and no credential is sent.
 *
 * @returns whether a request can be sent
 */
export async function checkWay(base: string, context: WayContext): Promise<boolean> {
  const url = readAddress(base, context);
  if (url === undefined) return false;
  const { probe, signal, tell, begin } = context;
  const proxy = probe.proxyFor(url);
  tell({
    check: "proxy",
    status: "ok",
    ...(proxy === undefined ? proxyWords.none : proxyWords.used(`${proxy.host}:${proxy.port}`)),
  });
  const place = proxy ?? { host: url.hostname.replace(/^\[|\]$/g, ""), port: portOf(url) };
  begin("name");
  const looked = await probe.lookUp(place.host, signal);
  tell(nameFinding(place.host, looked));
  if (looked.kind === "unknown") return false;
  begin("connection");
  const reached = await probe.reach(looked.addresses, place.port, signal);
  const elsewhere = reached.kind === "unreached" ? await otherFamily(looked.addresses, place.port, context) : undefined;
  tell(connectionFinding(place, reached, elsewhere));
  if (reached.kind === "unreached") return false;
  return await checkEncryption(url, context);
}

function readAddress(base: string, { tell, plainHttp = [] }: WayContext): URL | undefined {
  try {
    const url = new URL(parseGatewayUrl(base, (origin) => plainHttp.includes(origin)));
    tell({ check: "address", status: "ok", ...addressWords.fine(url.origin, url.protocol === "http:", isPlain(url)) });
    return url;
  } catch (error) {
    if (!isChainError(error)) throw error;
    tell({ check: "address", status: "failed", ...addressWords.refused(error.message) });
    return undefined;
  }
}

function nameFinding(host: string, looked: LookUp): Finding {
  const check = "name";
  if (looked.kind === "found") {
    const isName = !looked.addresses.includes(host);
    const said = isName ? nameWords.found(host, looked.addresses) : nameWords.none(host);
    return { check, status: "ok", ...said, ...(isName ? { ms: looked.ms } : {}) };
  }
  return { check, status: "failed", ...unknownName(host, looked.code) };
}

function unknownName(host: string, code: string): Said {
  switch (code) {
    case "TIMEOUT":
    case "EAI_AGAIN":
      return nameWords.late(host);
    case "ENOTFOUND":
    case "ENODATA":
      return nameWords.unknown(host);
    default:
      return nameWords.failed(host, code);
  }
}

/** A node of this machine may listen on the other kind of address. */
async function otherFamily(
  addresses: readonly string[],
  port: number,
  { probe, signal }: WayContext,
): Promise<string | undefined> {
  const other = { "127.0.0.1": "::1", "::1": "127.0.0.1" }[addresses.join()];
  if (other === undefined) return undefined;
  return (await probe.reach([other], port, signal)).kind === "reached" ? other : undefined;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

function connectionFinding({ host, port }: Place, reached: Reach, elsewhere: string | undefined): Finding {
  const check = "connection";
  if (reached.kind === "reached")
    return { check, status: "ok", ...connectionWords.made(reached.address, port), ms: reached.ms };
  const said =
    elsewhere === undefined
      ? unreached(host, port, reached.failed)
      : connectionWords.otherFamily(host, port, elsewhere);
  return { check, status: "failed", ...said };
}

const NO_ROUTE = new Set(["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);

function unreached(host: string, port: number, failed: readonly FailedAttempt[]): Said {
  const codes = failed.map(({ code }) => code);
  const isIpv6 = failed.length > 0 && failed.every(({ address }) => address.includes(":"));
  if (isIpv6 && codes.every((it) => NO_ROUTE.has(it))) return connectionWords.onlyIpv6(host);
  if (codes.includes("ECONNREFUSED")) return connectionWords.refused(host, port);
  if (codes.some((it) => it === "TIMEOUT" || it === "ETIMEDOUT")) return connectionWords.late(host, port);
  return connectionWords.noWay(host, port, codes[0] ?? t`no address`);
}

async function checkEncryption(url: URL, context: WayContext): Promise<boolean> {
  const { probe, signal, tell, begin, now } = context;
  if (url.protocol === "http:") {
    const isOnWay = isPlain(url);
    tell({ check: "tls", status: isOnWay ? "warning" : "ok", ...(isOnWay ? tlsWords.inTheClear : tlsWords.none) });
    return true;
  }
  begin("tls");
  const handshake = await probe.secure(url, signal);
  if (handshake.kind === "no-tunnel") {
    tell(proxyRefusal(url, handshake.status, probe));
    return false;
  }
  const finding = await tlsFinding(url, handshake, { ...context, time: now() });
  tell(finding);
  return finding.status !== "failed";
}

function proxyRefusal(url: URL, status: number, probe: ConnectionProbe): Finding {
  const { host, port } = probe.proxyFor(url) ?? { host: "", port: 0 };
  const place = `${host}:${port}`;
  const said = status === 407 ? proxyWords.wantsPassword(place) : proxyWords.refused(place, url.hostname, status);
  return { check: "proxy", status: "failed", ...said };
}

async function tlsFinding(
  url: URL,
  handshake: Exclude<Handshake, { kind: "no-tunnel" }>,
  { probe, signal, time }: WayContext & { readonly time: number },
): Promise<Finding> {
  const check = "tls";
  if (handshake.kind === "wants-identity") return { check, status: "failed", ...tlsWords.wantsIdentity };
  if (handshake.kind === "failed")
    return { check, status: "failed", ...(await unsecured(url, handshake.code, { probe, signal })) };
  const { certificate, fault, ms } = handshake;
  if (fault !== undefined) return { check, status: "failed", ...untrusted(url, certificate, { fault, time }) };
  const { issuer, until } = certificate;
  if (until - time < SOON_MS) return { check, status: "warning", ...tlsWords.soon(issuer, until, time), ms };
  return { check, status: "ok", ...tlsWords.fine(issuer, until), ms };
}

function untrusted(
  url: URL,
  { subject, issuer, names, from, until }: Certificate,
  { fault, time }: { readonly fault: string; readonly time: number },
): Said {
  if (until <= time || fault === "CERT_HAS_EXPIRED") return tlsWords.expired(until);
  if (from > time || fault === "CERT_NOT_YET_VALID") return tlsWords.early(from);
  switch (fault) {
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
      return tlsWords.selfSigned(subject);
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return tlsWords.unknownIssuer(issuer);
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return tlsWords.otherHost(url.hostname, names);
    default:
      return tlsWords.fault(fault);
  }
}

async function unsecured(
  url: URL,
  code: string,
  { probe, signal }: Pick<WayContext, "probe" | "signal">,
): Promise<Said> {
  if (code === "TIMEOUT") return tlsWords.late;
  const dialect = await probe.speaks(url, signal);
  if (dialect === "http2") return tlsWords.onlyHttp2(portOf(url));
  if (dialect === "http") return tlsWords.plainHttp(portOf(url));
  return code === "ECONNRESET" || code === "CLOSED" ? tlsWords.reset : tlsWords.failed(code);
}
