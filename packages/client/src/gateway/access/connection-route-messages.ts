import { utcDay } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Said } from "./connection-messages.ts";

/** A text of a server or a resolver is no longer than this. */
const FOREIGN = 80;
const DAY_MS = 86_400_000;

const quoted = (text: string): string => `“${visibleLine(text, FOREIGN)}”`;
const EDIT_URL = t`Correct the URL of the network.`;
const WAY_OF_OPERATOR = t`Ask whoever runs the gateway.`;

export const addressWords = {
  /** @param leaves - whether what is not encrypted leaves this computer */
  fine: (origin: string, isHttp: boolean, leaves: boolean): Said => ({
    sentence: isHttp
      ? t`${origin}: http without encryption, ${leaves ? t`in the own network` : t`on this computer`}.`
      : t`${origin}: https.`,
  }),
  refused: (sentence: string): Said => ({ sentence, nextStep: EDIT_URL }),
} as const;

export const proxyWords = {
  none: { sentence: t`The gateway is asked directly.` },
  used: (place: string): Said => ({
    sentence: t`The proxy ${place} of the editor's settings stands between: name and connection below are those of the proxy.`,
  }),
  wantsPassword: (place: string): Said => ({
    sentence: t`The proxy ${place} answered 407: it wants a user and a password, and the editor gave none that it takes.`,
    nextStep: t`Set "http.proxyAuthorization" in the settings of the editor, or ask who runs the proxy.`,
  }),
  refused: (place: string, host: string, status: number): Said => ({
    sentence:
      status === 0
        ? t`${place} is set as a proxy and does not answer as one.`
        : t`The proxy ${place} answered ${status} and opens no tunnel to ${host}.`,
    nextStep: t`Allow the host in the proxy, or set "http.proxy" and "http.noProxy" in the settings of the editor.`,
  }),
} as const;

export const nameWords = {
  none: (address: string): Said => ({ sentence: t`${address} is an address: there is no name to look for.` }),
  found: (host: string, addresses: readonly string[]): Said => ({
    sentence: t`${host} is ${addresses.slice(0, 4).join(", ")}${addresses.length > 4 ? ", …" : ""}.`,
  }),
  unknown: (host: string): Said => ({
    sentence: t`No address is known for the name ${host}.`,
    nextStep: t`Check how the URL is written, and that this computer is online. In a company, a VPN may know the name.`,
  }),
  late: (host: string): Said => ({
    sentence: t`Whoever knows names (DNS) gave no address for ${host} in time.`,
    nextStep: t`Check that this computer is online, and its DNS settings.`,
  }),
  failed: (host: string, code: string): Said => ({
    sentence: t`The name ${host} could not be looked for (${code}).`,
    nextStep: t`Check that this computer is online, and its DNS settings.`,
  }),
} as const;

export const connectionWords = {
  made: (address: string, port: number): Said => ({ sentence: t`${address} takes connections on port ${port}.` }),
  refused: (host: string, port: number): Said => ({
    sentence: t`Nobody listens on port ${port} of ${host}: the connection was refused.`,
    nextStep: t`Check the port in the URL, and that the node runs.`,
  }),
  otherFamily: (host: string, port: number, other: string): Said => ({
    sentence: t`Nobody listens on port ${port} of ${host}, but somebody does at ${other}: the node listens on IPv${other.includes(":") ? "6" : "4"} only.`,
    nextStep: t`Write the host as ${other.includes(":") ? `[${other}]` : other} in the URL of the network.`,
  }),
  late: (host: string, port: number): Said => ({
    sentence: t`${host} does not answer on port ${port}: no connection in time.`,
    nextStep: t`A firewall may drop it, or the host is down. Check the URL, the network and the proxy settings.`,
  }),
  onlyIpv6: (host: string): Said => ({
    sentence: t`${host} has addresses of IPv6 only, and this computer has no way to them.`,
    nextStep: t`Turn IPv6 on in this network, or ask for a URL that has an address of IPv4.`,
  }),
  noWay: (host: string, port: number, code: string): Said => ({
    sentence: t`No connection to port ${port} of ${host} can be made (${code}).`,
    nextStep: t`Check the network of this computer, and the proxy settings.`,
  }),
} as const;

