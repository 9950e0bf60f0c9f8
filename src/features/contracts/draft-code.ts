import type { AbiIndex } from "../../core/abi/abi-index.ts";
import type { Mutability } from "../../core/abi/contract-functions.ts";
import { ChainError } from "../../core/errors/chain-error.ts";
import type { CodeIntent } from "../../core/estimates/call-estimate.ts";
import type { EstimateContext, EstimateWords } from "../../core/estimates/estimate-words.ts";
import type { Gateway } from "../../core/gateway/gateway.ts";
import type { HttpGateway } from "../../core/gateway/http/http-gateway.ts";
import type { Clock } from "../../core/time/clock.ts";
import type { VerifiedTransaction } from "../../core/transaction/verify-against-intent.ts";

/** A call or a deployment that was simulated, built and verified, and is not signed yet. */
export interface CodeDraft {
  readonly verified: VerifiedTransaction;
  readonly solidHeight: number;
  /** Chain time from the newest block to the expiration, ms. */
  readonly lifetimeMs: number;
  /** What the simulation said. */
  readonly words: EstimateWords;
}

/** What is known of the code besides the intent. */
export interface CodeFacts {
  readonly abi?: AbiIndex | undefined;
  readonly mutability?: Mutability | undefined;
  readonly marginPercent: bigint;
}

/** Simulates an intent and says in words what would happen. */
export async function simulate(
  gateway: HttpGateway,
  intent: CodeIntent,
  { abi, mutability, marginPercent }: CodeFacts,
): Promise<EstimateWords> {
  const { estimateCall, estimateWords } = await import("../../host/lazy/estimates.ts");
  const estimate = await estimateCall(gateway, intent);
  const context: EstimateContext = { abi, mutability, marginPercent };
  return estimateWords(estimate, intent, context);
}

/**
 * Simulates an intent, encodes it beside the chain's blocks, and compares the bytes with what was asked.
 *
 * @throws {ChainError} `TRANSACTION_DIFFERS`; and what the gateway throws
 */
export async function draftCode(
  gateway: HttpGateway,
  intent: CodeIntent,
  facts: CodeFacts & Timing,
): Promise<CodeDraft> {
  const [words, head, solid] = await Promise.all([
    simulate(gateway, intent, facts),
    gateway.headBlock(),
    gateway.solidBlock(),
  ]);
  const verified = await build(intent, { head, solid, ...facts });
  return { verified, solidHeight: solid.number, lifetimeMs: verified.expiration - head.timestamp, words };
}

interface Timing {
  readonly clock: Clock;
  /** Chain time from the newest block to the expiration, ms. */
  readonly expiresInMs: number;
}

type Block = Awaited<ReturnType<Gateway["headBlock"]>>;

/** A solidified block is the reference: no reorganisation takes it away. */
async function build(
  intent: CodeIntent,
  { head, solid, clock, expiresInMs }: Timing & { readonly head: Block; readonly solid: Block },
): Promise<VerifiedTransaction> {
  const signing = await import("../../host/secrets/lazy-signing.ts");
  const expiration = head.timestamp + expiresInMs;
  const built = signing.builtFromIntent(intent, { referenceBlock: solid.id, expiration, timestamp: clock.now() });
  const verified = signing.verifyAgainstIntent(built, intent, { headTimestamp: head.timestamp });
  if (verified.kind === "same") return verified;
  throw new ChainError("TRANSACTION_DIFFERS", { differences: verified.differences });
}
