import { counted, grouped, roughly, utcDay } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Message of a check and the next step. */
export interface CheckMessage {
  readonly sentence: string;
  readonly nextStep?: string;
}

const KEYS_ELSEWHERE = t`If this URL may receive the keys, edit "Keys are sent to" of the network.`;

/** Messages about the URLs to which the network's keys are not sent. */
export const originMessages = {
  /** @param message - Reason why no request was sent. */
  withheld: (message: string): CheckMessage => ({ sentence: message, nextStep: KEYS_ELSEWHERE }),
  elsewhere: (origin: string): CheckMessage => ({
    sentence: t`${origin} receives no keys of this network: they were entered for another URL.`,
    nextStep: KEYS_ELSEWHERE,
  }),
  /** @param message - Reason. */
  addressRefused: (message: string): CheckMessage => ({
    sentence: message,
    nextStep: t`Run Edit Network for this network.`,
  }),
  noKeys: { sentence: t`This network has no keys.` },
  here: { sentence: t`The keys of this network were entered for its URLs.` },
} as const;

const SET_JWT_KEY = t`Run Create JWT Key or Import JWT Key for this network.`;

export const jwtKeyMessages = {
  missing: {
    sentence: t`JWT is on, but this network has no private key, so no token can be created.`,
    nextStep: SET_JWT_KEY,
  },
  fine: (bits: number): CheckMessage => ({ sentence: t`The JWT key is RSA with ${bits} bits.` }),
  /** @param message - Problem with it. */
  unusable: (message: string): CheckMessage => ({ sentence: message, nextStep: SET_JWT_KEY }),
  accepted: { sentence: t`The public key in the account matches the private key used here.` },
  /** The gateway may know another one. */
  otherPublicKey: {
    sentence: t`The public key in the account may not match the private key used here.`,
    nextStep: t`Copy the public key with JWT Keys…, and compare it with the one on the JWT page of the account.`,
  },
} as const;

const COPY_KEY_ID = t`Copy the ID beside your key on the JWT page of the account, and enter it with JWT Keys….`;

export const keyIdMessages = {
  missing: { sentence: t`JWT is on, but the key ID (kid) is not set.`, nextStep: COPY_KEY_ID },
  holdsKey: { sentence: t`The key ID (kid) contains a key, not an ID.`, nextStep: COPY_KEY_ID },
  fingerprint: (id: string): CheckMessage => ({
    sentence: t`The key ID (kid) "${id}" may be the fingerprint of the key. The ID is shown beside it in your account.`,
    nextStep: COPY_KEY_ID,
  }),
  fine: (id: string): CheckMessage => ({ sentence: t`The key ID (kid) is "${id}".` }),
  other: (id: string): CheckMessage => ({
    sentence: t`The key ID (kid) "${id}" may not belong to a key of this account.`,
    nextStep: t`Compare it with the ID beside your key on the JWT page of the account, and change it with JWT Keys….`,
  }),
} as const;

const TAKE_AUDIENCE = t`Copy the audience from the documentation of the service, and edit the network.`;

export const audienceMessages = {
  missing: { sentence: t`JWT is on, but the audience is not set.`, nextStep: TAKE_AUDIENCE },
  noDomain: (audience: string): CheckMessage => ({
    sentence: t`The audience "${audience}" is not a plain domain name such as example.org.`,
    nextStep: TAKE_AUDIENCE,
  }),
  otherDomain: (audience: string, host: string): CheckMessage => ({
    sentence: t`The audience "${audience}" is not the domain of ${host}. That is unusual.`,
    nextStep: TAKE_AUDIENCE,
  }),
  fine: (audience: string): CheckMessage => ({ sentence: t`The audience is "${audience}".` }),
  /** @param right - Audience of an accepted token. */
  wrong: (audience: string, right: string): CheckMessage => ({
    sentence: t`The audience "${audience}" is wrong: the gateway accepted a token for "${right}".`,
    nextStep: t`Set the audience of this network to ${right}.`,
  }),
  other: (audience: string): CheckMessage => ({
    sentence: t`The audience "${audience}" may not be the one that the service expects.`,
    nextStep: t`Copy the audience from the documentation of the service: it is usually the domain name.`,
  }),
} as const;

