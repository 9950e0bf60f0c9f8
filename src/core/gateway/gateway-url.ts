import { ChainError } from "../errors/chain-error.ts";
import { shorten } from "../primitives/bytes.ts";

const LOOPBACK = /^(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The base URL of a gateway without a trailing slash: https, or http on this machine; keys never travel in the clear.
 *
 * @throws {ChainError} `URL_NOT_ALLOWED`
 * @example
 * parseGatewayUrl("https://api.example.org/chain/"); // "https://api.example.org/chain"
 */
export function parseGatewayUrl(text: string): string {
  const url = URL.parse(text.trim());
  const refuse = (reason: string): ChainError =>
    new ChainError("URL_NOT_ALLOWED", { url: withoutSecrets(text, url), reason });
  if (url === null) throw refuse("it is not a URL such as https://api.example.org");
  if (url.username !== "" || url.password !== "") throw refuse("a password in a URL is not kept secret");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refuse("only https works");
  if (url.protocol === "http:" && !isLoopback(url)) throw refuse("http is not encrypted: use https");
  if (url.search !== "" || url.hash !== "") throw refuse("it has a part after ? or #");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Whether a URL points at this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

function withoutSecrets(text: string, url: URL | null): string {
  return url === null || url.username + url.password === "" ? shorten(text) : `${url.protocol}//…@${url.host}`;
}
