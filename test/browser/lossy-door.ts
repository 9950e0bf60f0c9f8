import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * What becomes of a broadcast: all is well, it never arrives, it arrives and nobody hears of it, or the node says that it knows it
 * already and keeps it for itself.
 */
export type Loss = "nothing" | "requests" | "answers" | "known-and-kept";

/** A door in front of a chain that can lose broadcasts on either way. The sender cannot tell which way it was. */
export interface LossyDoor {
  readonly url: string;
  lose(what: Loss): void;
  close(): void;
}

const DUPLICATE = JSON.stringify({
  code: "DUP_TRANSACTION_ERROR",
  message: Buffer.from("Dup transaction.").toString("hex"),
});

export async function openLossyDoor(chainUrl: string): Promise<LossyDoor> {
  let losing: Loss = "nothing";
  const server = createServer((incoming, outgoing) => {
    const { method, url = "/", headers } = incoming;
    const lost = url.startsWith("/wallet/broadcast") ? losing : "nothing";
    if (lost === "requests") {
      incoming.resume().once("end", () => incoming.socket.destroy());
      return;
    }
    if (lost === "known-and-kept") {
      incoming.resume().once("end", () => outgoing.end(DUPLICATE));
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