export const tokenMessages = {
  wellFormed: { sentence: t`The token is well-formed.` },
  off: { sentence: t`JWT is off for this network, and the gateway requires no token.` },
  accepted: { sentence: t`The token was accepted.` },
  /** The clock is the cause. */
  late: { sentence: t`The gateway accepted a token that expires a day later. Check the clock.` },
  forOtherAudience: { sentence: t`The gateway accepted a token for another audience. Check the audience.` },
  /** @param message - One of `tokenFaults`. */
  faulty: (message: string): CheckMessage => ({
    sentence: message,
    nextStep: t`Report this with the log, or set the JWT key again.`,
  }),
  required: {
    sentence: t`The connection was closed without an answer to a request that had no token, as gateways with JWT on do.`,
    nextStep: t`Turn JWT on for this network, with the key, its ID and the audience of your account.`,
  },
  /** The gateway drops a well-formed token. The unusual setting is listed first. */
  dropped: (keyId: string, audience: string, first: "key-id" | "audience"): CheckMessage => {
    const names = [t`the key ID (kid) "${keyId}"`, t`the audience "${audience}"`];
    const inOrder = (first === "audience" ? names.reverse() : names).join(t`, `);
    return {
      sentence: t`The service dropped a well-formed token: ${inOrder} or the registered public key does not match it.`,
      nextStep: t`Compare all three with the JWT page of the account, in this order.`,
    };
  },
} as const;

/** Defects for which the service would refuse a token. */
export const tokenFaults = {
  notSent: t`No token was sent, although JWT is on.`,
  twoSpaces: t`The header Authorization has more than one space after Bearer.`,
  otherForm: t`The header Authorization is not of the form Bearer <token>.`,
  undecodable: t`The token cannot be decoded.`,
  noJwt: t`The token is not marked as a JWT (typ).`,
  endNoNumber: t`The expiration of the token (exp) is not a number of seconds.`,
  algorithm: (used: string, accepted: string) => t`The token is signed with ${used}; only ${accepted} is accepted.`,
  keyId: (named: string, set: string) => t`The token names the key ID "${named}", the network "${set}".`,
  audience: (named: string, set: string) => t`The token is for the audience "${named}", the network says "${set}".`,
  expired: (seconds: number) =>
    t`The token had expired ${seconds} s before it arrived. Check the clock of this computer.`,
} as const;

export const apiKeyMessages = {
  refused: (status: number, header: string, isSet: boolean): CheckMessage => ({
    sentence: isSet
      ? t`The gateway answered ${status}: the API key in the header ${header} is wrong.`
      : t`The gateway answered ${status}: the API key in the header ${header} is missing.`,
    nextStep: t`Run Set API Key with the key from your account.`,
  }),
  /** Some gateways give this answer to a token too. */
  refusedWithToken: (status: number, header: string, isSet: boolean): CheckMessage => ({
    sentence: isSet
      ? t`The gateway answered ${status}: the API key in the header ${header} is wrong, or the token is not accepted.`
      : t`The gateway answered ${status}: the API key in the header ${header} is missing, or the token is not accepted.`,
    nextStep: t`Run Set API Key with the key from your account, then compare key ID, audience and public key with its JWT page.`,
  }),
  sent: (header: string): CheckMessage => ({ sentence: t`An API key is sent in the header ${header}.` }),
  none: { sentence: t`No API key is set, and the gateway requires none.` },
} as const;

export const clockMessages = {
  fine: (seconds: number): CheckMessage => ({
    sentence: t`The clock of this computer is correct (${seconds} s difference).`,
  }),
  unknown: { sentence: t`The gateway reports no time, so the clocks were not compared.` },
  /** @param way - Position of the gateway's clock. */
  apart: (seconds: number, way: "ahead" | "behind"): CheckMessage => ({
    sentence:
      way === "behind"
        ? t`The clock of this computer is ${seconds} s behind that of the gateway.`
        : t`The clock of this computer is ${seconds} s ahead of that of the gateway.`,
    nextStep: t`Set the clock of this computer, then test again.`,
  }),
  /** @param seconds - Difference; undefined if unknown. */
  slow: (seconds: number | undefined): CheckMessage => ({
    sentence: t`The clock of this computer is behind${seconds === undefined ? "" : t` by ${seconds} s`}, so every token has expired when it arrives.`,
    nextStep: t`Set the clock of this computer (time zone and daylight saving too), then test again.`,
  }),
} as const;

