import { EventEmitter } from "node:events";
import { machine, windowOf } from "./machine.ts";

/**
 * Replaces `node:net`: a server is a name on the disk and an open window; each end receives what the other
 * writes.
 */
class Server extends EventEmitter {
  readonly #welcome: (peer: Socket) => void;
  #path = "";

  constructor(welcome: (peer: Socket) => void) {
    super();
    this.#welcome = welcome;
  }

  listen(path: string, listening: () => void): void {
    const accept = (client: EventEmitter): EventEmitter => {
      const peer = new Socket(windowOf(path));
      if (client instanceof Socket) peer.pair(client);
      this.#welcome(peer);
      return peer;
    };
    process.nextTick(() => {
      if (!machine().isAlive(windowOf(path))) return;
      try {
        machine().listen(path, accept);
        this.#path = path;
        listening();
      } catch (error) {
        this.emit("error", error);
      }
    });
  }

  close(closed: () => void): void {
    machine().unlisten(this.#path);
    process.nextTick(closed);
  }
}

class Socket extends EventEmitter {
  readonly writableLength = 0;
  readonly #window: number;
  #other: Socket | undefined;
  #closed = false;

  constructor(window: number) {
    super();
    this.#window = window;
    this.once("close", () => {
      this.#closed = true;
    });
  }

  pair(other: Socket): void {
    this.#other = other;
    other.#other = this;
  }

  write(text: string): void {
    const other = this.#other;
    process.nextTick(() => {
      if (other === undefined || other.#closed || !machine().isAlive(this.#window)) return;
      if (machine().isAlive(other.#window)) other.emit("data", Buffer.from(text));
    });
  }

  destroy(): void {
    for (const end of [this, this.#other]) {
      if (end !== undefined && !end.#closed) process.nextTick(() => end.#closed || end.emit("close"));
    }
  }
}

/** The check of the form of an address is the real one. */
export { isIP } from "node:net";

export function createServer(welcome: (peer: Socket) => void): Server {
  return new Server(welcome);
}

export function connect(path: string, connected: () => void): Socket {
  const socket = new Socket(windowOf(path));
  process.nextTick(() => {
    if (!machine().isAlive(windowOf(path))) return;
    try {
      machine().connect(path, socket);
      connected();
    } catch (error) {
      socket.emit("error", error);
      socket.destroy();
    }
  });
  return socket;
}
