import type { IntentSender } from "./sending/intent-sender.ts";
import type { SigningKeys } from "./signing-keys.ts";
import type { TransactionDesk } from "./transaction-desk.ts";

/** The sender of this window, loaded when somebody first sends: it remembers which intents are under way. */
export type SenderOnDemand = () => Promise<IntentSender>;

export function senderOnDemand(keys: SigningKeys, desk: TransactionDesk): SenderOnDemand {
  const load = async () => new (await import("./sending/intent-sender.ts")).IntentSender(keys, desk);
  let loaded: Promise<IntentSender> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
