import { type Sun, sun } from "@finality/tron/primitives";
import { byKind, integerText, object, type Read, tryRead } from "@finality/tron/read";
import type { Intent } from "@finality/tron/transaction";

const policyKinds = {
  /** The user reviews every transaction before it is signed, with this and every other policy. */
  "always-ask": object({}),
  /** Above this amount of sun the user types the amount again, after the review. */
  "retype-above": object({ amount: (value: unknown): Sun => sun(integerText(value)) }),
  /** Signs on local chains only. */
  "never-real": object({}),
};

const readPolicy = byKind(policyKinds);

/** The owner's policy for a signing key. No policy skips the review. */
export type KeyPolicy = ReturnType<typeof readPolicy>;

const DEFAULT_POLICY: KeyPolicy = { kind: "always-ask" };

/** Reads a stored policy. An unreadable one counts as the strictest. */
export const policyFromJson: Read<KeyPolicy> = (value) =>
  value === undefined ? DEFAULT_POLICY : (tryRead(readPolicy, value) ?? { kind: "never-real" });

/** Returns a policy as JSON, with amounts as text. */
export function policyToJson(policy: KeyPolicy): object {
  return policy.kind === "retype-above" ? { ...policy, amount: policy.amount.toString() } : policy;
}

/** Returns true if `next` allows something that `now` does not. */
export function isLooser(next: KeyPolicy, now: KeyPolicy): boolean {
  if (now.kind === "never-real") return next.kind !== "never-real";
  if (now.kind === "always-ask" || next.kind === "never-real") return false;
  return next.kind === "always-ask" || next.amount > now.amount;
}

/** Decision of a policy about one transaction. */
export type PolicyDecision =
  | { readonly kind: "passes" }
  | { readonly kind: "refused" }
  /** Undefined if the outflow cannot be expressed in coins. */
  | { readonly kind: "retype"; readonly coins: Sun | undefined; readonly above: Sun };

/**
 * Applies a policy to a transaction before a key signs it.
 *
 * @param where - `isLocal`: it is for the local chain that this window started and that proved its identity.
 */
export function applyPolicy(
  policy: KeyPolicy,
  intent: Intent,
  { isLocal }: { readonly isLocal: boolean },
): PolicyDecision {
  if (isLocal || policy.kind === "always-ask") return { kind: "passes" };
  if (policy.kind === "never-real") return { kind: "refused" };
  const coins = maximumOutflow(intent);
  if (coins !== undefined && coins <= policy.amount) return { kind: "passes" };
  return { kind: "retype", coins, above: policy.amount };
}

/**
 * Returns the largest amount of sun that can leave the account, the fee limit included. Undefined if tokens or control
 * of the account may leave, or if the contract decides.
 */
function maximumOutflow(intent: Intent): Sun | undefined {
  switch (intent.kind) {
    case "transfer":
    case "stake":
    case "delegate":
      return intent.amount;
    case "contract-creation":
      return sun(intent.callValue + intent.feeLimit);
    case "unstake":
    case "undelegate":
    case "withdraw":
    case "cancel-unstakes":
    case "vote":
    case "claim-reward":
    case "account-creation":
    case "account-name":
    case "contract-share":
    case "contract-limit":
    case "contract-abi-removal":
      return sun(0n);
    case "token-transfer":
    case "contract-call":
    case "permission-update":
    case "other":
      return undefined;
  }
}
