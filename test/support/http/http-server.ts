import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
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
