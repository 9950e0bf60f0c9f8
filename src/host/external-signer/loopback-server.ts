import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { t } from "@vscode/l10n";

/** JSON response. */
export interface Reply {
  readonly status: number;
  readonly body: object;
}

/** A public file without secrets. */
export interface PublicFile {
  readonly type: string;
  readonly text: string;
}

export interface LoopbackRoutes {
  readonly files: ReadonlyMap<string, PublicFile>;
  /** @param body - untrusted JSON. @param left - aborts when the client disconnects */
  readonly posts: ReadonlyMap<string, (body: unknown, left: AbortSignal) => Promise<Reply>>;
}

export interface LoopbackServer {
  /** For example `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Also allows requests under another origin that leads here, such as a tunnel's. */
  allow(origin: string): void;
  /** Stops accepting requests. Pending responses may still be sent. */
  close(): void;
}

/** Longest request. It carries a signature and a short text; transaction bytes go the other way. */
const MOST_BYTES = 16_384;
const TIMEOUT_MS = 10_000;
const MOST_CONNECTIONS = 16;
const LAST_RESPONSE_MS = 2_000;

const HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * Serves a page to the browser of this computer, on a port that the system chooses. Requests under a foreign host name
 * are refused, because any DNS name can point here. Requests from other pages are refused as well.
 */
export async function serveLoopback(routes: LoopbackRoutes): Promise<LoopbackServer> {
  const origins = new Set<string>();
  const server = createServer((request, response) => {
    void answer(request, leaving(response), { routes, origins }).then(
      (reply) => send(response, reply),
      () => send(response, refused(500, t`The request could not be answered.`)),
    );
  });
  Object.assign(server, { maxConnections: MOST_CONNECTIONS, headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port: 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  origins.add(origin);
  return {
    origin,
    allow: (other) => {
      origins.add(other);
      // A proxy in front of an https tunnel sends this host name.
      if (other.startsWith("https:")) origins.add(`http://localhost:${port}`);
    },
    close: () => {
      server.close();
      setTimeout(() => server.closeAllConnections(), LAST_RESPONSE_MS).unref();
    },
  };
}

interface ServedSite {
  readonly routes: LoopbackRoutes;
  readonly origins: ReadonlySet<string>;
}

type Answered = Reply | PublicFile;

async function answer(request: IncomingMessage, left: AbortSignal, { routes, origins }: ServedSite): Promise<Answered> {
  const { method, url = "", headers } = request;
  const hosts = new Set([...origins].map((it) => new URL(it).host));
  if (!hosts.has(headers.host ?? "")) return refused(421, t`This address is not served here.`);
  const file = routes.files.get(url);
  const post = routes.posts.get(url);
  if (file === undefined && post === undefined) return refused(404, t`There is nothing here.`);
  if (method === "GET" && file !== undefined)
    return isFramed(headers) ? refused(403, t`Frames are not allowed.`) : file;
  if (method !== "POST" || post === undefined) return refused(405, t`This method is not allowed.`);
  if (!origins.has(headers.origin ?? "") || !isOwnPage(headers))
    return refused(403, t`Only the page of the editor may request this.`);
  if (headers["content-type"] !== "application/json") return refused(415, t`This is not JSON.`);
  const text = await bodyOf(request);
  if (text === undefined) return refused(413, t`This is too long.`);
  const body = jsonIn(text);
  return body === undefined ? refused(400, t`This is not JSON.`) : await post(body, left);
}

type Headers = IncomingMessage["headers"];

/** Returns whether the request comes from the own page. Clients other than browsers need not say. */
function isOwnPage(headers: Headers): boolean {
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin";
}

function isFramed(headers: Headers): boolean {
  const goal = headers["sec-fetch-dest"];
  return goal === "iframe" || goal === "frame" || goal === "embed" || goal === "object";
}

/** Returns the body; undefined if it is too long or the connection was closed. */
function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= MOST_BYTES) return;
      request.removeAllListeners("data").pause();
      resolve(undefined);
    });
    request.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    request.once("close", () => resolve(undefined));
  });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a signal that aborts when the connection ends before the response. */
function leaving(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  response.once("close", () => left.abort());
  return left.signal;
}

function refused(status: number, message: string): Reply {
  return { status, body: { sentence: message } };
}

function send(response: ServerResponse, answered: Answered): void {
  const isFile = "text" in answered;
  const type = isFile ? answered.type : "application/json";
  const text = isFile ? answered.text : JSON.stringify(answered.body);
  const status = isFile ? 200 : answered.status;
  // The rest of a refused request is not read.
  const isOver = status === 413 ? { connection: "close" } : {};
  response.writeHead(status, { ...HEADERS, ...isOver, "content-type": `${type}; charset=utf-8` }).end(text);
}
