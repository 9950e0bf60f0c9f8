import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of a broadcast: all is well, it never arrives, or it arrives and nobody hears of it. */
export type Loss = "nothing" | "requests" | "answers";

/** A door in front of a chain that can lose broadcasts on either way. The sender cannot tell which way it was. */
export interface LossyDoor {
  readonly url: string;
  lose(what: Loss): void;
  close(): void;
}

export async function openLossyDoor(chainUrl: string): Promise<LossyDoor> {
  let losing: Loss = "nothing";
  const server = createServer((incoming, outgoing) => {
    const { method, url = "/", headers } = incoming;
    const lost = url.startsWith("/wallet/broadcast") ? losing : "nothing";
    if (lost === "requests") {
      incoming.resume().once("end", () => incoming.socket.destroy());
      return;
    }
    const inner = request(new URL(url, chainUrl), { method, headers }, (answer) => {
      if (lost === "answers") {
        answer.resume().once("end", () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on("error", () => outgoing.destroy());
    incoming.pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (what) => {
      losing = what;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
