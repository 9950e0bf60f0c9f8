import { connect, createServer, type Socket } from "node:net";

/** Fate of the next write of facts: it passes, or its connection ends after the server has received it. */
export interface CutProxy {
  readonly port: number;
  /** Cuts the connections of the next writes, after they were forwarded and before their acknowledgement. */
  cutWrites(count: number): void;
  /** Called with each write that was cut. */
  onCut: () => void;
  /** Number of writes that were cut. */
  readonly cuts: number;
  close(): Promise<void>;
}

/** Text of the only statement that stores facts: it commits by itself. */
const WRITE = Buffer.from("SELECT finality.write(");

/** A TCP proxy in front of a database, on loopback. */
export async function openCutProxy(databasePort: number): Promise<CutProxy> {
  let left = 0;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(databasePort, "127.0.0.1");
    let isCut = false;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        client.destroy();
        if (!isCut) database.destroy();
      });
    }
    client.on("data", (bytes) => {
      database.write(bytes);
      if (left === 0 || isCut || !bytes.includes(WRITE)) return;
      left--;
      cuts++;
      isCut = true;
      // The server finishes the statement, and its answer goes nowhere.
      client.destroy();
      proxy.onCut();
    });
    database.on("data", (bytes) => {
      if (!isCut) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const proxy = {
    port: typeof address === "object" && address !== null ? address.port : 0,
    cutWrites: (count: number): void => {
      left = count;
    },
    onCut: (): void => undefined,
    get cuts(): number {
      return cuts;
    },
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}
