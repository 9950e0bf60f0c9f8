import type { TransferCost } from "@finality/client/estimates";
import { type Block, coinSymbolOf, type HttpGateway } from "@finality/client/gateway";
import { describeIntent } from "@finality/client/labels";
import { findLockOut, type LockOut } from "@finality/client/permissions";
import { type ProofCost, proofCost } from "@finality/client/proof";
import type { SystemEffect, SystemFacts, SystemIntent } from "@finality/client/reviews";
import {
  effectOf,
  lockOutText,
  otherParty,
  readSystemFacts,
  reviewSystemContract,
  systemCost,
} from "@finality/client/reviews";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { lookalikesHere } from "./addresses-here.ts";
import { DO_NOT_SEND, type Review } from "./consent.ts";
import { typeLockOut } from "./dialogs.ts";
import { planSigning, type SigningPlan } from "./signing-plan.ts";
import {
  type Draft,
  type NewTransactionRequest,
  type OwnerState,
  type StepContext,
  type TransactionKind,
  verifyBuilt,
} from "./transaction-kind.ts";

/** A call of a system contract. */
export interface SystemRequest extends NewTransactionRequest<SystemIntent> {
  readonly gateway: HttpGateway;
  /** A program accepts that no key here controls the account afterwards. */
  readonly acknowledgeLockOut?: boolean | undefined;
}

interface SystemState extends OwnerState {
  readonly facts: SystemFacts;
  readonly solid: Block;
}

interface SystemDraft extends Draft {
  readonly plan: SigningPlan<SystemIntent>;
  readonly cost: TransferCost;
  readonly proofCost: ProofCost;
  readonly words: SystemEffect;
}

/** Steps of a system contract. The bytes are built here. */
export const systemContract: TransactionKind<SystemRequest, SystemState, SigningPlan<SystemIntent>, SystemDraft> = {
  progress: ({ intent, nameOf, network }) =>
    t`Preparing: ${describeIntent(intent, nameOf, coinSymbolOf(network.baseUrl))}`,
  read: async ({ request: { gateway, intent, nameOf } }, signal) => {
    const [solid, facts] = await Promise.all([
      gateway.solidBlock(signal),
      readSystemFacts(gateway, intent, nameOf, signal),
    ]);
    return { solid, facts, account: facts.owner.account };
  },
  plan: ({ services, request }, { account }) => planSigning(services.keys, request, account),
  build: buildSystem,
  check: ({ request }, { plan, words: { doubts } }) => {
    if (doubts.length > 0) throw new ChainError("CALL_WOULD_FAIL", { reason: doubts.join(" ") });
    const lockOut = request.acknowledgeLockOut === true ? undefined : lockOutOf(plan);
    if (lockOut !== undefined) throw new ChainError("LOCK_OUT_REFUSED", { reason: lockOutText(lockOut, plan.here) });
  },
  confirm: async (_context, { plan }) => {
    const lockOut = lockOutOf(plan);
    return lockOut === undefined || (await typeLockOut(lockOutText(lockOut, plan.here)));
  },
  review: reviewOf,
};

async function buildSystem(
  { services, request: { intent, expiresInMs } }: StepContext<SystemRequest>,
  { solid, facts: chain }: SystemState,
  plan: SigningPlan<SystemIntent>,
): Promise<SystemDraft> {
  const { bandwidthOf, builtFromIntent } = await import("../host/secrets/lazy-signing.ts");
  const facts = { ...chain, keysHere: plan.here };
  const { headTimestamp } = facts;
  const expiration = headTimestamp + expiresInMs;
  const built = builtFromIntent(intent, { referenceBlock: solid.id, expiration, timestamp: services.clock.now() });
  const verified = await verifyBuilt({ built, headTimestamp }, intent);
  const signatures = plan.signers.length;
  return {
    plan,
    verified,
    solidHeight: solid.number,
    lifetimeMs: expiresInMs,
    cost: systemCost(intent, facts, {
      bandwidth: bandwidthOf(verified.rawDataHex.length / 2, signatures),
      signatures,
    }),
    proofCost: proofCost({ ...verified, solidHeight: solid.number }, solid),
    words: effectOf(intent, facts),
  };
}

/** Returns whether the change leaves no key here that controls the account. */
function lockOutOf({ intent, here }: SigningPlan<SystemIntent>): LockOut | undefined {
  return intent.kind === "permission-update" ? findLockOut(intent, here.ours) : undefined;
}

/** If the chain would refuse it or money is real, Enter does not sign. */
function reviewOf({ services, request }: StepContext<SystemRequest>, draft: SystemDraft): Review {
  const { network, intent, nameOf } = request;
  const { lifetimeMs, verified, cost, proofCost, words, plan } = draft;
  const { production } = network;
  const isPlain = words.doubts.length === 0 && (words.alarms ?? []).length === 0;
  const sign = isPlain ? t`Sign and Send` : t`Sign and Send Anyway`;
  const other = otherParty(intent);
  const text = reviewSystemContract(
    { network, nameOf, signing: plan, verified, lifetimeMs, now: services.clock.now() },
    {
      intent,
      words,
      cost,
      proofCost,
      lookalikes: other === undefined ? [] : lookalikesHere(services, network, other),
    },
  );
  return {
    ...text,
    severity: production || !isPlain ? "warning" : "information",
    isRealMoney: production,
    buttons: isPlain ? [sign] : [DO_NOT_SEND, sign],
    sign,
  };
}
