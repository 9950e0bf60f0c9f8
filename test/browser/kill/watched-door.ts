import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A request on its way to the chain, and where it is: not handed over yet, answered but the asker does not know, or all done. */
export interface Passing {
  readonly path: string;
  readonly body: string;
  readonly at: "before" | "answered" | "after";
}

/** A door in front of a chain that shows what passes. It waits for who looks. */
export interface WatchedDoor {
  readonly url: string;
  close(): void;
}

export async function openWatchedDoor(
  chainUrl: string,
  look: (passing: Passing) => Promise<void>,
): Promise<WatchedDoor> {
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? "/";
    const body = await textOf(incoming);
    await look({ path, body, at: "before" });
    const inner = request(
      new URL(path, chainUrl),
      { method: incoming.method, headers: incoming.headers },
      async (answer) => {
        const text = await textOf(answer);
        await look({ path, body, at: "answered" });
        outgoing.once("finish", () => void look({ path, body, at: "after" }));
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
      },
    );
    inner.on("error", () => outgoing.destroy());
    inner.end(body);
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

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
