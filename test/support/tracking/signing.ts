import { ownKeyAlone } from "../../../src/core/permissions/permissions.ts";
import type { Address } from "../../../src/core/primitives/address.ts";
import type { Intent } from "../../../src/core/transaction/intent.ts";
import type { SigningPlan } from "../../../src/host/sending/signing-plan.ts";

/** What is signed by the account's own key, which decides alone. */
export function ownKeySigns<I extends Pick<Intent, "owner">>(intent: I): Omit<SigningPlan, "intent"> & { intent: I } {
  const { owner } = intent;
  const here = { ours: new Set<Address>([owner]), nameOf: () => undefined };
  return { intent, permission: ownKeyAlone(owner).owner, signers: [owner], isUsual: true, here };
}
