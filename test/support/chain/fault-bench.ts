import { connect } from "node:net";
import { createHttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import { broadcastBody } from "../../../packages/client/src/gateway/wire/broadcast.ts";
import { type JsonObject, printJson } from "../../../packages/tron/src/primitives/json.ts";
import type { SignedTransaction } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { profileAt } from "../fakes/gateway-fixtures.ts";
import type { ChainBench } from "./chain-bench.ts";

/** Turns these faults on, in the place of the ones before. */
export function setFaults(bench: ChainBench, faults: readonly JsonObject[], seed = ""): Promise<JsonObject> {
  return bench.ask("/local/faults", { faults, seed });
}

/** Returns the hits of the active faults. */
export function hitsOf(bench: ChainBench): readonly number[] {
  const { faults } = bench.chain.simulation.faults.report() as { faults: readonly { hits: number }[] };
  return faults.map(({ hits }) => hits);
}

/** Result of one POST as a client sees it: received bytes, and end of the connection. */
export interface SeenExchange {
  readonly text: string;
  readonly end: "closed" | "ECONNRESET" | "ECONNREFUSED" | string;
}

/** One POST over a socket of its own, byte for byte. */
export async function seen(bench: ChainBench, path: string, body: JsonObject = {}): Promise<SeenExchange> {
  const { hostname, port } = new URL(bench.chain.baseUrl);
  const bytes = printJson(body);
  const head = [`POST ${path} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", `Content-Length: ${bytes.length}`];
  return await new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let [text, end] = ["", "closed"];
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      end = error.code ?? error.message;
    });
    socket.on("close", () => resolve({ text, end }));
    socket.write([...head, "", bytes].join("\r\n"));
  });
}

/** One broadcast over a socket of its own. */
export function seenBroadcast(bench: ChainBench, transaction: SignedTransaction): Promise<SeenExchange> {
  return seen(bench, "/wallet/broadcasttransaction", broadcastBody(transaction));
}

/** A read of our client while the faults are on: how it ended, after all tries, with every wait passing at once. */
export async function readOutcome(bench: ChainBench): Promise<string> {
  const { clock } = bench;
  const gateway = createHttpGateway(profileAt(bench.chain.baseUrl), { clock, random: () => 0 });
  try {
    const { number } = await clock.runUntil(gateway.headBlock());
    return `block ${number}`;
  } catch (error) {
    return String((error as { code?: unknown }).code);
  } finally {
    await gateway.close();
  }
}
