import { createHmac } from "node:crypto";
import type { Clock } from "@finality/client/gateway";
import { retryPermission } from "@finality/client/runs";
import { stateNames, type TrackedTransaction, type TransactionTracker } from "@finality/client/tracking";
import type { OutboxEvent, PostgresRunStore } from "@finality/postgres";
import { printJson } from "@finality/tron/primitives";

export interface WebhookOptions {
  readonly url: string;
  /** Key of the signatures. */
  readonly secret: string;
  readonly store: PostgresRunStore;
  readonly tracker: TransactionTracker;
  readonly clock: Clock;
  readonly log: (message: string) => void;
}

/** Pause between two looks for events that are due; ms. */
const LOOK_MS = 1_000;
/** Time for one delivery; ms. */
const DELIVERY_MS = 10_000;
const EVENTS_AT_ONCE = 20;

/**
 * Stores an event when a row becomes final or needs a person, until the signal aborts, and delivers it. The id follows
 * from the transaction and its state, so an event is stored once, and a receiver can ignore a repetition.
 */
export async function sendWebhooks(options: WebhookOptions, signal: AbortSignal): Promise<void> {
  const { store, tracker, clock, log } = options;
  const report = (transactions: readonly TrackedTransaction[]): void => {
    store.outbox.add(transactions.flatMap(eventOf)).catch((error: unknown) => log(messageOf(error)));
  };
  report(tracker.list());
  const following = tracker.onDidChange((txIds) => report(txIds.flatMap((txId) => tracker.get(txId) ?? [])));
  while (!signal.aborted) {
    try {
      const events = await store.outbox.due(EVENTS_AT_ONCE);
      await Promise.all(events.map((event) => deliver(event, options)));
      if (events.length === EVENTS_AT_ONCE) continue;
    } catch (error) {
      log(messageOf(error));
    }
    await clock.sleep(LOOK_MS, signal).catch(() => undefined);
  }
  following.dispose();
}

async function deliver({ id, body }: OutboxEvent, { url, secret, store, clock, log }: WebhookOptions): Promise<void> {
  const time = String(Math.floor(clock.now() / 1_000));
  const signature = createHmac("sha256", secret).update(`${id}.${time}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": time,
    "webhook-signature": `v1,${signature}`,
  };
  try {
    const signal = AbortSignal.timeout(DELIVERY_MS);
    const response = await fetch(url, { method: "POST", body, headers, redirect: "error", signal });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
    await store.outbox.delivered(id);
  } catch (error) {
    log(`The webhook ${id} was not delivered: ${messageOf(error)}.`);
    await store.outbox.failed(id, messageOf(error));
  }
}

/** Returns the event of a row that is final, or that a person has to look at. */
function eventOf(tracked: TrackedTransaction): readonly OutboxEvent[] {
  const { txId, signed, state } = tracked;
  const type = typeOf(tracked);
  if (signed?.run === undefined || type === undefined) return [];
  const { id: run, row } = signed.run;
  const data = { run, row, txId, state: stateNames[state.kind], ...blockOf(tracked) };
  return [{ id: `${txId}-${type}`, body: printJson({ type: `row.${type}`, data }) }];
}

function typeOf(tracked: TrackedTransaction): "succeeded" | "failed" | "rejected" | undefined {
  const { state } = tracked;
  if (state.kind === "solidified") return state.outcome.kind === "success" ? "succeeded" : "failed";
  // Workers repeat other refusals by themselves.
  if (state.kind === "rejected" && retryPermission(tracked).kind === "permitted") return "rejected";
  return undefined;
}

function blockOf({ state }: TrackedTransaction): { readonly block?: number } {
  return state.kind === "solidified" ? { block: state.block.number } : {};
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
