import { lazy } from "../host/async.ts";
import type { GuardOptions } from "./account-guard.ts";
import type { SenderServices, TransactionSender } from "./transaction-sender.ts";

/** Returns the sender of this window, which is loaded on first use and knows the payments that are under way. */
export type SenderOnDemand = () => Promise<TransactionSender>;

export function senderOnDemand(services: Omit<SenderServices, "guard">, guard: GuardOptions): SenderOnDemand {
  return lazy(async () => {
    const [sending, guarding] = await Promise.all([import("./transaction-sender.ts"), import("./account-guard.ts")]);
    return new sending.TransactionSender({ ...services, guard: new guarding.AccountGuard(guard) });
  });
}
