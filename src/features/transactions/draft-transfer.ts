import { type TransferCost, type TransferFacts, transferCost } from "@finality/client/estimates";
import type { Account, Gateway, TransferRequest } from "@finality/client/gateway";
import { type ProofCost, proofCost } from "@finality/client/proof";
import { ChainError } from "@finality/tron/errors";
import type { BuiltTransaction, IntentOf, VerifiedTransaction } from "@finality/tron/transaction";
import type { During } from "../../host/prompts/while-working.ts";
import type { SigningPlan } from "../../sending/signing-plan.ts";

/** A transfer that was built and verified, and is not signed yet. */
export interface TransferDraft {
  readonly plan: SigningPlan;
  readonly signers: SigningPlan["signers"];
  readonly verified: VerifiedTransaction;
  readonly cost: TransferCost;
  /** Chain time from the newest block to the expiration, ms. */
  readonly lifetimeMs: number;
  /** The solidified height before anything was signed: no earlier block can hold the transfer. */
  readonly solidHeight: number;
  /** What it would cost to prove that no block holds it. */
  readonly proofCost: ProofCost;
  /** The same if the transfer had so long, chain time in ms. */
  readonly proofCostFor: (lifetimeMs: number) => ProofCost;
}

/** Decides who signs, by what the gateway says of the owner. @returns undefined when the person left */
export type PlanTransfer = (
  request: TransferRequest,
  account: Account | undefined,
) => Promise<SigningPlan<IntentOf<"transfer">> | undefined>;

/** How a transfer is drafted. */
export interface Drafting {
  readonly planFor: PlanTransfer;
  readonly during: During;
  /** Chain time from the newest block to the expiration, ms; absent leaves it to the gateway. */
  readonly expiresInMs?: number | undefined;
}

/**
 * Lets the gateway build a transfer, compares the bytes with what was asked, and works out the cost.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `TRANSACTION_DIFFERS` something else was built: nothing may be signed; and what the gateway and
 *   `plan` throw
 */
export async function draftTransfer(
  gateway: Gateway,
  request: TransferRequest,
  drafting: Drafting,
): Promise<TransferDraft | undefined> {
  const { planFor, during, expiresInMs } = drafting;
  const signing = await import("../../host/secrets/lazy-signing.ts");
  const [solid, head, built, account] = await during((signal) =>
    Promise.all([
      gateway.solidBlock(signal),
      gateway.headBlock(signal),
      gateway.buildTransfer(request, signal),
      gateway.account(request.owner, signal),
    ]),
  );
  const plan = await planFor(request, account);
  if (plan === undefined) return undefined;
  const { permissionId } = plan.intent;
  // Somebody may have taken their time to choose: everything is asked anew.
  if (permissionId !== undefined && permissionId !== request.permissionId)
    return await draftTransfer(gateway, { ...request, permissionId }, drafting);
  const verify = (it: BuiltTransaction): VerifiedTransaction => {
    const limits = { headTimestamp: head.timestamp };
    const verification = signing.verifyAgainstIntent(it, plan.intent, limits);
    if (verification.kind === "same") return verification;
    throw new ChainError("TRANSACTION_DIFFERS", { differences: verification.differences });
  };
  const asBuilt = verify(built);
  const verified =
    expiresInMs === undefined ? asBuilt : verify(signing.withExpiration(asBuilt, head.timestamp + expiresInMs));
  const proofCostFor = (lifetimeMs: number): ProofCost =>
    proofCost({ ...verified, expiration: head.timestamp + lifetimeMs, solidHeight: solid.number }, solid);
  const lifetimeMs = verified.expiration - head.timestamp;
  const { signers } = plan;
  const bandwidth = signing.bandwidthOf(verified.rawDataHex.length / 2, signers.length);
  const size = { bandwidth, signatures: signers.length };
  return {
    plan,
    signers,
    verified,
    cost: await during((signal) => costOf(gateway, request, size, signal)),
    lifetimeMs,
    solidHeight: solid.number,
    proofCost: proofCostFor(lifetimeMs),
    proofCostFor,
  };
}

async function costOf(
  gateway: Gateway,
  { owner, to, memo }: TransferRequest,
  size: Pick<TransferFacts, "bandwidth" | "signatures">,
  signal: AbortSignal,
): Promise<TransferCost> {
  const [recipient, resources, parameters] = await Promise.all([
    gateway.account(to, signal),
    gateway.accountResources(owner, signal),
    gateway.chainParameters(signal),
  ]);
  const facts = { ...size, hasMemo: memo !== undefined, resources };
  return transferCost({ ...facts, recipientExists: recipient !== undefined }, parameters);
}
