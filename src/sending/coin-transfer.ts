import { estimateTransfer, type TransferCost } from "@finality/client/estimates";
import type { Account, Block, Head } from "@finality/client/gateway";
import { type ProofCost, proofCost } from "@finality/client/proof";
import { reviewTransfer, validityButton, validityItems } from "@finality/client/reviews";
import {
  type BuiltTransaction,
  DEFAULT_EXPIRATION_AHEAD_MS,
  type IntentOf,
  type VerifiedTransaction,
} from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { quickPick } from "../host/prompts/quick-input.ts";
import { lookalikesHere } from "./addresses-here.ts";
import type { Review } from "./consent.ts";
import { planSigning, type SigningPlan } from "./signing-plan.ts";
import {
  type Draft,
  type NewTransactionRequest,
  type OwnerState,
  type StepContext,
  type TransactionKind,
  verifyBuilt,
} from "./transaction-kind.ts";

/** A transfer of the network's coins. */
export type CoinRequest = NewTransactionRequest<IntentOf<"transfer">>;

interface CoinState extends OwnerState {
  readonly account: Account | undefined;
  readonly solid: Block;
  readonly head: Head;
  readonly built: BuiltTransaction;
}

/** A verified transfer with its cost. */
export interface CoinDraft extends Draft {
  readonly plan: SigningPlan<IntentOf<"transfer">>;
  readonly cost: TransferCost;
  /** Cost of a proof that no block contains the transfer, for a lifetime in ms. */
  readonly proofCostFor: (lifetimeMs: number) => ProofCost;
}

/** Steps of a coin transfer. The gateway builds the bytes. */
export const coinTransfer: TransactionKind<CoinRequest, CoinState, SigningPlan<IntentOf<"transfer">>, CoinDraft> = {
  progress: () => t`Building the transfer`,
  read: async ({ request: { gateway, intent } }, signal) => {
    const { kind: _kind, ...transfer } = intent;
    const [solid, head, built, account] = await Promise.all([
      gateway.solidBlock(signal),
      gateway.headBlock(signal),
      gateway.buildTransfer(transfer, signal),
      gateway.account(intent.owner, signal),
    ]);
    return { solid, head, built, account };
  },
  plan: ({ services, request }, { account }) => planSigning(services.keys, request, account),
  build: async ({ request }, state, plan, signal) => {
    const { solid, head } = state;
    const verified = await verifyTransfer(request, state);
    const { bandwidthOf } = await import("../host/secrets/lazy-signing.ts");
    const signatures = plan.signers.length;
    const bandwidth = bandwidthOf(verified.rawDataHex.length / 2, signatures);
    return {
      plan,
      verified,
      cost: await estimateTransfer(request.gateway, request.intent, { bandwidth, signatures }, signal),
      lifetimeMs: verified.expiration - head.timestamp,
      solidHeight: solid.number,
      proofCostFor: (lifetimeMs) =>
        proofCost({ ...verified, expiration: head.timestamp + lifetimeMs, solidHeight: solid.number }, solid),
    };
  },
  review: reviewOf,
  revise: async ({ request }, draft) => {
    const expiresInMs = await chooseExpiry(request, draft);
    return { ...request, intent: draft.plan.intent, expiresInMs };
  },
};

/** The gateway's bytes are verified before their expiration changes, and again afterwards. */
async function verifyTransfer(
  { intent, expiresInMs }: CoinRequest,
  { built, head }: CoinState,
): Promise<VerifiedTransaction> {
  const headTimestamp = head.timestamp;
  const asBuilt = await verifyBuilt({ built, headTimestamp }, intent);
  if (expiresInMs === DEFAULT_EXPIRATION_AHEAD_MS) return asBuilt;
  const { withExpiration } = await import("../host/secrets/lazy-signing.ts");
  return await verifyBuilt({ built: withExpiration(asBuilt, headTimestamp + expiresInMs), headTimestamp }, intent);
}

function reviewOf({ services, request }: StepContext<CoinRequest>, draft: CoinDraft): Review {
  const { network, nameOf, intent } = request;
  const { verified, plan, cost, lifetimeMs, proofCostFor } = draft;
  const text = reviewTransfer(
    { network, nameOf, signing: plan, verified, lifetimeMs, now: services.clock.now() },
    {
      intent,
      cost,
      proofCost: proofCostFor(lifetimeMs),
      lookalikes: lookalikesHere(services, network, intent.to),
    },
  );
  const sign = t`Sign and Send`;
  return {
    ...text,
    severity: network.production ? "warning" : "information",
    isRealMoney: network.production,
    buttons: [sign, validityButton(lifetimeMs)],
    sign,
  };
}

/** Prompts for the expiry. Escape keeps the current one. */
async function chooseExpiry({ expiresInMs }: CoinRequest, { lifetimeMs, proofCostFor }: CoinDraft): Promise<number> {
  const options = { title: t`Send Coins`, placeHolder: t`How long may it wait for a block?`, ignoreFocusOut: true };
  const chosen = await quickPick(validityItems(lifetimeMs, proofCostFor), options);
  return chosen === undefined || chosen.expiresInMs === lifetimeMs ? expiresInMs : chosen.expiresInMs;
}
