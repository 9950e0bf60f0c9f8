import { ownKeyAlone } from "../../../packages/client/src/permissions/permissions.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import type { SigningPlan } from "../../../src/sending/signing-plan.ts";

/** Signing facts of the account's own key, which decides alone. */
export function ownKeySigns<I extends Pick<Intent, "owner">>(intent: I): Omit<SigningPlan, "intent"> & { intent: I } {
  const { owner } = intent;
  const here = { ours: new Set<Address>([owner]), nameOf: () => undefined };
  return { intent, permission: ownKeyAlone(owner).owner, signers: [owner], isUsual: true, here };
}
