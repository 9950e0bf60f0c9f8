import { EventEmitter } from "node:events";
import { machine, windowOf } from "./machine.ts";

/** In the place of `node:net`: a server is a name on the disk and a window that lives. */
class Server extends EventEmitter {
  #path = "";

  listen(path: string, listening: () => void): void {
    process.nextTick(() => {
      if (!machine().isAlive(windowOf(path))) return;
      try {
        machine().listen(path);
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
  #closed = false;

  constructor(path: string, connected: () => void) {
    super();
    this.once("close", () => {
      this.#closed = true;
    });
    process.nextTick(() => {
      if (!machine().isAlive(windowOf(path))) return;
      try {
        machine().connect(path, this);
        connected();
      } catch (error) {
        this.emit("error", error);
        this.destroy();
      }
    });
  }

  resume(): void {}

  destroy(): void {
    if (!this.#closed) process.nextTick(() => this.emit("close"));
  }
}

export function createServer(): Server {
  return new Server();
}

export function connect(path: string, connected: () => void): Socket {
  return new Socket(path, connected);
}
