import { lazily } from "../host/lazily.ts";
import type { GuardOptions } from "./account-guard.ts";
import type { IntentSender, SenderServices } from "./intent-sender.ts";

/** The sender of this window, loaded when somebody first sends: it remembers which intents are under way. */
export type SenderOnDemand = () => Promise<IntentSender>;

export function senderOnDemand(services: Omit<SenderServices, "guard">, guard: GuardOptions): SenderOnDemand {
  return lazily(async () => {
    const [sending, guarding] = await Promise.all([import("./intent-sender.ts"), import("./account-guard.ts")]);
    return new sending.IntentSender({ ...services, guard: new guarding.AccountGuard(guard) });
  });
}
