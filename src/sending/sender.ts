import { lazy } from "../host/async.ts";
import type { GuardOptions } from "./account-guard.ts";
import type { SenderServices, TransactionSender } from "./transaction-sender.ts";

/** Returns the sender of this window, which tracks the payments in progress. It is loaded on first use. */
export type SenderOnDemand = () => Promise<TransactionSender>;

export function senderOnDemand(services: Omit<SenderServices, "guard">, guard: GuardOptions): SenderOnDemand {
  return lazy(async () => {
    const [sending, guarding] = await Promise.all([import("./transaction-sender.ts"), import("./account-guard.ts")]);
    return new sending.TransactionSender({ ...services, guard: new guarding.AccountGuard(guard) });
  });
}
