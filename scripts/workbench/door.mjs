import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { dirname } from "node:path";

const KEY_PATH = "/mint-key";

/**
 * A reverse proxy in front of the workbench server, on the loopback interface. It adds what the bare server lacks:
 * - `/` leads to the workbench with its folder and the extension, so that a short address can be printed and clicked;
 * - the workbench finds a server-side key for its secrets (a cookie names the path), so that they survive a restart;
 * - only pages of this origin are answered: the server behind has no password, and any web site may send requests to loopback.
 *
 * @param {{ socketPath: string, port: number, keyFile: string, query(host: string): URLSearchParams }} options
 * @returns {Promise<{ origin: string, close(): Promise<void> }>}
 */
export async function startDoor({ socketPath, port, keyFile, query }) {
  const key = persistentKey(keyFile);
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  let host = "";

  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", `http://${host}`);
    if (!isOurs(incoming, host)) outgoing.writeHead(403).end();
    else if (url.pathname === KEY_PATH && incoming.method === "POST") outgoing.end(key);
    else if (url.pathname === "/" && !url.searchParams.has("payload"))
      outgoing.writeHead(302, welcome(query(incoming.headers.host ?? host))).end();
    else passOn(incoming, outgoing, socketPath);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (incoming, socket, head) => {
    if (isOurs(incoming, host)) joinSockets(incoming, socket, head, socketPath);
    else socket.destroy();
  });

  await listen(server, port);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The door has no port.");
  host = `127.0.0.1:${address.port}`;
  return {
    origin: `http://${host}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/**
 * 32 random bytes that stay the same as long as the file does.
 *
 * @param {string} file
 */
function persistentKey(file) {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(32), { mode: 0o600 });
  }
  return readFileSync(file);
}

/**
 * @param {import("node:http").IncomingMessage} incoming
 * @param {string} host
 */
function isOurs({ headers }, host) {
  const names = [host, host.replace("127.0.0.1", "localhost")];
  return names.some((name) => headers.host === name && (headers.origin ?? `http://${name}`) === `http://${name}`);
}

/** @param {URLSearchParams} query */
function welcome(query) {
  return { location: `/?${query}`, "set-cookie": `vscode-secret-key-path=${KEY_PATH}; Path=/; SameSite=Strict` };
}

/**
 * @param {import("node:http").IncomingMessage} incoming
 * @param {import("node:http").ServerResponse} outgoing
 * @param {string} socketPath
 */
function passOn(incoming, outgoing, socketPath) {
  const { method, url: path, headers } = incoming;
  const inner = request({ socketPath, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  inner.on("error", () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
  outgoing.on("close", () => inner.destroy());
  incoming.pipe(inner);
}

/**
 * A web socket: the request head is sent again as it came, then bytes flow both ways.
 *
 * @param {import("node:http").IncomingMessage} incoming
 * @param {import("node:stream").Duplex} outer
 * @param {Buffer} head
 * @param {string} socketPath
 */
function joinSockets(incoming, outer, head, socketPath) {
  const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`);
  }
  const inner = connect(socketPath, () => {
    inner.write(`${lines.join("\r\n")}\r\n\r\n`);
    inner.write(head);
    outer.pipe(inner).pipe(outer);
  });
  for (const [one, other] of [
    [inner, outer],
    [outer, inner],
  ]) {
    one?.on("error", () => other?.destroy());
    one?.on("close", () => other?.destroy());
  }
}

/**
 * @param {import("node:http").Server} server
 * @param {number} port
 * @returns {Promise<void>}
 */
function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
