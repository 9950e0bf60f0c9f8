import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Fate of broadcasts: they go through, get no answer, or are refused. */
type Broadcasts = "pass" | "lost" | "refused";

/** A gateway in front of a chain that counts broadcasts and can lose or refuse them. */
export class CountingGateway {
  readonly #server: Server;
  broadcasts = 0;
  mode: Broadcasts = "pass";

  private constructor(behind: string) {
    this.#server = createServer(async (request, response) => {
      const { method = "POST", url = "" } = request;
      const body = await buffer(request);
      // The checklist of a connection asks the path with nothing.
      const isBroadcast = /broadcast/.test(url) && body.includes("raw_data_hex");
      if (isBroadcast) this.broadcasts++;
      if (isBroadcast && this.mode === "lost") return void request.socket.destroy();
      response.setHeader("content-type", "application/json");
      if (isBroadcast && this.mode === "refused") return void response.end(REFUSED);
      const sent = method === "GET" ? {} : { body: Buffer.from(body) };
      const answer = await fetch(`${behind}${url}`, {
        method,
        headers: { "content-type": "application/json" },
        ...sent,
      });
      response.statusCode = answer.status;
      response.end(await answer.text());
    });
  }

  static async open(behind: string): Promise<CountingGateway> {
    const gateway = new CountingGateway(behind);
    await new Promise<void>((listening) => gateway.#server.listen(0, "127.0.0.1", listening));
    return gateway;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

const REFUSED = JSON.stringify({ result: false, code: "SIGERROR", message: Buffer.from("sig error").toString("hex") });
