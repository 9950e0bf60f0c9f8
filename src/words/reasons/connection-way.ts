import { visibleLine } from "../../core/primitives/plain-text.ts";
import type { Said } from "./connections.ts";

/** A text of a server or a resolver is no longer than this. */
const FOREIGN = 80;
const DAY_MS = 86_400_000;

const quoted = (text: string): string => `“${visibleLine(text, FOREIGN)}”`;
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const EDIT_URL = "Correct the URL of the network.";
const WAY_OF_OPERATOR = "Ask whoever runs the gateway.";

export const addressWords = {
  /** @param leaves - whether what is not encrypted leaves this computer */
  fine: (origin: string, isHttp: boolean, leaves: boolean): Said => ({
    sentence: isHttp
      ? `${origin}: http without encryption, ${leaves ? "in the own network" : "on this computer"}.`
      : `${origin}: https.`,
  }),
  refused: (sentence: string): Said => ({ sentence, nextStep: EDIT_URL }),
} as const;

export const proxyWords = {
  none: { sentence: "The gateway is asked directly." },
  used: (place: string): Said => ({
    sentence: `The proxy ${place} of the editor's settings stands between: name and connection below are those of the proxy.`,
  }),
  wantsPassword: (place: string): Said => ({
    sentence: `The proxy ${place} answered 407: it wants a user and a password, and the editor gave none that it takes.`,
    nextStep: 'Set "http.proxyAuthorization" in the settings of the editor, or ask who runs the proxy.',
  }),
  refused: (place: string, host: string, status: number): Said => ({
    sentence:
      status === 0
        ? `${place} is set as a proxy and does not answer as one.`
        : `The proxy ${place} answered ${status} and opens no tunnel to ${host}.`,
    nextStep: 'Allow the host in the proxy, or set "http.proxy" and "http.noProxy" in the settings of the editor.',
  }),
} as const;

export const nameWords = {
  none: (address: string): Said => ({ sentence: `${address} is an address: there is no name to look for.` }),
  found: (host: string, addresses: readonly string[]): Said => ({
    sentence: `${host} is ${addresses.slice(0, 4).join(", ")}${addresses.length > 4 ? ", …" : ""}.`,
  }),
  unknown: (host: string): Said => ({
    sentence: `No address is known for the name ${host}.`,
    nextStep: "Check how the URL is written, and that this computer is online. In a company, a VPN may know the name.",
  }),
  late: (host: string): Said => ({
    sentence: `Whoever knows names (DNS) gave no address for ${host} in time.`,
    nextStep: "Check that this computer is online, and its DNS settings.",
  }),
  failed: (host: string, code: string): Said => ({
    sentence: `The name ${host} could not be looked for (${code}).`,
    nextStep: "Check that this computer is online, and its DNS settings.",
  }),
} as const;

export const connectionWords = {
  made: (address: string, port: number): Said => ({ sentence: `${address} takes connections on port ${port}.` }),
  refused: (host: string, port: number): Said => ({
    sentence: `Nobody listens on port ${port} of ${host}: the connection was refused.`,
    nextStep: "Check the port in the URL, and that the node runs.",
  }),
  otherFamily: (host: string, port: number, other: string): Said => ({
    sentence: `Nobody listens on port ${port} of ${host}, but somebody does at ${other}: the node listens on IPv${other.includes(":") ? "6" : "4"} only.`,
    nextStep: `Write the host as ${other.includes(":") ? `[${other}]` : other} in the URL of the network.`,
  }),
  late: (host: string, port: number): Said => ({
    sentence: `${host} does not answer on port ${port}: no connection in time.`,
    nextStep: "A firewall may drop it, or the host is down. Check the URL, the network and the proxy settings.",
  }),
  onlyIpv6: (host: string): Said => ({
    sentence: `${host} has addresses of IPv6 only, and this computer has no way to them.`,
    nextStep: "Turn IPv6 on in this network, or ask for a URL that has an address of IPv4.",
  }),
  noWay: (host: string, port: number, code: string): Said => ({
    sentence: `No connection to port ${port} of ${host} can be made (${code}).`,
    nextStep: "Check the network of this computer, and the proxy settings.",
  }),
} as const;

export const tlsWords = {
  none: { sentence: "Not encrypted: it does not leave this computer." },
  inTheClear: {
    sentence: "Not encrypted, as you allowed: whoever listens on the way reads and can change what the gateway says.",
    nextStep: "Use https where the node can; no key of this network is sent there.",
  },
  fine: (issuer: string, until: number): Said => ({
    sentence: `The certificate is valid until ${day(until)}; ${quoted(issuer)} vouches for it.`,
  }),
  soon: (issuer: string, until: number, now: number): Said => ({
    sentence: `The certificate of ${quoted(issuer)} ends on ${day(until)}, in ${Math.max(0, Math.floor((until - now) / DAY_MS))} days.`,
    nextStep: `${WAY_OF_OPERATOR} It has to be renewed before.`,
  }),
  expired: (until: number): Said => ({
    sentence: `The certificate of the gateway expired on ${day(until)}.`,
    nextStep: `${WAY_OF_OPERATOR} If that day is still to come, set the clock of this computer.`,
  }),
  early: (from: number): Said => ({
    sentence: `The certificate of the gateway counts from ${day(from)} on, and this computer has an earlier day.`,
    nextStep: "Set the clock of this computer, then test again.",
  }),
  selfSigned: (subject: string): Said => ({
    sentence: `The certificate is self-signed: nobody but ${quoted(subject)} itself vouches for it, so anybody could have made it.`,
    nextStep: "Give the gateway a certificate of an authority, or add its own to those that this computer trusts.",
  }),
  unknownIssuer: (issuer: string): Said => ({
    sentence: `${quoted(issuer)} vouches for the certificate, and this computer does not know that authority.`,
    nextStep:
      "A company's proxy may have put itself between. Add its certificate to those that this computer trusts, or change the network.",
  }),
  otherHost: (host: string, names: string): Said => ({
    sentence: `The certificate is not for ${host} but for ${quoted(names === "" ? "no host" : names)}.`,
    nextStep: "Check the host in the URL. If it is right, somebody else answers there: send nothing.",
  }),
  fault: (code: string): Said => ({
    sentence: `The certificate cannot be believed (${code}).`,
    nextStep: WAY_OF_OPERATOR,
  }),
  plainHttp: (port: number): Said => ({
    sentence: `Port ${port} speaks http without encryption, and the URL says https.`,
    nextStep: "Use the port of https. On this computer, http:// in the URL works too.",
  }),
  onlyHttp2: (port: number): Said => ({
    sentence: `Port ${port} speaks HTTP/2 only, as a gRPC port does; gateways are asked by HTTP/1.1.`,
    nextStep: "Use the HTTP port: 8090 on a plain node, where 50051 is gRPC.",
  }),
  reset: {
    sentence: "The connection was cut while encryption was agreed on.",
    nextStep: "Check the port in the URL. A firewall or a proxy may cut what is encrypted.",
  },
  late: {
    sentence: "The server took the connection and did not agree on encryption in time.",
    nextStep: "Check the port in the URL.",
  },
  failed: (code: string): Said => ({
    sentence: `No encryption could be agreed on (${code}).`,
    nextStep: `Check the port in the URL. ${WAY_OF_OPERATOR}`,
  }),
} as const;
