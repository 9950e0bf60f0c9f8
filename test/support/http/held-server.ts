import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A gateway in front of another one that can hold requests without an answer. */
export interface HeldServer {
  readonly baseUrl: string;
  /** The paths of requests that wait, and whose asker is still there. */
  waiting(): readonly string[];
  /** From now on requests wait: those of this path, or all. */
  hold(path?: string): void;
  /** Answers requests from now on. */
  release(): void;
  close(): Promise<void>;
}

export async function openHeldServer(behind: string): Promise<HeldServer> {
  const waiting = new Set<string>();
  let isHeld = (_path: string): boolean => false;
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const body = await buffer(request);
    if (isHeld(path)) {
      const one = `${path} ${performance.now()}`;
      waiting.add(one);
      response.once("close", () => waiting.delete(one));
      return;
    }
    const answer = await askBehind(behind, request, body);
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => [...waiting].map((it) => it.split(" ")[0] ?? ""),
    hold: (path) => {
      isHeld = (asked) => path === undefined || asked === path;
    },
    release: () => {
      isHeld = () => false;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function askBehind(
  behind: string,
  { method = "POST", url = "" }: IncomingMessage,
  body: Uint8Array,
): Promise<Response> {
  const sent = method === "GET" ? {} : { body: Buffer.from(body) };
  return fetch(`${behind}${url}`, { method, headers: { "content-type": "application/json" }, ...sent });
}
