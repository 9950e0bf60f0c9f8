import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What stands between a sender and a chain. */
export interface BroadcastWatch {
  /** Called before a broadcast goes on to the chain. */
  before(): Promise<void>;
  /** Called with the answer of the chain; what it gives goes to the sender. */
  answered(answer: string): string;
}

/** A door in front of a chain that knows of every broadcast, and may change the answer. All else goes through as it is. */
export async function openBroadcastDoor(chainUrl: string, watch: BroadcastWatch) {
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url = "/" } = incoming;
    const isBroadcast = url.startsWith("/wallet/broadcast");
    const body = await textOf(incoming);
    if (isBroadcast) await watch.before();
    const answer = await fetch(new URL(url, chainUrl), method === "GET" ? { method } : { method, body });
    const text = await answer.text();
    outgoing.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    outgoing.end(isBroadcast ? watch.answered(text) : text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