/** Maximum length of a text from a server or a resolver. */
const LONGEST_NAME = 80;
const DAY_MS = 86_400_000;

const quotedName = (text: string): string => `“${visibleLine(text, LONGEST_NAME)}”`;
const EDIT_URL = t`Correct the URL of the network.`;
const ASK_OPERATOR = t`Ask the gateway's operator.`;

export const addressMessages = {
  /** @param leaves - Whether unencrypted data leaves this computer. */
  fine: (origin: string, isHttp: boolean, leaves: boolean): CheckMessage => ({
    sentence: isHttp
      ? t`${origin}: http without encryption, ${leaves ? t`in a private network` : t`on this computer`}.`
      : t`${origin}: https.`,
  }),
  refused: (message: string): CheckMessage => ({ sentence: message, nextStep: EDIT_URL }),
} as const;

export const proxyMessages = {
  none: { sentence: t`No proxy is used.` },
  used: (location: string): CheckMessage => ({
    sentence: t`Finality uses the proxy ${location} from the editor settings. Name and connection below are those of the proxy.`,
  }),
  wantsPassword: (location: string): CheckMessage => ({
    sentence: t`The proxy ${location} answered 407: it requires a user name and a password, and those in the editor settings are missing or wrong.`,
    nextStep: t`Set "http.proxyAuthorization" in the settings of the editor, or ask the proxy's administrator.`,
  }),
  refused: (location: string, host: string, status: number): CheckMessage => ({
    sentence:
      status === 0
        ? t`${location} is configured as a proxy but does not respond as one.`
        : t`The proxy ${location} answered ${status} and did not open a tunnel to ${host}.`,
    nextStep: t`Allow the host in the proxy, or set "http.proxy" and "http.noProxy" in the settings of the editor.`,
  }),
} as const;

export const nameMessages = {
  none: (address: string): CheckMessage => ({ sentence: t`${address} is an address: there is no name to resolve.` }),
  found: (host: string, addresses: readonly string[]): CheckMessage => ({
    sentence: t`${host} is ${addresses.slice(0, 4).join(", ")}${addresses.length > 4 ? ", …" : ""}.`,
  }),
  unknown: (host: string): CheckMessage => ({
    sentence: t`No address was found for ${host}.`,
    nextStep: t`Check how the URL is written, and that this computer is online. In a company, a VPN may know the name.`,
  }),
  late: (host: string): CheckMessage => ({
    sentence: t`The DNS server returned no address for ${host} in time.`,
    nextStep: t`Check that this computer is online, and its DNS settings.`,
  }),
  failed: (host: string, code: string): CheckMessage => ({
    sentence: t`The name ${host} could not be resolved (${code}).`,
    nextStep: t`Check that this computer is online, and its DNS settings.`,
  }),
} as const;

export const connectionMessages = {
  made: (address: string, port: number): CheckMessage => ({
    sentence: t`${address} accepts connections on port ${port}.`,
  }),
  refused: (host: string, port: number): CheckMessage => ({
    sentence: t`Nothing listens on port ${port} of ${host}: the connection was refused.`,
    nextStep: t`Check the port in the URL, and that the node runs.`,
  }),
  otherFamily: (host: string, port: number, other: string): CheckMessage => ({
    sentence: t`Nothing listens on port ${port} of ${host}, but a server does at ${other}: the node listens on IPv${other.includes(":") ? "6" : "4"} only.`,
    nextStep: t`Write the host as ${other.includes(":") ? `[${other}]` : other} in the URL of the network.`,
  }),
  late: (host: string, port: number): CheckMessage => ({
    sentence: t`${host} does not answer on port ${port}: the connection timed out.`,
    nextStep: t`A firewall may drop it, or the host is down. Check the URL, the network and the proxy settings.`,
  }),
  onlyIpv6: (host: string): CheckMessage => ({
    sentence: t`${host} has only IPv6 addresses, which this computer cannot reach.`,
    nextStep: t`Turn on IPv6 in this network, or ask for a URL with an IPv4 address.`,
  }),
  noWay: (host: string, port: number, code: string): CheckMessage => ({
    sentence: t`Port ${port} of ${host} cannot be reached (${code}).`,
    nextStep: t`Check the network of this computer, and the proxy settings.`,
  }),
} as const;

