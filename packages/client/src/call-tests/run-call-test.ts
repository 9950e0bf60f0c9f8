import { type AnyChainError, isChainError } from "@finality/tron/errors";
import type { CoverageRecord } from "@finality/tron/traces";
import { type BindingContext, bindCall } from "../call-sites/bind-call.ts";
import type { CallFileSite } from "../call-sites/find-call-sites.ts";
import { type CallOutcome, runConstantCall } from "../estimates/estimate-call.ts";
import type { ContractGateway } from "../gateway/gateway.ts";
import { type CallNames, checkExpectation, type ExpectationDifference } from "./check-expectation.ts";

/** Call of a call file with its expectation. */
export type CallTestSite = CallFileSite & Required<Pick<CallFileSite, "expect">>;

/** Result of a call test. */
export type CallTestResult =
  /** The outcome has no difference from the expectation. */
  | { readonly kind: "passed"; readonly outcome: CallOutcome }
  | {
      readonly kind: "failed";
      readonly outcome: CallOutcome;
      readonly differences: readonly ExpectationDifference[];
    }
  /** The call cannot be made; a sentence without a final full stop. */
  | { readonly kind: "unusable"; readonly reason: string }
  /** The gateway gave no outcome. */
  | { readonly kind: "unavailable"; readonly error: AnyChainError };

/** Returns true for a call with an expectation. */
export function isCallTest(site: CallFileSite): site is CallTestSite {
  return site.expect !== undefined;
}

/** Result of one call of a call file. */
export interface FinishedCallTest {
  /** Index of the call in the file. */
  readonly index: number;
  readonly result: CallTestResult;
  readonly durationMs: number;
}

/**
 * Runs call tests with constant calls, after the setup of the file on a chain of its own.
 *
 * @param text - call file
 * @param indexes - calls to run
 * @throws {ChainError} if the chain does not start
 */
export type RunCallTests = (
  text: string,
  indexes: readonly number[],
  signal: AbortSignal,
  /** Receives what the chain executed, if it is a local chain. */
  onCoverage?: (record: CoverageRecord) => void,
) => AsyncIterable<FinishedCallTest>;

/** Names that a call test uses. */
export interface CallTestContext extends Omit<CallNames, "addressOf"> {
  /** Contracts and accounts that the call is bound to. */
  readonly binding: BindingContext;
}

/** Runs a call test with a constant call, which stores nothing. Failures are part of the result, never a `ChainError`. */
export async function runCallTest(
  source: Pick<ContractGateway, "constantCall">,
  site: CallTestSite,
  { binding, ...names }: CallTestContext,
  signal?: AbortSignal,
): Promise<CallTestResult> {
  const bound = bindCall(site, binding);
  if (bound.kind === "wrong") return { kind: "unusable", reason: bound.reason };
  if (bound.kind === "missing")
    return { kind: "unusable", reason: bound.missing.map(({ question }) => question).join("; ") };
  const { intent, called } = bound;
  const contract = intent.kind === "contract-call" ? intent.contract : undefined;
  const addressOf = (name: string) => binding.addressOf(name);
  try {
    const outcome = await runConstantCall(source, intent, signal);
    const call = { called, contract, expect: site.expect };
    const differences = checkExpectation(call, outcome, { ...names, addressOf });
    return differences.length === 0 ? { kind: "passed", outcome } : { kind: "failed", outcome, differences };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "unavailable", error };
  }
}
