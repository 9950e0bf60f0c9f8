import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Longest first line of a connection: the key. Longer ones are of other programs. */
const LONGEST_KEY = 200;
/** Time in which a connection has to send the key, ms. */
const TIMEOUT_MS = 5_000;
const MOST_CONNECTIONS = 8;

/**
 * Socket between the program that an MCP client starts and this window, so that credentials stay in the extension host.
 * Only a program with the key of this window is connected.
 */
export class AgentSocket {
  readonly path: string;
  readonly key = randomBytes(32).toString("hex");
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(connected: (socket: Socket) => void) {
    const name = `finality-agents-${randomBytes(8).toString("hex")}`;
    this.path = process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
    this.#server = createServer((socket) => this.#welcome(socket, connected));
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  /** Listens. @param connected - Receives each connection after its key was checked; the protocol follows. */
  static async listen(connected: (socket: Socket) => void): Promise<AgentSocket> {
    const socket = new AgentSocket(connected);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.#server.once("error", reject);
    socket.#server.listen(socket.path, resolve);
    await promise;
    return socket;
  }

  dispose(): void {
    this.#server.close();
    for (const it of this.#sockets) it.destroy();
  }

  #welcome(socket: Socket, connected: (socket: Socket) => void): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    let received = Buffer.alloc(0);
    const read = (piece: Buffer): void => {
      received = Buffer.concat([received, piece]);
      const end = received.indexOf("\n");
      if (end < 0 && received.length <= LONGEST_KEY) return;
      socket.off("data", read);
      if (end < 0 || !isSame(received.subarray(0, end), Buffer.from(this.key))) {
        socket.destroy();
        return;
      }
      socket.setTimeout(0);
      socket.pause();
      socket.unshift(received.subarray(end + 1));
      connected(socket);
    };
    socket.on("data", read);
  }
}

function isSame(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