export const tlsMessages = {
  none: { sentence: t`Not encrypted: it does not leave this computer.` },
  inTheClear: {
    sentence: t`Not encrypted, as you allowed: others on the network can read and change the traffic.`,
    nextStep: t`Use https where the node can; no key of this network is sent there.`,
  },
  fine: (issuer: string, until: number): CheckMessage => ({
    sentence: t`The certificate is valid until ${utcDay(until)}, issued by ${quotedName(issuer)}.`,
  }),
  soon: (issuer: string, until: number, now: number): CheckMessage => ({
    sentence: t`The certificate of ${quotedName(issuer)} expires on ${utcDay(until)}, in ${Math.max(0, Math.floor((until - now) / DAY_MS))} days.`,
    nextStep: t`${ASK_OPERATOR} Renew it before that date.`,
  }),
  expired: (until: number): CheckMessage => ({
    sentence: t`The certificate of the gateway expired on ${utcDay(until)}.`,
    nextStep: t`${ASK_OPERATOR} If that date is in the future, set the clock of this computer.`,
  }),
  early: (from: number): CheckMessage => ({
    sentence: t`The certificate of the gateway is not valid before ${utcDay(from)}, and the date of this computer is earlier.`,
    nextStep: t`Set the clock of this computer, then test again.`,
  }),
  selfSigned: (subject: string): CheckMessage => ({
    sentence: t`The certificate is self-signed by ${quotedName(subject)}, so anyone could have created it.`,
    nextStep: t`Use a certificate from a certificate authority, or add this one to the certificates that this computer trusts.`,
  }),
  unknownIssuer: (issuer: string): CheckMessage => ({
    sentence: t`${quotedName(issuer)} issued the certificate, but this computer does not trust that authority.`,
    nextStep: t`A company proxy may intercept the connection. Add its certificate to the trusted certificates of this computer, or use another network connection.`,
  }),
  otherHost: (host: string, names: string): CheckMessage => ({
    sentence: t`The certificate is not for ${host} but for ${quotedName(names === "" ? t`no host` : names)}.`,
    nextStep: t`Check the host in the URL. If it is correct, another server answers there: send nothing.`,
  }),
  fault: (code: string): CheckMessage => ({
    sentence: t`The certificate could not be verified (${code}).`,
    nextStep: ASK_OPERATOR,
  }),
  plainHttp: (port: number): CheckMessage => ({
    sentence: t`Port ${port} uses http without encryption, but the URL says https.`,
    nextStep: t`Use the port of https. On this computer, http:// in the URL works too.`,
  }),
  onlyHttp2: (port: number): CheckMessage => ({
    sentence: t`Port ${port} accepts HTTP/2 only, like a gRPC port; gateways use HTTP/1.1.`,
    nextStep: t`Use the HTTP port: 8090 on a plain node, where 50051 is gRPC.`,
  }),
  reset: {
    sentence: t`The connection was closed during the TLS handshake.`,
    nextStep: t`Check the port in the URL. A firewall or a proxy may block encrypted connections.`,
  },
  late: {
    sentence: t`The server accepted the connection but did not complete the TLS handshake in time.`,
    nextStep: t`Check the port in the URL.`,
  },
  wantsIdentity: {
    sentence: t`The gateway requests your client certificate before its own can be checked, so this test does not send yours.`,
    nextStep: t`Requests send your certificate and may work. A gateway that offers TLS 1.3 can be tested further.`,
  },
  failed: (code: string): CheckMessage => ({
    sentence: t`The TLS handshake failed (${code}).`,
    nextStep: t`Check the port in the URL. ${ASK_OPERATOR}`,
  }),
} as const;

