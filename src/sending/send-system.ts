import { type TransferCost, transferCost } from "@finality/client/estimates";
import { type Clock, coinSymbolOf, type HttpGateway, type NetworkProfile } from "@finality/client/gateway";
import { lockOutBy } from "@finality/client/permissions";
import { type ProofCost, proofCost } from "@finality/client/proof";
import type { Since } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { localTime, type NameOf } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import type { VerifiedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { During } from "../host/prompts/while-working.ts";
import type { SigningKeys } from "../host/secrets/signing-keys.ts";
import { expirySeconds } from "../host/settings/feature-settings.ts";
import { describeIntent } from "../labels/intents.ts";
import { lockOutText } from "../labels/permission-review.ts";
import { lookalikeLines } from "../labels/reviews.ts";
import { systemReviewText, systemWords } from "../labels/system-review.ts";
import type { SystemFacts, SystemIntent, SystemWords } from "../labels/system-words.ts";
import { lookalikesHere } from "./addresses-here.ts";
import { DO_NOT_SEND, type Review } from "./consent.ts";
import { typeLockOut } from "./dialogs.ts";
import type { SentTransaction, Share } from "./intent-sender.ts";
import type { SenderOnDemand } from "./sender.ts";
import { planSigning, type SigningPlan } from "./signing-plan.ts";
import { otherParty, partyOf, readSystemFacts } from "./system-facts.ts";
import type { TransactionService } from "./transaction-service.ts";

/** A transaction of the system's own contracts, decided but for the confirmation. */
export interface SystemOrder {
  readonly network: NetworkProfile;
  readonly gateway: HttpGateway;
  readonly intent: SystemIntent;
  readonly nameOf: NameOf;
  readonly label?: string | undefined;
  readonly acknowledgeUnknown?: readonly TxId[] | undefined;
  /** How long it may wait for a block; absent leaves it to the setting. */
  readonly expirySeconds?: string | undefined;
  /** The transaction whose place it takes, and the solidified height before that one was signed. */
  readonly replaces?: TxId | undefined;
  readonly since?: Since | undefined;
  /** A program passed every argument: the review is the only dialog, and there is none on the local chain. */
  readonly unattended: boolean;
  /** It leaves as a file instead of being broadcast. */
  readonly share?: Share | undefined;
  /** A program says that it wants nobody here to decide over the account any more. */
  readonly acknowledgeLockOut?: boolean | undefined;
}

export interface SystemServices {
  readonly sender: SenderOnDemand;
  /** Who was paid from here, and who is here: for accounts that look like the receiver. */
  readonly transactions: Pick<TransactionService, "list">;
  readonly keys: Pick<SigningKeys, "listOn" | "knownOn" | "isOutside">;
  readonly clock: Clock;
}

interface SystemDraft {
  readonly plan: SigningPlan<SystemIntent>;
  readonly signers: SigningPlan["signers"];
  readonly verified: VerifiedTransaction;
  readonly solidHeight: number;
  readonly lifetimeMs: number;
  readonly cost: TransferCost;
  readonly proofCost: ProofCost;
  readonly words: SystemWords;
}

/**
 * Builds the bytes of an intent here, verifies and shows them, signs, remembers, broadcasts.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `CALL_WOULD_FAIL` the chain would refuse what a program asks for
 */
export async function sendSystem(services: SystemServices, order: SystemOrder): Promise<SentTransaction | undefined> {
  const { network, intent, nameOf, unattended, replaces, since, label, acknowledgeUnknown, share } = order;
  const sender = await services.sender();
  return await sender.send({
    network,
    intent,
    nameOf,
    unattended,
    replaces,
    since,
    share,
    label,
    acknowledgeUnknown,
    progress: t`Preparing: ${describeIntent(intent, nameOf, coinSymbolOf(network.baseUrl))}`,
    draft: async (during) => passDoubts(order, await draftSystem(services, order, during)),
    confirm: async (draft, ask, known) => {
      if (!(await passLockOut(draft))) return undefined;
      return (await ask(reviewOf(services, { ...order, network: known }, draft))).consent;
    },
  });
}

/**
 * Nobody reads a review of what a program asks for: what the chain would refuse is refused here.
 * @throws {ChainError} `CALL_WOULD_FAIL`
 */
function passDoubts(
  { unattended, acknowledgeLockOut }: SystemOrder,
  draft: SystemDraft | undefined,
): SystemDraft | undefined {
  if (draft === undefined || !unattended) return draft;
  const { doubts } = draft.words;
  if (doubts.length > 0) throw new ChainError("CALL_WOULD_FAIL", { reason: doubts.join(" ") });
  if (acknowledgeLockOut !== true) refuseLockOut(draft);
  return draft;
}

/** @throws {ChainError} `TRANSACTION_DIFFERS`; and what the gateway throws */
async function draftSystem(
  services: SystemServices,
  order: SystemOrder,
  during: During,
): Promise<SystemDraft | undefined> {
  const { gateway, nameOf } = order;
  const signing = await import("../host/secrets/lazy-signing.ts");
  const [solid, chain] = await during((signal) =>
    Promise.all([gateway.solidBlock(signal), readSystemFacts(gateway, order.intent, nameOf, signal)]),
  );
  const plan = await planSigning(services.keys, order, chain.owner.account);
  if (plan === undefined) return undefined;
  const { intent, signers, here } = plan;
  // Somebody may have taken their time to choose: everything is asked anew.
  if (intent !== order.intent) return await draftSystem(services, { ...order, intent }, during);
  const facts = { ...chain, keysHere: here };
  const { headTimestamp, owner, parameters } = facts;
  const expiration = headTimestamp + expirySeconds(order.expirySeconds, services.keys.isOutside(intent.owner)) * 1000;
  const validity = { referenceBlock: solid.id, expiration, timestamp: services.clock.now() };
  const built = signing.builtFromIntent(intent, validity);
  const verified = signing.verifyAgainstIntent(built, intent, { headTimestamp });
  if (verified.kind !== "same") throw new ChainError("TRANSACTION_DIFFERS", { differences: verified.differences });
  const signatures = signers.length;
  const bandwidth = signing.bandwidthOf(verified.rawDataHex.length / 2, signatures);
  const costs = { bandwidth, signatures, hasMemo: intent.memo !== undefined, resources: owner.resources };
  const updatesPermissions = intent.kind === "permission-update";
  return {
    plan,
    signers,
    verified,
    solidHeight: solid.number,
    lifetimeMs: expiration - headTimestamp,
    cost: transferCost({ ...costs, updatesPermissions, recipientExists: !createsAccount(intent, facts) }, parameters),
    proofCost: proofCost({ ...verified, solidHeight: solid.number }, solid),
    words: systemWords(intent, facts),
  };
}

/** @throws {ChainError} `LOCK_OUT_REFUSED` */
function refuseLockOut({ plan: { intent, here } }: SystemDraft): void {
  const lockOut = intent.kind === "permission-update" ? lockOutBy(intent, here.ours) : undefined;
  if (lockOut !== undefined) throw new ChainError("LOCK_OUT_REFUSED", { reason: lockOutText(lockOut, here) });
}

/** What locks the person out is done only when the person types that this is wanted. */
async function passLockOut({ plan: { intent, here } }: SystemDraft): Promise<boolean> {
  const lockOut = intent.kind === "permission-update" ? lockOutBy(intent, here.ours) : undefined;
  return lockOut === undefined || (await typeLockOut(lockOutText(lockOut, here)));
}

/** A new account costs what a transfer to one costs. */
function createsAccount({ kind }: SystemIntent, { receiver }: SystemFacts): boolean {
  return kind === "account-creation" || (kind === "token-transfer" && receiver?.account === undefined);
}

/** Escape and Cancel sign nothing; where something is wrong or money is real, neither does Enter. */
function reviewOf(services: SystemServices, order: SystemOrder, draft: SystemDraft): Review {
  const { clock } = services;
  const { network, intent } = order;
  const { lifetimeMs, verified, cost, proofCost, words, plan } = draft;
  const { production, local: isLocalChain } = network;
  const other = otherParty(intent);
  const isPlain = words.doubts.length === 0 && (words.alarms ?? []).length === 0;
  const sign = isPlain ? t`Sign and Send` : t`Sign and Send Anyway`;
  const expiry = { lifetimeMs, expiration: verified.expiration, now: clock.now(), isLocalChain, timeOf: localTime };
  return {
    ...systemReviewText({
      words,
      network: network.name,
      production,
      symbol: coinSymbolOf(network.baseUrl),
      from: partyOf(order.nameOf, intent.owner),
      signing: plan,
      cost,
      proofCost,
      expiry,
      matchingFields: verified.fields.length,
      warnings:
        other === undefined ? [] : lookalikesHere(services, network, other).flatMap((it) => lookalikeLines(other, it)),
    }),
    severity: production || !isPlain ? "warning" : "information",
    isRealMoney: production,
    buttons: isPlain ? [sign] : [DO_NOT_SEND, sign],
    sign,
  };
}
