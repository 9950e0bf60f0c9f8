import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Host names of this machine, with any port for tunnels and proxies. Other names are refused: by DNS rebinding a
 * foreign page could read the keys of the accounts.
 */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** Twice java-tron's limit, so that its own message is returned for sizes between; bytes. */
export const MAX_BODY = 8 * 1024 * 1024;
/** Time to discard the rest of a body that is too long, so that its sender reads the response; ms. */
const DRAIN_MS = 2_000;

/** Returns whether the host header names this machine. */
export function isLocalRequest({ headers }: IncomingMessage): boolean {
  return OWN_HOST.test(headers.host ?? "");
}

/** Addresses and names without a dot: a name that a foreign page can point at this machine has a dot. */
const PLAIN_HOST = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\]|[\w-]+)(?::\d{1,5})?$/i;

/** Returns whether the host header is an address or a name of the local network, such as that of a container. */
export function isPlainHost({ headers }: Headers): boolean {
  return PLAIN_HOST.test(headers.host ?? "");
}

/** Returns whether only this machine reaches an address. */
export function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/i.test(host);
}

type Headers = Pick<IncomingMessage, "headers">;

/**
 * Returns whether a page of another site, or any page that can post, sent the request. A browser sends no `Origin` with
 * an image or a link, but always `Sec-Fetch-Site`.
 */
export function isFromWebPage({ headers }: Headers): boolean {
  const site = headers["sec-fetch-site"];
  return headers.origin !== undefined || (site !== undefined && site !== "none" && site !== "same-origin");
}

/** Returns whether a browser sent the request. Node's `fetch` sends `Sec-Fetch-Mode`, and no other such header. */
export function isFromBrowser({ headers }: Headers): boolean {
  return Object.keys(headers).some((name) => name.startsWith("sec-fetch-") && name !== "sec-fetch-mode");
}

/**
 * Reads the body of a request; undefined if it exceeds `MAX_BODY`, without keeping more than that.
 *
 * @throws {Error} the connection broke
 */
export async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_BODY) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  return await new Promise((resolve, reject) => {
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY) return void chunks.push(chunk);
      chunks.length = 0;
      incoming.removeAllListeners("data").pause();
      resolve(undefined);
    });
    incoming.once("end", () => resolve(Buffer.concat(chunks)));
    incoming.once("error", reject);
  });
}

/** Refuses a request with a message, and closes the connection. */
export function refuseRequest(incoming: IncomingMessage, outgoing: ServerResponse, status: 403 | 413): void {
  const error =
    status === 413
      ? `The body is longer than ${MAX_BODY} bytes.`
      : "This chain answers requests to 127.0.0.1, localhost and [::1] alone.";
  const body = `${JSON.stringify({ error })}\n`;
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  outgoing.writeHead(status, headers).end(body);
  const end = setTimeout(() => incoming.socket.destroy(), DRAIN_MS);
  end.unref();
  incoming.socket.once("close", () => clearTimeout(end));
  incoming.on("error", () => undefined).resume();
}
