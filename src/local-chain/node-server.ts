import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answer } from "./app.ts";
import type { Answer } from "./http/answer.ts";
import { serverDoor } from "./server-door.ts";
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
    void handle(request, response, simulation).then(() => door.closeFor(simulation.faults.takeClosing()));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  const door = serverDoor(server, address);
  return { baseUrl: `http://${HOST}:${address.port}`, close: () => door.close() };
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
  switch (given.kind) {
    case "answer":
      return await sendWhole(outgoing, given.response);
    case "cut":
      return await sendHalf(outgoing, given.response);
    case "drop":
      outgoing.socket?.destroy();
      return;
    case "reset":
      outgoing.socket?.resetAndDestroy();
      return;
    case "hang":
  }
}

async function sendWhole(outgoing: ServerResponse, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, headersOf(response, body.length));
  await new Promise<void>((resolve) => {
    outgoing.once("close", resolve);
    outgoing.end(body, resolve);
  });
}

async function sendHalf(outgoing: ServerResponse, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  const half = body.length < 2 ? " " : body.subarray(0, body.length / 2);
  outgoing.writeHead(response.status, headersOf(response, Math.max(2, body.length)));
  outgoing.write(half, () => outgoing.socket?.destroy());
}

function headersOf(response: Response, length: number): Record<string, string | number> {
  return { "content-length": length, ...Object.fromEntries(response.headers), server: SERVER_NAME };
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
