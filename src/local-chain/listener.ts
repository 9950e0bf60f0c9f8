import type { Server } from "node:http";

const AGAIN_MS = 50;

/** Whether a server listens. */
export interface Listener {
  /** Ends all connections and listens again on the same port after so many ms; 0 does nothing. */
  closeFor(ms: number): void;
  close(): Promise<void>;
}

interface ListeningAddress {
  readonly port: number;
  readonly address: string;
}

/** The listener of a server that listens already. */
export function listenerOf(server: Server, { port, address }: ListeningAddress): Listener {
  let reopening: NodeJS.Timeout | undefined;
  const reopenIn = (ms: number): void => {
    clearTimeout(reopening);
    reopening = setTimeout(() => server.listen(port, address), ms);
  };
  // Somebody else may hold the port for a moment.
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