/** Maximum length of a text from a server. */
const LONGEST_TEXT = 60;
const quoted = (text: string): string => `“${visibleLine(text, LONGEST_TEXT)}”`;
const seconds = (ms: number): string => t`${Math.max(1, Math.round(ms / 1000))} s`;

/** Messages about the first response. */
export const gatewayMessages = {
  answered: (ms: number): CheckMessage => ({ sentence: t`The gateway answered in ${ms} ms.` }),
  refusedWith: (status: number): CheckMessage => ({ sentence: t`The gateway answered with the status ${status}.` }),
  silent: (ms: number | undefined): CheckMessage => ({
    sentence:
      ms === undefined
        ? t`The gateway closed the connection without an answer, as gateways do for a token that they do not accept.`
        : t`The gateway did not answer in ${seconds(ms)}, as gateways do for a token that they do not accept.`,
  }),
  slow: (ms: number): CheckMessage => ({
    sentence: t`The gateway did not answer in ${seconds(ms)}.`,
    nextStep: t`It is overloaded or has stopped. Test again later, or use another URL of the chain.`,
  }),
  reset: {
    sentence: t`The connection was reset as soon as the request arrived.`,
    nextStep: t`A firewall or a load balancer may close it, or the node behind it is down. If the account has JWT on, turn it on for this network.`,
  },
  truncated: (reason: string): CheckMessage => ({
    sentence: t`The answer of the gateway is incomplete: ${visibleLine(reason, LONGEST_TEXT)}.`,
    nextStep: t`A proxy or a load balancer may cut off answers. Test again, or from another network.`,
  }),
  page: (title: string): CheckMessage => ({
    sentence:
      title === ""
        ? t`The URL returned a web page, not the answer of a gateway.`
        : t`The URL returned a web page, ${quoted(title)}, not the answer of a gateway.`,
    nextStep: t`If this network requires a sign-in (hotel, train), sign in with a browser. Otherwise the URL is that of a web site.`,
  }),
  redirected: (status: number, to: string): CheckMessage => ({
    sentence: t`The answer (${status}) redirects${to === "" ? "" : t` to ${quoted(to)}`}; keys are only sent to the configured URL.`,
    nextStep: t`If this network requires a sign-in, sign in with a browser. Otherwise set the new URL of the gateway.`,
  }),
  noJson: (start: string): CheckMessage => ({
    sentence: start === "" ? t`The answer is empty.` : t`The answer is not JSON; it begins with ${quoted(start)}.`,
    nextStep: t`The server at this URL is not a gateway: check the URL.`,
  }),
  notHttp: {
    sentence: t`The response is not HTTP.`,
    nextStep: t`Check the port in the URL: 8090 on a plain node.`,
  },
  onlyHttp2: (port: number): CheckMessage => ({
    sentence: t`Port ${port} accepts HTTP/2 only, like a gRPC port; gateways use HTTP/1.1.`,
    nextStep: t`Use the HTTP port: 8090 on a plain node, where 50051 is gRPC.`,
  }),
  wantsTls: (port: number): CheckMessage => ({
    sentence: t`Port ${port} requires encryption, but the URL begins with http.`,
    nextStep: t`Write https:// in the URL of the network.`,
  }),
  wrongPath: (status: number, path: string): CheckMessage => ({
    sentence: t`The server answered ${status} to ${path}, which every gateway serves.`,
    nextStep: t`Check the path in the URL of the network, and that it is the URL of a gateway.`,
  }),
  solidityPort: {
    sentence: t`This URL serves only solidified data (/walletsolidity), nothing under /wallet.`,
    nextStep: t`Set it as "URL of solidified data", and the port of the full node (8090 on a plain node) as URL.`,
  },
  failing: (status: number): CheckMessage => ({
    sentence: t`The gateway answered ${status}: it is overloaded, or the node behind it is down.`,
    nextStep: t`Test again later, or use another URL of the chain.`,
  }),
  refusedBy: (status: number): CheckMessage => ({
    sentence: t`The gateway refused the request with the status ${status}.`,
    nextStep: t`Check the URL of the network.`,
  }),
  unreachable: (message: string): CheckMessage => ({
    sentence: message,
    nextStep: t`Check the URL of the network, the proxy settings, and that the node runs.`,
  }),
} as const;

