import { verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { SelfSigned } from "./self-signed.ts";

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** Names and values as they came over the wire. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export type Handler = (response: ServerResponse, request: SeenRequest, number: number) => void;

/** A server on a free port of this machine that answers as a test says, and remembers what it was asked. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

/** Answers the first request with the first handler, and so on; the last one answers all further requests. */
export function startServer(...handlers: readonly Handler[]): Promise<TestServer> {
  return listening("http", createServer, handlers);
}

/** The same with encryption; who trusts the certificate can ask it. */
export function startTlsServer(identity: SelfSigned, ...handlers: readonly Handler[]): Promise<TestServer> {
  return listening("https", (answer) => createTlsServer(identity, answer), handlers);
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function listening(
  scheme: "http" | "https",
  create: (answer: Answer) => Server,
  handlers: readonly Handler[],
): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const server = create(async (request, response) => {
    const seen = await read(request);
    requests.push(seen);
    handlers[Math.min(requests.length, handlers.length) - 1]?.(response, seen, requests.length);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns a URL of this machine without a server. */
export async function closedUrl(): Promise<string> {
  const server = await startServer();
  await server[Symbol.asyncDispose]();
  return server.url;
}

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Handler {
  return text(`${JSON.stringify(value)}\n`, status, { "content-type": "application/json;charset=utf-8", ...headers });
}

export function text(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Handler {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Repeats the headers of a request, as text and as the hex of a node's message. */
export const echo: Handler = (response, request, number) => {
  const headers = JSON.stringify(request.headers);
  json({ Error: `class x.Y : ${headers} ${Buffer.from(headers).toString("hex")}` })(response, request, number);
};

/** Ends the connection without a byte, as a gateway does that does not accept a token. */
export const drop: Handler = (response) => response.socket?.destroy();

/** Never answers. */
export const hang: Handler = () => undefined;

/** Begins an answer and ends the connection in the middle of it. */
export const cut: Handler = (response) => {
  response.writeHead(200, { "content-length": "1000" }).write('{"txid":"', () => response.socket?.destroy());
};

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url: path = "", headers, rawHeaders } = request;
  return { method, path, headers, rawHeaders, body: Buffer.concat(chunks).toString("utf8") };
}

export interface JwtRule {
  readonly publicKeyPem: string;
  readonly keyId: string;
  readonly audience: string;
  /** Unix ms. */
  readonly now: () => number;
}

/** Passes requests with a valid token to `inner`, and drops the others without a byte, as the gateway document says. */
export function guardedBy(rule: JwtRule, inner: Handler, refuse: Handler = drop): Handler {
  return (response, request, number) => (isGood(request, rule) ? inner : refuse)(response, request, number);
}

function isGood({ headers }: SeenRequest, { publicKeyPem, keyId, audience, now }: JwtRule): boolean {
  const match = /^Bearer (([\w-]+)\.([\w-]+))\.([\w-]+)$/.exec(headers.authorization ?? "");
  if (match === null) return false;
  const [, signed = "", header = "", payload = "", signature = ""] = match;
  const [head, claims] = [header, payload].map((it) => JSON.parse(Buffer.from(it, "base64url").toString("utf8")));
  const isSigned = verify("sha256", Buffer.from(signed), publicKeyPem, Buffer.from(signature, "base64url"));
  const isOurs = head.alg === "RS256" && head.typ === "JWT" && head.kid === keyId && claims.aud === audience;
  return isSigned && isOurs && (claims.exp === undefined || claims.exp * 1000 > now());
}

/** A gateway in front of another one that can hold requests without an answer. */
export interface HeldServer {
  readonly baseUrl: string;
  /** The paths of requests that wait, and whose asker is still there. */
  waiting(): readonly string[];
  /** From now on requests wait: those of this path, or all. */
  hold(path?: string): void;
  /** Answers requests from now on. */
  release(): void;
  close(): Promise<void>;
}

export async function openHeldServer(behind: string): Promise<HeldServer> {
  const waiting = new Set<string>();
  let isHeld = (_path: string): boolean => false;
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const body = await buffer(request);
    if (isHeld(path)) {
      const one = `${path} ${performance.now()}`;
      waiting.add(one);
      response.once("close", () => waiting.delete(one));
      return;
    }
    const answer = await askBehind(behind, request, body);
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => [...waiting].map((it) => it.split(" ")[0] ?? ""),
    hold: (path) => {
      isHeld = (asked) => path === undefined || asked === path;
    },
    release: () => {
      isHeld = () => false;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function askBehind(
  behind: string,
  { method = "POST", url = "" }: IncomingMessage,
  body: Uint8Array,
): Promise<Response> {
  const sent = method === "GET" ? {} : { body: Buffer.from(body) };
  return fetch(`${behind}${url}`, { method, headers: { "content-type": "application/json" }, ...sent });
}

/** An HTTP proxy of this machine. */
export interface TestProxy extends AsyncDisposable {
  readonly url: string;
  /** Everything that it heard in the clear: the first line and the headers of each request. */
  readonly heard: readonly string[];
  /** Returns the bytes that its tunnels carried to the other side. */
  readonly carried: () => Buffer;
}

/**
 * Opens a proxy.
 *
 * @param to - where every tunnel ends, whatever host was asked for; undefined refuses each one and repeats its headers
 */
export async function startProxy(to: string | undefined): Promise<TestProxy> {
  const heard: string[] = [];
  const carried: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${request.rawHeaders}`);
    response.writeHead(502).end();
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (request, socket: Socket) => {
    heard.push(`${request.method} ${request.url} ${request.rawHeaders}`);
    if (to === undefined) {
      const echo = JSON.stringify(request.rawHeaders);
      socket.end(`HTTP/1.1 403 ${echo}\r\nx-echo: ${echo}\r\ncontent-length: ${echo.length}\r\n\r\n${echo}`);
      return;
    }
    const { hostname, port } = new URL(to);
    const inner = connect(Number(port), hostname);
    sockets.add(inner);
    for (const it of [socket, inner]) it.on("error", () => undefined);
    socket.on("data", (bytes) => carried.push(bytes));
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(inner).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    carried: () => Buffer.concat(carried),
    async [Symbol.asyncDispose]() {
      for (const it of sockets) it.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
