import { type TransferCost, transferCost } from "@finality/client/estimates";
import { type Block, coinSymbolOf, type HttpGateway } from "@finality/client/gateway";
import { describeIntent, lookalikeLines } from "@finality/client/labels";
import { findLockOut, type LockOut } from "@finality/client/permissions";
import { type ProofCost, proofCost } from "@finality/client/proof";
import type { SystemEffect, SystemFacts, SystemIntent } from "@finality/client/reviews";
import {
  effectOf,
  lockOutText,
  otherParty,
  partyOf,
  readSystemFacts,
  systemReviewText,
} from "@finality/client/reviews";
import { ChainError } from "@finality/tron/errors";
import { localTime } from "@finality/tron/format";
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
  const { headTimestamp, owner, parameters } = facts;
  const expiration = headTimestamp + expiresInMs;
  const built = builtFromIntent(intent, { referenceBlock: solid.id, expiration, timestamp: services.clock.now() });
  const verified = await verifyBuilt({ built, headTimestamp }, intent);
  const signatures = plan.signers.length;
  return {
    plan,
    verified,
    solidHeight: solid.number,
    lifetimeMs: expiresInMs,
    cost: transferCost(
      {
        bandwidth: bandwidthOf(verified.rawDataHex.length / 2, signatures),
        signatures,
        hasMemo: intent.memo !== undefined,
        resources: owner.resources,
        updatesPermissions: intent.kind === "permission-update",
        recipientExists: !createsAccount(intent, facts),
      },
      parameters,
    ),
    proofCost: proofCost({ ...verified, solidHeight: solid.number }, solid),
    words: effectOf(intent, facts),
  };
}

/** Returns whether the change leaves no key here that controls the account. */
function lockOutOf({ intent, here }: SigningPlan<SystemIntent>): LockOut | undefined {
  return intent.kind === "permission-update" ? findLockOut(intent, here.ours) : undefined;
}

/** A new account costs as much as a transfer to one. */
function createsAccount({ kind }: SystemIntent, { receiver }: SystemFacts): boolean {
  return kind === "account-creation" || (kind === "token-transfer" && receiver?.account === undefined);
}

/** If the chain would refuse it or money is real, Enter does not sign. */
function reviewOf({ services, request }: StepContext<SystemRequest>, draft: SystemDraft): Review {
  const { network, intent, nameOf } = request;
  const { lifetimeMs, verified, cost, proofCost, words, plan } = draft;
  const { production } = network;
  const other = otherParty(intent);
  const isPlain = words.doubts.length === 0 && (words.alarms ?? []).length === 0;
  const sign = isPlain ? t`Sign and Send` : t`Sign and Send Anyway`;
  const text = systemReviewText({
    words,
    network,
    symbol: coinSymbolOf(network.baseUrl),
    from: partyOf(nameOf, intent.owner),
    signing: plan,
    cost,
    proofCost,
    expiry: {
      lifetimeMs,
      expiration: verified.expiration,
      now: services.clock.now(),
      isLocalChain: network.local,
      timeOf: localTime,
    },
    matchingFields: verified.fields.length,
    warnings:
      other === undefined ? [] : lookalikesHere(services, network, other).flatMap((it) => lookalikeLines(other, it)),
  });
  return {
    ...text,
    severity: production || !isPlain ? "warning" : "information",
    isRealMoney: production,
    buttons: isPlain ? [sign] : [DO_NOT_SEND, sign],
    sign,
  };
}
