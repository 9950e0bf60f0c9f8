import type { TrackedTransaction } from "../../../src/public/api.ts";
import { answerOf, type ChainProxy, openProxy } from "../proxy.ts";

/** Order for the sending extension. */
export type Order =
  | { readonly kind: "pay"; readonly from: string; readonly to: string; readonly amount: string }
  /** The txID is of any transaction in the journal: to ask for it makes the extension read the journal. */
  | { readonly kind: "list"; readonly txId: string };

/** Report of the sending extension, which requests the next order. */
export type Report =
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "sent"; readonly amount: string; readonly txId: string }
  | { readonly kind: "refused"; readonly amount: string; readonly message: string }
  | { readonly kind: "listed"; readonly transactions: readonly TrackedTransaction[] }
  | { readonly kind: "broken"; readonly message: string };

/** Serves orders: each report is answered with the next one. */
export function serveOrders(next: (report: Report) => Promise<Order>): Promise<ChainProxy> {
  return openProxy(async ({ body }) => answerOf(JSON.stringify(await next(JSON.parse(body) as Report))));
}
