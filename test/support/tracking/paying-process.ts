import { submitTransaction } from "../../../packages/client/src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import { JournalFile } from "../../../packages/node/src/journal/journal-file.ts";
import { systemClock as clock } from "../../../packages/node/src/system-clock.ts";
import { FakeGateway } from "../fakes/fake-gateway.ts";
import { fakeBytes, TRANSFER } from "./journal-entries.ts";

/**
 * One payment for a window to make: which equal intent, and which bytes of this window's own; or another folder to work
 * in.
 */
export interface PayingOrder {
  readonly open?: string;
  readonly intent: number;
  readonly bytes: number;
}

export type PayingReport = "ready" | { readonly intent: number; readonly outcome: "sent" | string };

/** A window in a process of its own, which pays when its parent says so and tells whether bytes left. */
const gateway = new FakeGateway();
let store = new JournalFile(process.argv[2] ?? "");
let log = new TransactionTracker({ store, clock, gatewayFor: async () => gateway });
await log.load();

process.on("message", async ({ open, intent: number, bytes }: PayingOrder) => {
  if (open !== undefined) {
    log.dispose();
    await store.close();
    store = new JournalFile(open);
    log = new TransactionTracker({ store, clock, gatewayFor: async () => gateway });
    await log.load();
    await store.catchUp();
    process.send?.("ready" satisfies PayingReport);
    return;
  }
  const intent = { ...TRANSFER, amount: BigInt(number) } as typeof TRANSFER;
  const signed = { ...fakeBytes(bytes), signatures: [] };
  const context = { network: "test", intent, expiration: 1_767_225_660_000, solidHeight: 0 };
  const before = gateway.requests.length;
  const outcome = await submitTransaction({ log, gateway, clock }, signed, context).then(
    () => "sent",
    (error: unknown) =>
      gateway.requests.length > before ? "sent and failed" : String((error as { code?: string }).code),
  );
  process.send?.({ intent: number, outcome } satisfies PayingReport);
});
process.send?.("ready" satisfies PayingReport);
