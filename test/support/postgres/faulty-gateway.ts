import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** Faults of a gateway, as shares of its requests. */
export interface GatewayFaults {
  /** Time for each answer, as over the Internet; ms. */
  readonly latencyMs: number;
  /** Broadcasts that never reach the node. */
  readonly lostRequests: number;
  /** Broadcasts that reach the node, and whose answer is lost. */
  readonly lostAnswers: number;
  /** Requests that are refused with 429. */
  readonly rateLimited: number;
}

export const NO_FAULTS: GatewayFaults = { latencyMs: 0, lostRequests: 0, lostAnswers: 0, rateLimited: 0 };

/** A gateway on loopback in front of a chain. */
export interface FaultyGateway {
  readonly url: string;
  faults: GatewayFaults;
  /** Number of requests by path, and of each fault. */
  readonly counts: Map<string, number>;
  close(): Promise<void>;
}

/** @param random - returns numbers from 0 to 1 */
export async function openFaultyGateway(chainUrl: string, random: () => number): Promise<FaultyGateway> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse, isLost: boolean): void => {
    const { method, headers, url = "/" } = incoming;
    const inner = request(new URL(url, chainUrl), { method, headers, agent }, (answer) => {
      if (isLost) {
        answer.resume();
        outgoing.destroy();
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on("error", () => outgoing.destroy());
    incoming.pipe(inner);
  };
  const server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? "/").replace(/\?.*$/, "");
    count(path);
    const { latencyMs, lostRequests, lostAnswers, rateLimited } = gateway.faults;
    const isBroadcast = path.startsWith("/wallet/broadcast");
    const luck = random();
    void wait(latencyMs).then(() => {
      if (random() < rateLimited) {
        count("429");
        incoming.resume();
        outgoing.writeHead(429, { "retry-after": "1" }).end("{}");
      } else if (isBroadcast && luck < lostRequests) {
        count("lost request");
        outgoing.destroy();
      } else {
        const isLost = isBroadcast && luck < lostRequests + lostAnswers;
        if (isLost) count("lost answer");
        pass(incoming, outgoing, isLost);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const gateway: FaultyGateway = {
    url: `http://127.0.0.1:${port}`,
    faults: NO_FAULTS,
    counts,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return gateway;
}
