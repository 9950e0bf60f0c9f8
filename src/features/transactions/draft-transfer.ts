import { ChainError } from "../../core/errors/chain-error.ts";
import type { Gateway, TransferRequest } from "../../core/gateway/gateway.ts";
import { type ProofCost, proofCost } from "../../core/proof/inclusion-interval.ts";
import { type TransferCost, transferCost } from "../../core/resources/transfer-cost.ts";
import type { BuiltTransaction } from "../../core/transaction/built-transaction.ts";
import type { VerifiedTransaction } from "../../core/transaction/verify-against-intent.ts";

/** A transfer that was built and verified, and is not signed yet. */
export interface TransferDraft {
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

const SIGNATURES = 1;

/**
 * Lets the gateway build a transfer, compares the bytes with what was asked, and works out the cost.
 *
 * @param expiresInMs - chain time from the newest block to the expiration, ms; absent leaves it to the gateway
 * @throws {ChainError} `TRANSACTION_DIFFERS` something else was built: nothing may be signed; and what the gateway
 *   throws
 */
export async function draftTransfer(
  gateway: Gateway,
  request: TransferRequest,
  expiresInMs?: number,
  signal?: AbortSignal,
): Promise<TransferDraft> {
  const [signing, solid, head, built] = await Promise.all([
    import("../../host/secrets/lazy-signing.ts"),
    gateway.solidBlock(signal),
    gateway.headBlock(signal),
    gateway.buildTransfer(request, signal),
  ]);
  const verify = (it: BuiltTransaction): VerifiedTransaction => {
    const limits = { headTimestamp: head.timestamp };
    const verification = signing.verifyAgainstIntent(it, { kind: "transfer", ...request }, limits);
    if (verification.kind === "same") return verification;
    throw new ChainError("TRANSACTION_DIFFERS", { differences: verification.differences });
  };
  const asBuilt = verify(built);
  const verified =
    expiresInMs === undefined ? asBuilt : verify(signing.withExpiration(asBuilt, head.timestamp + expiresInMs));
  const proofCostFor = (lifetimeMs: number): ProofCost =>
    proofCost({ ...verified, expiration: head.timestamp + lifetimeMs, solidHeight: solid.number }, solid);
  const lifetimeMs = verified.expiration - head.timestamp;
  const bandwidth = signing.bandwidthOf(verified.rawDataHex.length / 2, SIGNATURES);
  return {
    verified,
    cost: await costOf(gateway, request, bandwidth, signal),
    lifetimeMs,
    solidHeight: solid.number,
    proofCost: proofCostFor(lifetimeMs),
    proofCostFor,
  };
}

async function costOf(
  gateway: Gateway,
  { owner, to, memo }: TransferRequest,
  bandwidth: bigint,
  signal?: AbortSignal,
): Promise<TransferCost> {
  const [recipient, resources, parameters] = await Promise.all([
    gateway.account(to, signal),
    gateway.accountResources(owner, signal),
    gateway.chainParameters(signal),
  ]);
  const facts = { bandwidth, signatures: SIGNATURES, hasMemo: memo !== undefined, resources };
  return transferCost({ ...facts, recipientExists: recipient !== undefined }, parameters);
}