export const rateLimitMessages = {
  limited: (status: number, waitMs: number | undefined): CheckMessage => ({
    sentence: t`The gateway answered ${status}: too many requests.${waitMs === undefined ? "" : t` Retry after ${seconds(waitMs)}.`}`,
    nextStep: t`Wait, then test again. An API key, or a larger plan, allows more requests.`,
  }),
  limitedLater: (requests: number): CheckMessage => ({
    sentence: t`The gateway refused further requests after ${counted(requests, t`request`, t`requests`)} of this test.`,
    nextStep: t`An API key or a larger plan allows more requests. Skipped checks are marked.`,
  }),
  seen: (headers: readonly string[]): CheckMessage => ({ sentence: t`Reported limits: ${headers.join(", ")}.` }),
  none: { sentence: t`No header reports a limit.` },
} as const;

/** Messages about the chain behind the URLs. Times are in ms. */
export const chainMessages = {
  headFresh: (height: number, ageMs: number): CheckMessage => ({
    sentence: t`The newest block is ${grouped(height)}, ${seconds(Math.max(0, ageMs))} old.`,
  }),
  headLocal: (height: number): CheckMessage => ({ sentence: t`The newest block is ${grouped(height)}.` }),
  headOld: (height: number, ageMs: number, isMeasured: boolean): CheckMessage => ({
    sentence: t`The newest block, ${grouped(height)}, is ${roughly(ageMs)} old${isMeasured ? "" : t` by the clock of this computer`}: the node is behind the chain, or the chain has stopped.`,
    nextStep: t`Wait until the node has caught up, or use another URL of the chain.`,
  }),
  headAhead: (height: number, aheadMs: number): CheckMessage => ({
    sentence: t`The newest block, ${grouped(height)}, is ${roughly(aheadMs)} ahead of the clock.`,
    nextStep: t`Check the clock of this computer, and that of the gateway.`,
  }),
  noHead: (path: string): CheckMessage => ({ sentence: t`${path} is not served, so the newest block is unknown.` }),
  solid: (height: number, behind: number): CheckMessage => ({
    sentence: t`Block ${grouped(height)} is solidified, ${counted(behind, t`block`, t`blocks`)} behind the newest one.`,
  }),
  solidAlone: (height: number, ageMs: number): CheckMessage => ({
    sentence: t`Block ${grouped(height)} is solidified, ${seconds(Math.max(0, ageMs))} old.`,
  }),
  solidBehind: (height: number, behind: number): CheckMessage => ({
    sentence: t`Solidified data ends at block ${grouped(height)}, ${counted(behind, t`block`, t`blocks`)} behind the newest one; about 20 are usual.`,
    nextStep: t`Nothing becomes final here until it catches up. Ask the node's operator, or use another URL of solidified data.`,
  }),
  solidOld: (height: number, ageMs: number): CheckMessage => ({
    sentence: t`The newest solidified block, ${grouped(height)}, is ${roughly(ageMs)} old.`,
    nextStep: t`Nothing becomes final here until it catches up. Ask the node's operator, or use another URL of solidified data.`,
  }),
  solidAhead: (height: number, ahead: number): CheckMessage => ({
    sentence: t`Solidified block ${grouped(height)} is ${counted(ahead, t`block`, t`blocks`)} ahead of the newest block: the two URLs reach different nodes, and the node of /wallet is behind.`,
    nextStep: t`Use URLs of one node, or wait until the other one has caught up.`,
  }),
  noSolid: (path: string): CheckMessage => ({
    sentence: t`${path} is not served, so the newest solidified block is unknown.`,
  }),
  sameChain: (chain: string): CheckMessage => ({
    sentence: t`Both URLs have the same first block; its ID begins with ${chain}.`,
  }),
  otherChain: (head: string, solid: string): CheckMessage => ({
    sentence: t`The two URLs belong to different chains: the first block of /wallet begins with ${head}, that of /walletsolidity with ${solid}.`,
    nextStep: t`Set "URL of solidified data" to the same chain, or remove it.`,
  }),
  notCompared: (path: string): CheckMessage => ({
    sentence: t`${path} is not served, so the first blocks of both URLs could not be compared.`,
  }),
  sameFork: (height: number): CheckMessage => ({ sentence: t`Both URLs have the same block ${grouped(height)}.` }),
  otherFork: (height: number): CheckMessage => ({
    sentence: t`The two URLs have different blocks ${grouped(height)}: the node of /wallet is on a fork.`,
    nextStep: t`Do not send transactions there. Ask the node's operator, or use another URL of the chain.`,
  }),
  forkUnknown: { sentence: t`The blocks of both URLs could not be compared.` },
} as const;

