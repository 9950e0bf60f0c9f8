import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";

const KEY_PATH = "/mint-key";
/** The field of the address that holds the token. */
const TOKEN = "token";
const REFUSAL = "This workbench is for who started it. Open the whole address that npm start has printed.\n";

/**
 * A reverse proxy in front of the workbench server, on the loopback interface. It adds what the bare server lacks:
 * - `/` leads to the workbench with its folder and the extension, so that a short address can be printed and clicked;
 * - the workbench finds a server-side key for its secrets (a cookie names the path), so that they survive a restart;
 * - only who knows the token of this start is answered, and only pages of this origin: the server behind has no password, every
 *   program and person of this machine reaches the port, and any web site may send requests to loopback.
 *
 * - the page gets told which tests run in the extension host: its address cannot say so.
 *
 * @param {{
 *   socketPath: string, port: number, keyFile: string,
 *   query(): URLSearchParams, development(host: string): object | undefined,
 * }} options
 * @returns {Promise<{ origin: string, url: string, close(): Promise<void> }>} `url` has the token
 */
export async function startProxy({ socketPath, port, keyFile, query, development }) {
  const key = persistentKey(keyFile);
  const token = randomBytes(32).toString("hex");
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  let host = "";

  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", `http://${host}`);
    if (!isOurs(incoming, host)) outgoing.writeHead(403).end();
    else if (!knows(incoming, url, token)) outgoing.writeHead(403, { "content-type": "text/plain" }).end(REFUSAL);
    else if (url.pathname === KEY_PATH && incoming.method === "POST") outgoing.end(key);
    else if (url.pathname === "/" && !url.searchParams.has("payload"))
      outgoing.writeHead(302, welcome(query(), token, url)).end();
    else if (url.pathname === "/" && incoming.method === "GET")
      passOn(incoming, outgoing, socketPath, development(incoming.headers.host ?? host));
    else passOn(incoming, outgoing, socketPath);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (incoming, socket, head) => {
    const url = new URL(incoming.url ?? "/", `http://${host}`);
    if (isOurs(incoming, host) && knows(incoming, url, token)) joinSockets(incoming, socket, head, socketPath);
    else socket.destroy();
  });

  await listen(server, port);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  host = `127.0.0.1:${address.port}`;
  return {
    origin: `http://${host}`,
    url: `http://${host}/?${TOKEN}=${token}`,
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

/**
 * Whether somebody has the token of this start, in the address or, from the first answer on, in a cookie.
 *
 * @param {import("node:http").IncomingMessage} incoming
 * @param {URL} url
 * @param {string} token
 */
function knows({ headers }, url, token) {
  const cookies = (headers.cookie ?? "").split(";").map((it) => it.trim().split("="));
  const given = [url.searchParams.get(TOKEN), ...cookies.filter(([name]) => name === cookieOf(url)).map((it) => it[1])];
  // Of equal length, whatever was given.
  const digest = (/** @type {string} */ text) => hash("sha256", text, "buffer");
  return given.some((it) => it != null && timingSafeEqual(digest(it), digest(token)));
}

/** Cookies ignore ports: each workbench of this machine has one of its own. @param {URL} url */
function cookieOf({ port }) {
  return `finality-${TOKEN}-${port}`;
}

/**
 * The token stays in the address: a browser that comes from another site sends no cookie with the redirection.
 *
 * @param {URLSearchParams} query
 * @param {string} token
 * @param {URL} url
 */
function welcome(query, token, url) {
  query.set(TOKEN, token);
  return {
    location: `/?${query}`,
    "referrer-policy": "no-referrer",
    "set-cookie": [
      `vscode-secret-key-path=${KEY_PATH}; Path=/; SameSite=Strict`,
      `${cookieOf(url)}=${token}; Path=/; HttpOnly; SameSite=Strict`,
    ],
  };
}

/**
 * @param {import("node:http").IncomingMessage} incoming
 * @param {import("node:http").ServerResponse} outgoing
 * @param {string} socketPath
 * @param {object} [development] - for the page of the workbench: which tests run in it
 */
function passOn(incoming, outgoing, socketPath, development) {
  const { method, url: path } = incoming;
  const headers = { ...incoming.headers };
  if (development !== undefined) delete headers["accept-encoding"];
  const inner = request({ socketPath, method, path, headers }, (answer) => {
    if (development !== undefined && answer.statusCode === 200) return void sendPage(answer, outgoing, development);
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  inner.on("error", () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
  outgoing.on("close", () => inner.destroy());
  incoming.pipe(inner);
}

/**
 * @param {import("node:http").IncomingMessage} answer
 * @param {import("node:http").ServerResponse} outgoing
 * @param {object} development
 */
async function sendPage(answer, outgoing, development) {
  const place = "&quot;developmentOptions&quot;:{";
  const told = JSON.stringify(development).slice(1, -1).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const bare = await text(answer);
  // Who waits for tests that the page was never told of waits in vain.
  if (!bare.includes(place)) return void outgoing.writeHead(502).end(`The page of this workbench has no ${place}\n`);
  const page = bare.replace(place, () => `${place}${told},`);
  const { "transfer-encoding": _, ...headers } = answer.headers;
  outgoing.writeHead(200, { ...headers, "content-length": Buffer.byteLength(page) }).end(page);
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
