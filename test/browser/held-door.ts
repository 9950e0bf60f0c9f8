import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A door in front of a chain that can keep constant calls waiting. */
export interface HeldDoor {
  readonly url: string;
  /** From now on constant calls wait. */
  hold(): void;
  /** Lets those that wait in, and all that come. Those whose asker has gone never arrive. */
  release(): void;
  close(): void;
}

export async function openHeldDoor(chainUrl: string): Promise<HeldDoor> {
  let waiting: (() => void)[] | undefined;
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, url = "/", headers } = incoming;
    if (incoming.socket.destroyed) return;
    const inner = request(new URL(url, chainUrl), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on("error", () => outgoing.destroy());
    incoming.pipe(inner);
  };
  const server = createServer((incoming, outgoing) => {
    if (waiting !== undefined && incoming.url === "/wallet/triggerconstantcontract")
      waiting.push(() => pass(incoming, outgoing));
    else pass(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      waiting = [];
    },
    release: () => {
      const held = waiting ?? [];
      waiting = undefined;
      for (const enter of held) enter();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
