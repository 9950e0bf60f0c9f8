import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

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