export const tlsWords = {
  none: { sentence: t`Not encrypted: it does not leave this computer.` },
  inTheClear: {
    sentence: t`Not encrypted, as you allowed: whoever listens on the way reads and can change what the gateway says.`,
    nextStep: t`Use https where the node can; no key of this network is sent there.`,
  },
  fine: (issuer: string, until: number): Said => ({
    sentence: t`The certificate is valid until ${utcDay(until)}; ${quoted(issuer)} vouches for it.`,
  }),
  soon: (issuer: string, until: number, now: number): Said => ({
    sentence: t`The certificate of ${quoted(issuer)} ends on ${utcDay(until)}, in ${Math.max(0, Math.floor((until - now) / DAY_MS))} days.`,
    nextStep: t`${WAY_OF_OPERATOR} It has to be renewed before.`,
  }),
  expired: (until: number): Said => ({
    sentence: t`The certificate of the gateway expired on ${utcDay(until)}.`,
    nextStep: t`${WAY_OF_OPERATOR} If that day is still to come, set the clock of this computer.`,
  }),
  early: (from: number): Said => ({
    sentence: t`The certificate of the gateway counts from ${utcDay(from)} on, and this computer has an earlier day.`,
    nextStep: t`Set the clock of this computer, then test again.`,
  }),
  selfSigned: (subject: string): Said => ({
    sentence: t`The certificate is self-signed: nobody but ${quoted(subject)} itself vouches for it, so anybody could have made it.`,
    nextStep: t`Give the gateway a certificate of an authority, or add its own to those that this computer trusts.`,
  }),
  unknownIssuer: (issuer: string): Said => ({
    sentence: t`${quoted(issuer)} vouches for the certificate, and this computer does not know that authority.`,
    nextStep: t`A company's proxy may have put itself between. Add its certificate to those that this computer trusts, or change the network.`,
  }),
  otherHost: (host: string, names: string): Said => ({
    sentence: t`The certificate is not for ${host} but for ${quoted(names === "" ? t`no host` : names)}.`,
    nextStep: t`Check the host in the URL. If it is right, somebody else answers there: send nothing.`,
  }),
  fault: (code: string): Said => ({
    sentence: t`The certificate cannot be believed (${code}).`,
    nextStep: WAY_OF_OPERATOR,
  }),
  plainHttp: (port: number): Said => ({
    sentence: t`Port ${port} speaks http without encryption, and the URL says https.`,
    nextStep: t`Use the port of https. On this computer, http:// in the URL works too.`,
  }),
  onlyHttp2: (port: number): Said => ({
    sentence: t`Port ${port} speaks HTTP/2 only, as a gRPC port does; gateways are asked by HTTP/1.1.`,
    nextStep: t`Use the HTTP port: 8090 on a plain node, where 50051 is gRPC.`,
  }),
  reset: {
    sentence: t`The connection was cut while encryption was agreed on.`,
    nextStep: t`Check the port in the URL. A firewall or a proxy may cut what is encrypted.`,
  },
  late: {
    sentence: t`The server took the connection and did not agree on encryption in time.`,
    nextStep: t`Check the port in the URL.`,
  },
  wantsIdentity: {
    sentence: t`The gateway asks for your client certificate before its own certificate can be checked, so this test does not show yours.`,
    nextStep: t`Requests show your certificate and may work. A gateway that offers TLS 1.3 can be tested further.`,
  },
  failed: (code: string): Said => ({
    sentence: t`No encryption could be agreed on (${code}).`,
    nextStep: t`Check the port in the URL. ${WAY_OF_OPERATOR}`,
  }),
} as const;
