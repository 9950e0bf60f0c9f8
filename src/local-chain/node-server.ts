import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Answer, answer } from "./app.ts";
import type { Simulation } from "./simulation.ts";

const HOST = "127.0.0.1";
const SERVER_NAME = "Finality local chain";

/** A listening server, on this machine alone. */
export interface NodeServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** @throws {Error} the port is taken */
export async function listen(simulation: Simulation, port: number): Promise<NodeServer> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void handle(request, response, simulation);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  return { baseUrl: `http://${HOST}:${address.port}`, close: () => close(server) };
}

async function handle(incoming: IncomingMessage, outgoing: ServerResponse, simulation: Simulation): Promise<void> {
  try {
    const body = await readAll(incoming);
    const [path = "/"] = (incoming.url ?? "/").split("?");
    await send(outgoing, await answer(toRequest(incoming, body), path, simulation));
  } catch {
    incoming.socket.destroy();
  }
}

async function send(outgoing: ServerResponse, given: Answer): Promise<void> {
  if (given.kind === "drop") {
    outgoing.socket?.destroy();
    return;
  }
  const { status, headers } = given.response;
  const body = Buffer.from(await given.response.arrayBuffer());
  outgoing.writeHead(status, { "content-length": body.length, ...Object.fromEntries(headers), server: SERVER_NAME });
  outgoing.end(body);
}

function toRequest({ method = "GET", url = "/", headers }: IncomingMessage, body: Uint8Array): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const hasBody = method !== "GET" && method !== "HEAD" && body.length > 0;
  return new Request(`http://${HOST}${url}`, {
    method,
    headers: pairs,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
}

async function readAll(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
