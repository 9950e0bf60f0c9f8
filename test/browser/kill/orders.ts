import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TrackedTransaction } from "../../../src/api.ts";

/** What the sending extension is told to do. */
export type Order =
  | { readonly kind: "pay"; readonly from: string; readonly to: string; readonly amount: string }
  /** The txID is of any transaction in the journal: to ask for it makes the extension read the journal. */
  | { readonly kind: "list"; readonly txId: string };

/** What it says when it has done so, and asks for more. */
export type Report =
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "sent"; readonly amount: string; readonly txId: string }
  | { readonly kind: "refused"; readonly amount: string; readonly message: string }
  | { readonly kind: "listed"; readonly transactions: readonly TrackedTransaction[] }
  | { readonly kind: "broken"; readonly message: string };

export interface OrderDesk {
  readonly url: string;
  close(): void;
}

/** Serves orders: each report is answered with the next one. */
export async function openOrderDesk(next: (report: Report) => Promise<Order>): Promise<OrderDesk> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const order = await next(JSON.parse(Buffer.concat(chunks).toString("utf8")) as Report);
    response.end(JSON.stringify(order));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