export const pathMessages = {
  served: (path: string, ms: number): CheckMessage => ({ sentence: t`${path} answers, in ${ms} ms.` }),
  missing: (path: string, status: number): CheckMessage => ({
    sentence: t`${path} is not served (${status}), although every gateway must serve it.`,
    nextStep: t`Ask the gateway's operator, or use another URL.`,
  }),
  solidityMissing: (path: string, status: number, isOwn: boolean): CheckMessage => ({
    sentence: t`${path} is not served (${status})${isOwn ? t`: the URL of solidified data may be that of the full node` : ""}.`,
    nextStep: t`Plain nodes serve it on a port of its own, often 8091: set "URL of solidified data".`,
  }),
  /** @param loss - Fallback without it. */
  estimatesMissing: (path: string, loss: string): CheckMessage => ({
    sentence: t`${path} is not served: ${loss}.`,
    nextStep: t`It requires node version 4.7.0.1 or later, and an operator can turn it off.`,
  }),
  /** @param loss - What is unavailable without it. */
  optionalMissing: (path: string, loss: string): CheckMessage => ({ sentence: t`${path} is not served: ${loss}.` }),
  /** @param message - Message of the failure. */
  failed: (path: string, message: string): CheckMessage => ({
    sentence: `${path}: ${message}`,
    nextStep: t`Test again. If it fails again, ask the gateway's operator.`,
  }),
  optionalSilent: (path: string): CheckMessage => ({
    sentence: t`${path} was skipped: the gateway does not answer requests to endpoints that it does not serve.`,
  }),
  optionalFailed: (path: string, message: string): CheckMessage => ({ sentence: `${path}: ${message}` }),
} as const;

export const otherUrlMessages = {
  /** @param height - Height of its newest solidified block, if reported. */
  fine: (url: string, height: number | undefined): CheckMessage => ({
    sentence: t`${url} has the same chain${height === undefined ? "" : t`, solidified up to block ${grouped(height)}`}.`,
  }),
  solid: (url: string): CheckMessage => ({ sentence: t`${url} serves solidified data.` }),
  notSolid: (url: string, status: number): CheckMessage => ({
    sentence: t`${url} answers ${status} to /walletsolidity: like the port of a full node, it serves no solidified data.`,
    nextStep: t`Set "URL of solidified data" to the port of solidified data: 8091 on a plain node.`,
  }),
  /** @param said - Problem there. */
  failed: (url: string, { sentence, nextStep = t`Check this URL, or remove it.` }: CheckMessage): CheckMessage => ({
    sentence: `${url}: ${sentence}`,
    nextStep,
  }),
  otherChain: (url: string, chain: string, own: string): CheckMessage => ({
    sentence: t`${url} is another chain: its first block begins with ${chain}, that of this network with ${own}.`,
    nextStep: t`Edit the network and remove this URL.`,
  }),
  noFirstBlock: (url: string): CheckMessage => ({
    sentence: t`${url} answers but does not return its first block, so its chain is unknown.`,
    nextStep: t`Ask its operator for block 0, or remove this URL.`,
  }),
} as const;

/** Reasons why a check was skipped. */
export const skippedMessages = {
  after: (title: string): CheckMessage => ({ sentence: t`Not checked, because this check failed: ${title}.` }),
  cancelled: { sentence: t`Not checked: the test was cancelled.` },
  late: { sentence: t`Not checked: the test took too long.` },
  notKept: { sentence: t`No earlier identity of this chain is stored.` },
  limited: { sentence: t`Not checked, because the gateway asked for fewer requests.` },
} as const;
