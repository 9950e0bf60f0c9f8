import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { HttpResponse, ServerAction } from "./http/message.ts";
import { isLocalRequest, isLoopback, isPlainHost, readBody, refuseRequest } from "./http/request-guard.ts";
import { handleRequest } from "./request-handler.ts";
import type { LogEntry, Simulation } from "./simulation/simulation.ts";

/** Default address. */
export const LOOPBACK = "127.0.0.1";
const SERVER_NAME = "Finality local chain";

/** A server on the loopback address. */
export interface NodeServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

type Log = (entry: LogEntry) => void;

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly allowRemote: boolean;
  readonly log: Log | undefined;
}

/** @throws {Error} the port is taken, or the host is not loopback and remote machines are not allowed */
export async function listen(
  simulation: Simulation,
  { port, host, allowRemote, log }: ListenOptions,
): Promise<NodeServer> {
  const isRemote = !isLoopback(host);
  if (isRemote && !allowRemote) {
    throw new Error(
      `${host} is not a loopback address. Whoever reaches it controls the chain: add --allow-remote to permit that.`,
    );
  }
  const isOwnHost = isRemote ? isPlainHost : isLocalRequest;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (log !== undefined) logRequest(request, response, log);
    void handle(request, response, { simulation, isOwnHost }).then(() => {
      listener.closeFor(simulation.faults.takeListenerPause());
      simulation.lifetime.endIfRequested();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  const listener = listenerOf(server, address);
  const name = host.includes(":") ? `[${host}]` : host;
  return { baseUrl: `http://${name}:${address.port}`, close: () => listener.close() };
}

/** Logs a request once its response is sent, or its connection is closed without one. */
function logRequest({ method = "", url = "" }: IncomingMessage, response: ServerResponse, log: Log): void {
  const start = performance.now();
  response.once("close", () => {
    const ms = Math.round((performance.now() - start) * 10) / 10;
    const status = response.headersSent ? { status: response.statusCode } : {};
    log({ time: Date.now(), method, path: url.split("?", 1)[0] ?? "", ...status, ms });
  });
}

interface Served {
  readonly simulation: Simulation;
  /** Returns whether the host header of a request is acceptable. */
  readonly isOwnHost: (request: IncomingMessage) => boolean;
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { simulation, isOwnHost }: Served,
): Promise<void> {
  try {
    const { method = "GET", url: target = "/", headers } = incoming;
    if (!isOwnHost(incoming)) return refuseRequest(incoming, outgoing, 403);
    const sent = await readBody(incoming);
    if (sent === undefined) return refuseRequest(incoming, outgoing, 413);
    const body = method === "GET" || method === "HEAD" ? Buffer.alloc(0) : sent;
    await send(outgoing, await handleRequest({ method, target, headers, body }, simulation));
  } catch {
    incoming.socket.destroy();
  }
}

async function send(outgoing: ServerResponse, reply: ServerAction): Promise<void> {
  switch (reply.kind) {
    case "answer":
      return await sendWhole(outgoing, reply.response);
    case "cut":
      return sendHalf(outgoing, reply.response);
    case "drop":
      outgoing.socket?.destroy();
      return;
    case "reset":
      outgoing.socket?.resetAndDestroy();
      return;
    case "hang":
  }
}

async function sendWhole(outgoing: ServerResponse, response: HttpResponse): Promise<void> {
  const { status, body } = response;
  outgoing.writeHead(status, headersOf(response, Buffer.byteLength(body)));
  await new Promise<void>((resolve) => {
    outgoing.once("close", resolve);
    outgoing.end(body);
  });
}

function sendHalf(outgoing: ServerResponse, response: HttpResponse): void {
  const body = Buffer.from(response.body);
  const half = body.length < 2 ? " " : body.subarray(0, body.length / 2);
  outgoing.writeHead(response.status, headersOf(response, Math.max(2, body.length)));
  outgoing.write(half, () => outgoing.socket?.destroy());
}

function headersOf(response: HttpResponse, length: number): Record<string, string | number> {
  return { "content-length": length, ...response.headers, server: SERVER_NAME };
}

const AGAIN_MS = 50;

/** Listening state of a server. */
interface Listener {
  /** Closes the server and all connections, and listens again on the same port after a delay in ms; 0 does nothing. */
  closeFor(ms: number): void;
  close(): Promise<void>;
}

interface ListeningAddress {
  readonly port: number;
  readonly address: string;
}

/** Returns the listener of a listening server. */
function listenerOf(server: Server, { port, address }: ListeningAddress): Listener {
  let reopening: NodeJS.Timeout | undefined;
  const reopenIn = (ms: number): void => {
    clearTimeout(reopening);
    reopening = setTimeout(() => server.listen(port, address), ms);
  };
  // Another process may hold the port for a moment.
  server.on("error", () => reopenIn(AGAIN_MS));
  return {
    closeFor: (ms) => {
      if (ms === 0) return;
      server.close();
      server.closeAllConnections();
      reopenIn(ms);
    },
    close: async () => {
      clearTimeout(reopening);
      server.removeAllListeners("error");
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
