import { ChainError } from "@finality/tron/errors";
import { type Hex, parseTxId, shorten } from "@finality/tron/primitives";
import { hashOf } from "@finality/tron/read";
import { t } from "@vscode/l10n";

/** URLs and access settings of a network, without secrets. Keys are in SecretStorage, by the profile's name. */
export interface NetworkProfile {
  /** Unique name, for display. */
  readonly name: string;
  /** Origin and path that `/wallet/…` is appended to; https, http on loopback, or http where `plainHttp` allows it. */
  readonly baseUrl: string;
  /** For plain nodes that serve `/walletsolidity/…` on another port. */
  readonly solidityBaseUrl?: string;
  /** Further gateways of the same network, for reads if the first one fails. */
  readonly fallbackUrls: readonly string[];
  /** True if JWT is turned on in the account. */
  readonly jwt: boolean;
  /** `aud` of the token. */
  readonly audience?: string;
  /** `kid` of the token: ID that the service assigned to the public key. */
  readonly keyId?: string;
  readonly apiKeyHeader: string;
  /** True for real money: sending needs a stronger confirmation. */
  readonly production: boolean;
  readonly explorerUrl?: string;
  /** Private origins for which the user allows http. Never read from settings. */
  readonly plainHttp?: readonly string[];
  /** True for the embedded chain: commands with complete arguments need no confirmation. */
  readonly local: boolean;
}

/** Field of a network in the settings. The tables of fields have an entry for each. */
export type NetworkField = Exclude<keyof NetworkProfile, "local" | "plainHttp">;

const LOOPBACK = /^(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Private addresses (RFC 1918, RFC 4193), in the form that the URL parser writes. */
const OWN_NETWORK =
  /^(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|f[cd][\da-f]{2}:[\da-f:]*)$/;
/** Names that only hosts of the local network answer to (RFC 6762); the resolved address is checked on connection. */
const LOCAL_NAME = /^[\w-]+(?:\.[\w-]+)*\.local$/;

/**
 * Parses the base URL of a gateway and removes a trailing slash: https, http on this computer, or http in the private
 * network if the user allowed it.
 *
 * @param mayBePlain - Whether http is allowed for a private origin.
 * @throws {ChainError} `URL_NOT_ALLOWED`
 * @example
 * parseGatewayUrl("https://api.example.org/chain/"); // "https://api.example.org/chain"
 */
export function parseGatewayUrl(text: string, mayBePlain: (origin: string) => boolean = () => false): string {
  const url = URL.parse(text.trim());
  const refuse = (reason: string): ChainError =>
    new ChainError("URL_NOT_ALLOWED", { url: withoutSecrets(text, url), reason });
  if (url === null) throw refuse(t`it is not a URL such as https://api.example.org`);
  if (url.username !== "" || url.password !== "") throw refuse(t`a password in a URL is not kept secret`);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refuse(t`only https works`);
  if (isPlain(url) && !isInOwnNetwork(url)) throw refuse(t`http is not encrypted: use https`);
  if (isPlain(url) && !mayBePlain(url.origin)) throw refuse(t`http is not encrypted and not allowed for this URL`);
  if (url.search !== "" || url.hash !== "") throw refuse(t`it has a query or a fragment (? or #)`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Returns true for a URL whose traffic others on the network can read and change. */
export function isPlain(url: URL): boolean {
  return url.protocol === "http:" && !isLoopback(url);
}

/** Returns true for a URL whose host is in the private network, judging by the URL alone. */
function isInOwnNetwork({ hostname }: URL): boolean {
  return isOwnAddress(hostname.replace(/^\[|\]$/g, "")) || LOCAL_NAME.test(hostname);
}

/** Returns true for a private IP address. */
export function isOwnAddress(address: string): boolean {
  return OWN_NETWORK.test(address);
}

/** Returns the unencrypted origins of a network. */
export function plainOriginsOf(network: NetworkProfile): readonly string[] {
  return originsOf(network).filter((it) => isPlain(new URL(it)));
}

/** Returns true for a URL of this computer. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

function withoutSecrets(text: string, url: URL | null): string {
  return url === null || url.username + url.password === "" ? shorten(text) : `${url.protocol}//…@${url.host}`;
}

/** Credential of a network with the origins that it was entered for. It is sent to no other origin. */
export interface OriginBound<T> {
  readonly value: T;
  /** For example `https://api.example.org`, without a path. */
  readonly origins: readonly string[];
}

/** Returns the origin of a validated base URL. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

/** Returns the distinct origins of a network, the one of its base URL first. */
export function originsOf({ baseUrl, solidityBaseUrl, fallbackUrls }: NetworkProfile): readonly string[] {
  const urls = [baseUrl, ...(solidityBaseUrl === undefined ? [] : [solidityBaseUrl]), ...fallbackUrls];
  return [...new Set(urls.map(originOf))];
}

/** Returns a credential for the network's own URL only. */
export function bindToOrigins<T>({ baseUrl }: NetworkProfile, value: T): OriginBound<T> {
  return { value, origins: [originOf(baseUrl)] };
}

/** Returns true if a credential may be sent to this URL: an encrypted URL of one of its origins. */
export function isBoundTo({ origins }: OriginBound<unknown>, url: string): boolean {
  return origins.includes(originOf(url)) && !isPlain(new URL(url));
}

/** Name of the embedded chain, which no other network may have. Each start creates a new chain. */
export const LOCAL_NETWORK_NAME = "Local chain";

/** Returns the name of a network as the UI shows it. Settings, journals and arguments have the name itself. */
export function networkLabel(name: string): string {
  return name === LOCAL_NETWORK_NAME ? t`Local chain` : name;
}

/** Network by its user-defined name, and its chain if known. */
export interface NetworkRef {
  readonly network: string;
  readonly chain?: ChainId;
}

/**
 * Returns true unless the two networks are certainly different chains. Only the embedded chain is certain, because a
 * gateway can lie about its genesis block. `relationOf` asks both for proof.
 */
export function mayBeSameChain(left: NetworkRef, right: NetworkRef): boolean {
  return isSameChain(left, right) || !(isLocal(left) || isLocal(right));
}

/** Returns true for the same chain id, or for the same network name if an id is unknown. */
export function isSameChain(left: NetworkRef, right: NetworkRef): boolean {
  if (left.chain !== undefined && right.chain !== undefined) return left.chain === right.chain;
  return left.network === right.network;
}

function isLocal({ network }: NetworkRef): boolean {
  return network === LOCAL_NETWORK_NAME;
}

/** Identity of a chain: the ID of its genesis block, 64 hex digits. Names and URLs may change, the ID does not. */
export type ChainId = Hex & { readonly of: "ChainId" };

/** Parses a stored chain ID. */
export const chainId = hashOf<ChainId>();

/** Returns the ID if it is of a genesis block, undefined otherwise. */
export function parseChainId(text: string): ChainId | undefined {
  const id = parseTxId(text);
  return id?.startsWith(HEIGHT_OF_GENESIS) === true ? (id as Hex as ChainId) : undefined;
}

/** A block ID starts with the height. */
const HEIGHT_OF_GENESIS = "0".repeat(16);
