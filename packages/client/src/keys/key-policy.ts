import { type Sun, sun } from "@finality/tron/primitives";
import { byKind, integerText, object, type Read, tryRead } from "@finality/tron/read";
import type { Intent } from "@finality/tron/transaction";

const policyKinds = {
  /** A person is shown every transaction before it is signed. This is so with each of the others too. */
  "always-ask": object({}),
  /** Above these sun the amount has to be typed once more, after the review. */
  "retype-above": object({ amount: (value: unknown): Sun => sun(integerText(value)) }),
  /** It signs on local chains alone. */
  "never-real": object({}),
};

const readPolicy = byKind(policyKinds);

/** What its owner decided about a signing key. None of them lets a signature pass without a review. */
export type KeyPolicy = ReturnType<typeof readPolicy>;

const DEFAULT_POLICY: KeyPolicy = { kind: "always-ask" };

/** A policy as it is kept. What is there and cannot be read counts as the strictest: nobody has said less. */
export const policyFromJson: Read<KeyPolicy> = (value) =>
  value === undefined ? DEFAULT_POLICY : (tryRead(readPolicy, value) ?? { kind: "never-real" });

/** A policy as it is kept: JSON, amounts as text. */
export function policyToJson(policy: KeyPolicy): object {
  return policy.kind === "retype-above" ? { ...policy, amount: policy.amount.toString() } : policy;
}

/** Whether `next` lets something pass that `now` does not. */
export function isLooser(next: KeyPolicy, now: KeyPolicy): boolean {
  if (now.kind === "never-real") return next.kind !== "never-real";
  if (now.kind === "always-ask" || next.kind === "never-real") return false;
  return next.kind === "always-ask" || next.amount > now.amount;
}

/** What a policy says to one transaction. */
export type PolicyDecision =
  | { readonly kind: "passes" }
  | { readonly kind: "refused" }
  /** Undefined where what leaves cannot be told in coins. */
  | { readonly kind: "retype"; readonly coins: Sun | undefined; readonly above: Sun };

/**
 * Judges a transaction before a key signs it.
 *
 * @param where - `isLocal`: it is for the local chain that this window started, which has proved itself
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
 * Sun that can leave the account by this transaction at most, its fee limit included; undefined where something else
 * than coins may leave: tokens, the account itself, or what only who made the contract knows.
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
